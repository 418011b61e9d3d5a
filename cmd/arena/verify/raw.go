package verify

import (
	"bufio"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"example.org/arena/results/bundle"
	"example.org/arena/results/tomlfile"
)

// raw checks the raw files that a bundle in dir keeps beside it, and returns
// their paths.
func (v *verifier) raw(dir string, b *bundle.Bundle) (kept []string, faults tomlfile.Faults) {
	check := func(key string, files []bundle.File) {
		for i, f := range files {
			// A hash of the wrong form is a fault already, and no file name.
			if !f.Kept || !rawName.MatchString(f.SHA256+".gz") {
				continue
			}
			p := filepath.Join(dir, "raw", f.SHA256+".gz")
			kept = append(kept, p)
			if err := checkRaw(p, f); err != nil {
				faults = append(faults, tomlfile.Fault{Key: fmt.Sprintf("%s/%d", key, i), Code: CodeRaw, Message: fmt.Sprintf("raw file of %s: %v", f.Name, err)})
			}
		}
	}
	if b.Source != nil {
		check("/source/files", b.Source.Files)
	}
	for i, t := range b.Tests {
		check(fmt.Sprintf("/tests/%d/files", i), t.Files)
	}
	return kept, faults
}

// checkRaw reports whether the compressed file at p holds the bytes of f, once,
// and nothing else.
func checkRaw(p string, f bundle.File) error {
	info, err := os.Lstat(p)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return fmt.Errorf("%s is missing", p)
	case err != nil:
		return err
	case !info.Mode().IsRegular():
		return fmt.Errorf("%s %s", p, irregular(info.Mode()))
	}
	file, err := os.Open(p)
	if err != nil {
		return err
	}
	defer func() { _ = file.Close() }() // nothing was written
	in := bufio.NewReader(file)
	z, err := gzip.NewReader(in)
	if err != nil {
		return fmt.Errorf("%s: %w", p, err)
	}
	z.Multistream(false)
	h := sha256.New()
	// One byte more than promised is enough to know, whatever follows.
	n, err := io.Copy(h, io.LimitReader(z, f.Bytes+1))
	if err != nil {
		return fmt.Errorf("%s: %w", p, err)
	}
	if n != f.Bytes {
		return fmt.Errorf("%s does not hold %d bytes", p, f.Bytes)
	}
	if _, err := in.ReadByte(); err != io.EOF {
		return fmt.Errorf("%s holds more than one compressed file", p)
	}
	if sum := hex.EncodeToString(h.Sum(nil)); sum != f.SHA256 {
		return fmt.Errorf("%s has the SHA-256 %s", p, sum)
	}
	return nil
}
