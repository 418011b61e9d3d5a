package prompt

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
)

// saltDigits is how many digits a salt has. Tokenizers split numbers by their
// length, one digit or three to a token, so salts cost the same whatever they
// say; letters would not.
const saltDigits = 15

// saltOf returns the line that begins a prompt: digits that depend on the cell's
// salt and the request's seed. Where they differ, so does everything that a prefix
// cache has after them.
func saltOf(cell string, seed uint64) string {
	h := sha256.New()
	h.Write(binary.BigEndian.AppendUint64(nil, seed))
	h.Write([]byte(cell))
	n := binary.BigEndian.Uint64(h.Sum(nil)) % 1_000_000_000_000_000
	return fmt.Sprintf("%0*d\n\n", saltDigits, n)
}
