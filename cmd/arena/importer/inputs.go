package importer

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"example.org/arena/cmd/arena/exit"
	"example.org/arena/cmd/arena/store"
	"example.org/arena/results/ingest"
	"example.org/arena/results/ingest/formats"
)

// ReadInputs reads the files of an import: a folder and all below it for a format
// of folders, files for every other.
func ReadInputs(ctx context.Context, format string, paths []string) ([]ingest.Input, error) {
	if f, _ := formats.Named(format); f.Folder {
		if len(paths) != 1 {
			return nil, exit.WithHint(exit.Usagef("a suite is one folder, not %d", len(paths)), "name the folder around them all")
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
			return nil, exit.Usagef("%s and %s have the same name: a bundle could not tell them apart", other, path)
		}
		seen[name] = path
		data, err := store.Read(path)
		if err != nil {
			return nil, namedError(path, err)
		}
		inputs = append(inputs, ingest.Input{Name: name, Data: data})
	}
	return inputs, nil
}

// readFolder reads all files below a folder, in the order of their names. Links
// to files are followed, wherever they point. Hidden folders are passed over;
// what else is no file is refused, since a test could be missing without a word.
func readFolder(ctx context.Context, dir string) ([]ingest.Input, error) {
	var inputs []ingest.Input
	err := fs.WalkDir(os.DirFS(dir), ".", func(name string, d fs.DirEntry, err error) error {
		path := filepath.Join(dir, filepath.FromSlash(name))
		switch {
		case err != nil:
			return namedError(path, err)
		case ctx.Err() != nil:
			return ctx.Err()
		case d.IsDir() && name != "." && strings.HasPrefix(d.Name(), "."):
			return fs.SkipDir
		case d.IsDir():
			return nil
		}
		data, err := store.Read(path)
		switch info, statErr := os.Stat(path); {
		case statErr == nil && info.IsDir():
			return exit.WithHint(fmt.Errorf("import: %s: is a link to a folder", path), "put the folder itself in its place, or import it on its own")
		case err != nil:
			return namedError(path, err)
		}
		inputs = append(inputs, ingest.Input{Name: name, Data: data})
		return nil
	})
	if err != nil {
		return nil, namedError(dir, err)
	}
	return inputs, nil
}

// namedError names the path once.
func namedError(path string, err error) error {
	if pathErr, ok := errors.AsType[*fs.PathError](err); ok {
		err = pathErr.Err
	}
	if errors.Is(err, context.Canceled) || strings.HasPrefix(err.Error(), "import: ") {
		return err
	}
	return fmt.Errorf("import: %s: %w", path, err)
}

// canceled reports whether the user has stopped the program.
func canceled(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("import: %w", err)
	}
	return nil
}
