// Package exit has the exit codes of the program, the errors that ask for one, and
// how an error is printed. It ends nothing itself: only main calls os.Exit.
package exit

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"example.org/arena/cmd/arena/terminal"
)

// The exit codes. They are an interface: scripts branch on them.
const (
	OK          = 0
	Failure     = 1
	Usage       = 2
	Breaks      = 3 // a valid run that breaks its contract
	Invalid     = 4 // an invalid run
	Interrupted = 130
)

// Meaning says in the help what an exit code stands for; empty for other numbers.
func Meaning(code int) string {
	switch code {
	case OK:
		return "success"
	case Failure:
		return "failure"
	case Usage:
		return "wrong usage"
	case Breaks:
		return "valid run that breaks its contract"
	case Invalid:
		return "invalid run"
	case Interrupted:
		return "interrupted"
	}
	return ""
}

// A codedError ends the program with a code other than Failure.
type codedError struct {
	code int
	err  error
}

func (e *codedError) Error() string { return e.err.Error() }
func (e *codedError) Unwrap() error { return e.err }

// WithCode makes err end the program with the given exit code.
func WithCode(code int, err error) error { return &codedError{code, err} }

// Usagef returns an error about how the program was called.
func Usagef(format string, args ...any) error {
	return WithCode(Usage, fmt.Errorf(format, args...))
}

// A hintedError carries advice that is printed on a line of its own.
type hintedError struct {
	err  error
	hint string
}

func (e *hintedError) Error() string { return e.err.Error() }
func (e *hintedError) Unwrap() error { return e.err }

// WithHint adds advice to err: what the user can do about it.
func WithHint(err error, hint string) error { return &hintedError{err, hint} }

// Hint returns the advice that err carries, empty when it carries none.
func Hint(err error) string {
	if hinted, ok := errors.AsType[*hintedError](err); ok {
		return hinted.hint
	}
	return ""
}

// Code returns the exit code that err asks for.
func Code(err error) int {
	var coded *codedError
	switch {
	case err == nil:
		return OK
	case errors.Is(err, context.Canceled):
		return Interrupted
	case errors.As(err, &coded):
		return coded.code
	}
	return Failure
}

// Print writes err to w, every line of it as "arena: …", and its hint.
//
// Errors may repeat what a server or a file said: nothing in them reaches the
// terminal but text.
func Print(w io.Writer, err error) {
	for line := range strings.Lines(err.Error()) {
		fmt.Fprintf(w, "arena: %s\n", terminal.Printable(strings.TrimRight(line, "\n"), '\t'))
	}
	if hint := Hint(err); hint != "" {
		fmt.Fprintf(w, "hint: %s\n", terminal.Printable(hint, '\t'))
	}
}
