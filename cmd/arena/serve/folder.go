package serve

import (
	"errors"
	"io/fs"
	"os"
)

// Folder is the files of a folder, by its name: when another folder takes its
// place, that one is meant from then on. No link in it leads out of it.
type Folder string

// Open implements fs.FS.
func (f Folder) Open(name string) (fs.File, error) {
	root, err := os.OpenRoot(string(f))
	if err != nil {
		return nil, err
	}
	file, err := root.FS().Open(name)
	return file, errors.Join(err, root.Close())
}
