// Package store is the files of the program: those of people, which it reads, and
// bundles, which are written whole or not at all and never over another file. It finds
// the checkout that the working folder lies in.
package store

import (
	"errors"
	"fmt"
	"io"
	"os"
	"syscall"
)

// maxInput is the size of the largest file that is read. Results are small; what
// is larger is something else.
const maxInput = 256 << 20

// Read reads a regular file, or what a link to one points at. It refuses
// pipes, devices and sockets before it opens them: to open one may wait for
// ever, and no signal would end that.
func Read(path string) ([]byte, error) {
	info, err := os.Stat(path)
	var named *os.PathError
	if errors.As(err, &named) {
		named.Op = "open"
	}
	if err != nil {
		return nil, err
	}
	if err := checkRegular(info); err != nil {
		return nil, &os.PathError{Op: "read", Path: path, Err: err}
	}
	// Without waiting, should something else have taken its place meanwhile.
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close() //nolint:errcheck // only read
	if info, err = f.Stat(); err == nil {
		err = checkRegular(info)
	}
	var data []byte
	if err == nil {
		data, err = io.ReadAll(io.LimitReader(f, maxInput+1))
	}
	if err == nil && len(data) > maxInput {
		err = fmt.Errorf("is larger than %d MiB", maxInput>>20)
	}
	if err != nil && !errors.As(err, &named) {
		err = &os.PathError{Op: "read", Path: path, Err: err}
	}
	return data, err
}

func checkRegular(info os.FileInfo) error {
	switch {
	case info.IsDir():
		return errors.New("is a folder: name the files in it")
	case !info.Mode().IsRegular():
		return errors.New("is not a regular file")
	}
	return nil
}
