package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"example.org/arena/results/ingest"
)

// maxInput is the size of the largest file that is imported. Results are small;
// what is larger is something else.
const maxInput = 256 << 20

// readInputs reads the files of an import: a folder and all below it for a
// suite, files for every other format.
func readInputs(ctx context.Context, format string, paths []string) ([]ingest.Input, error) {
	if format == "suite" {
		if len(paths) != 1 {
			return nil, withHint(usagef("a suite is one folder, not %d", len(paths)), "name the folder around them all")
		}
		return readFolder(ctx, paths[0])
	}
	var inputs []ingest.Input
	seen := map[string]string{}
	for _, path := range paths {
		if err := canceled(ctx); err != nil {
			return nil, err
		}
		name := filepath.Base(path)
		if other, ok := seen[name]; ok {
			return nil, usagef("%s and %s have the same name: a bundle could not tell them apart", other, path)
		}
		seen[name] = path
		data, err := readFile(os.DirFS(filepath.Dir(path)), name)
		if err != nil {
			return nil, namedError(path, err)
		}
		inputs = append(inputs, ingest.Input{Name: name, Data: data})
	}
	return inputs, nil
}

// readFolder reads all regular files below a folder, in the order of their
// names. Hidden folders are passed over.
func readFolder(ctx context.Context, dir string) ([]ingest.Input, error) {
	root := os.DirFS(dir)
	var inputs []ingest.Input
	err := fs.WalkDir(root, ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case ctx.Err() != nil:
			return ctx.Err()
		case d.IsDir() && name != "." && strings.HasPrefix(d.Name(), "."):
			return fs.SkipDir
		case !d.Type().IsRegular():
			return nil
		}
		data, err := readFile(root, name)
		if err != nil {
			return namedError(filepath.Join(dir, filepath.FromSlash(name)), err)
		}
		inputs = append(inputs, ingest.Input{Name: name, Data: data})
		return nil
	})
	if err != nil {
		return nil, namedError(dir, err)
	}
	return inputs, nil
}

// readFile reads a regular file up to the limit.
func readFile(root fs.FS, name string) ([]byte, error) {
	f, err := root.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	switch {
	case err != nil:
		return nil, err
	case info.IsDir():
		return nil, errors.New("is a folder: name the files in it")
	case !info.Mode().IsRegular():
		return nil, errors.New("is not a regular file")
	}
	data, err := io.ReadAll(io.LimitReader(f, maxInput+1))
	if err == nil && len(data) > maxInput {
		err = fmt.Errorf("is larger than %d MiB", maxInput>>20)
	}
	return data, err
}

// namedError names the path once.
func namedError(path string, err error) error {
	var pathErr *fs.PathError
	if errors.As(err, &pathErr) {
		err = pathErr.Err
	}
	if errors.Is(err, context.Canceled) || strings.HasPrefix(err.Error(), "import: ") {
		return err
	}
	return fmt.Errorf("import: %s: %w", path, err)
}
