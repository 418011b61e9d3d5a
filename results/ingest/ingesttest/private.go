package ingesttest

import (
	"encoding/binary"
	"unicode/utf16"
)

// UTF16Text encodes a text as UTF-16 with a byte order mark.
func UTF16Text(s string, order binary.ByteOrder) string {
	var b []byte
	for _, u := range utf16.Encode([]rune("\ufeff" + s)) {
		b = order.(binary.AppendByteOrder).AppendUint16(b, u)
	}
	return string(b)
}
