package main

import (
	"cmp"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"example.org/arena/cmd/arena/exit"
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

// contractNamed returns a contract by its version.
func contractNamed(version string) (*contract.Contract, error) {
	list, err := contracts()
	if err != nil {
		return nil, err
	}
	var have []string
	for _, k := range list {
		if k.Version == version {
			return k, nil
		}
		have = append(have, k.Version)
	}
	err = exit.Usagef("there is no contract %q", version)
	if version == "" {
		err = exit.Usagef("say which contract with --contract")
	}
	return nil, exit.WithHint(err, "this program has "+strings.Join(have, ", "))
}

// contractOrNewest returns a contract by its version, or the newest for none.
func contractOrNewest(version string) (*contract.Contract, error) {
	if version != "" {
		return contractNamed(version)
	}
	list, err := contracts()
	if err != nil {
		return nil, err
	}
	return list[len(list)-1], nil
}

// platforms returns the ids of the platforms inside the program, sorted.
func platforms() ([]string, error) {
	files, err := fs.Glob(content.FS, "platforms/*.toml")
	if err != nil || len(files) == 0 {
		return nil, fmt.Errorf("read platforms: this program was built without any: %w", cmp.Or(err, fs.ErrNotExist))
	}
	for i, file := range files {
		files[i] = strings.TrimSuffix(path.Base(file), ".toml")
	}
	slices.Sort(files)
	return files, nil
}
