package i18n

import (
	"fmt"
	"reflect"
)

// Arguments are the name, value pairs of a call.
type arguments []argument

type argument struct {
	name  string
	value any
}

// pairArguments reads args as name, value pairs.
func pairArguments(args []any) (arguments, error) {
	if len(args)%2 != 0 {
		return nil, fmt.Errorf("%d arguments are no name, value pairs", len(args))
	}
	pairs := make(arguments, 0, len(args)/2)
	for i := 0; i < len(args); i += 2 {
		name, ok := args[i].(string)
		if !ok {
			return nil, fmt.Errorf("argument %d is a %T where a name is wanted", i+1, args[i])
		}
		if _, twice := pairs.get(name); twice {
			return nil, fmt.Errorf("argument %q is given twice", name)
		}
		pairs = append(pairs, argument{name, args[i+1]})
	}
	return pairs, nil
}

// get returns the value of the named argument and whether it was given.
func (a arguments) get(name string) (any, bool) {
	for _, arg := range a {
		if arg.name == name {
			return arg.value, true
		}
	}
	return nil, false
}

// asString returns the text of a value whose underlying type is a string, such
// as a metric's key.
func asString(v any) (string, bool) {
	if r := reflect.ValueOf(v); r.Kind() == reflect.String {
		return r.String(), true
	}
	return "", false
}

// asNumber returns the value of any other numeric type.
func asNumber(v any) (float64, bool) {
	r := reflect.ValueOf(v)
	switch {
	case r.CanInt():
		return float64(r.Int()), true
	case r.CanUint():
		return float64(r.Uint()), true
	case r.CanFloat():
		return r.Float(), true
	}
	return 0, false
}
