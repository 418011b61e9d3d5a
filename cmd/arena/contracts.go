package main

import (
	"cmp"
	"fmt"
	"io/fs"
	"slices"

	"example.org/arena/content"
	"example.org/arena/results/contract"
)

// contracts returns the contracts inside the program, sorted by version.
func contracts() ([]*contract.Contract, error) {
	files, err := fs.Glob(content.FS, "contracts/*.toml")
	if err != nil {
		return nil, err
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("read contracts: this program was built without any")
	}
	list := make([]*contract.Contract, 0, len(files))
	for _, file := range files {
		data, err := fs.ReadFile(content.FS, file)
		if err != nil {
			return nil, err
		}
		c, err := contract.Parse(file, data)
		if err != nil {
			return nil, err
		}
		list = append(list, c)
	}
	slices.SortFunc(list, func(a, b *contract.Contract) int {
		// v10 follows v9.
		return cmp.Or(cmp.Compare(len(a.Version), len(b.Version)), cmp.Compare(a.Version, b.Version))
	})
	return list, nil
}
