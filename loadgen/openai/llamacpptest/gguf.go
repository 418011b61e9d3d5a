package llamacpptest

import (
	"encoding/binary"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
)

// A ggufFile is a GGUF file of version 3 in the making.
type ggufFile struct {
	rng     *rand.Rand
	values  int
	head    []byte // keys and values
	tensors []ggufTensor
}

type ggufTensor struct {
	name  string
	shape []int
	data  []float32
}

var order = binary.LittleEndian

// The codes of types in a GGUF file.
const (
	typeU32    = 4
	typeI32    = 5
	typeF32    = 6
	typeBool   = 7
	typeString = 8
	typeArray  = 9
)

func appendString(p []byte, s string) []byte {
	return append(order.AppendUint64(p, uint64(len(s))), s...)
}

// set adds a key with its value.
func (f *ggufFile) set(key string, value any) {
	f.values++
	p := appendString(f.head, key)
	array := func(kind uint32, n int) {
		p = order.AppendUint32(order.AppendUint32(p, typeArray), kind)
		p = order.AppendUint64(p, uint64(n))
	}
	switch v := value.(type) {
	case uint32:
		p = order.AppendUint32(order.AppendUint32(p, typeU32), v)
	case float32:
		p = order.AppendUint32(order.AppendUint32(p, typeF32), math.Float32bits(v))
	case bool:
		p = append(order.AppendUint32(p, typeBool), 1)
	case string:
		p = appendString(order.AppendUint32(p, typeString), v)
	case []int32:
		array(typeI32, len(v))
		for _, n := range v {
			p = order.AppendUint32(p, uint32(n))
		}
	case []string:
		array(typeString, len(v))
		for _, s := range v {
			p = appendString(p, s)
		}
	}
	f.head = p
}

// tensor adds random weights between -scale and scale, and returns them.
func (f *ggufFile) tensor(name string, scale float64, shape ...int) []float32 {
	data := make([]float32, shape[0]*shape[1])
	for i := range data {
		data[i] = float32((2*f.rng.Float64() - 1) * scale)
	}
	f.tensors = append(f.tensors, ggufTensor{name, shape, data})
	return data
}

func (f *ggufFile) ones(name string, n int) {
	f.tensors = append(f.tensors, ggufTensor{name, []int{n}, slices.Repeat([]float32{1}, n)})
}

// bytes returns the file.
func (f *ggufFile) bytes() []byte {
	const alignment = 32 // which every tensor's size is a multiple of
	p := order.AppendUint32([]byte("GGUF"), 3)
	p = order.AppendUint64(p, uint64(len(f.tensors)))
	p = order.AppendUint64(p, uint64(f.values))
	p = append(p, f.head...)
	offset := 0
	for _, t := range f.tensors {
		p = order.AppendUint32(appendString(p, t.name), uint32(len(t.shape)))
		for _, n := range t.shape {
			p = order.AppendUint64(p, uint64(n))
		}
		p = order.AppendUint64(order.AppendUint32(p, 0), uint64(offset)) // 0: single precision
		offset += 4 * len(t.data)
	}
	p = append(p, make([]byte, (alignment-len(p)%alignment)%alignment)...)
	for _, t := range f.tensors {
		for _, x := range t.data {
			p = order.AppendUint32(p, math.Float32bits(x))
		}
	}
	return p
}

// printable writes a piece as GPT-2's vocabulary does: bytes that are no visible
// character stand as one from U+0100 on.
func printable(piece string) string {
	var out strings.Builder
	for _, b := range []byte(piece) {
		out.WriteRune(visible[b])
	}
	return out.String()
}

var visible = func() (table [256]rune) {
	next := rune(0x100)
	for b := range table {
		if b > ' ' && b <= '~' || b >= 0xa1 && b != 0xad {
			table[b] = rune(b)
			continue
		}
		table[b] = next
		next++
	}
	return table
}()
