package main

import (
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"

	"example.org/arena/results/bundle"
)

// variants is how many different sets of figures the generated bundles have: each
// set's charts have to be drawn once before a build with a warm cache can be timed.
const variants = 4

// generate writes n bundles below dir: the committed imports that follow a
// contract, over and over, each time under another profile and with figures that
// a factor near 1 sets apart. Bundles that are there already stay.
func generate(dir, from string, n int) error {
	models, err := readImports(from)
	if err != nil {
		return err
	}
	for i := range n {
		b, err := bundle.Decode("bundle", models[i%len(models)])
		if err != nil {
			return err
		}
		vary(b, i/len(models))
		if err := write(dir, b); err != nil {
			return err
		}
	}
	return nil
}

// readImports reads the bundles of imports that follow a contract.
func readImports(dir string) ([][]byte, error) {
	var list [][]byte
	err := fs.WalkDir(os.DirFS(dir), ".", func(name string, _ fs.DirEntry, err error) error {
		if err != nil || path.Ext(name) != ".json" {
			return err
		}
		data, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
		if err != nil {
			return err
		}
		b, err := bundle.Decode(name, data)
		if err == nil && b.Kind == bundle.Import && b.Contract != nil {
			list = append(list, data)
		}
		return err
	})
	if err == nil && len(list) == 0 {
		err = fmt.Errorf("%s holds no import that follows a contract", dir)
	}
	return list, err
}

// vary makes b the edition of another round, counted from 0.
func vary(b *bundle.Bundle, round int) {
	b.Profile = fmt.Sprintf("%s-%04d", b.Profile, round)
	factor := 1 + 0.03*float64(round%variants)
	for _, t := range b.Tests {
		for _, c := range t.Cells {
			for i := range c.Reported {
				scale(&c.Reported[i], factor)
			}
		}
	}
}

// scale multiplies every number of a figure but its counts.
func scale(f *bundle.Figure, factor float64) {
	for _, v := range []*float64{f.Value, f.Mean, f.Std, f.Min, f.Median, f.Max} {
		if v != nil {
			*v *= factor
		}
	}
	for i := range f.Percentiles {
		f.Percentiles[i].Value *= factor
	}
	for i := range f.Values {
		f.Values[i] *= factor
	}
}

// write writes a bundle to its place below dir.
func write(dir string, b *bundle.Bundle) error {
	data, err := bundle.Encode(b)
	if err != nil {
		return err
	}
	place, err := bundle.Path(b, data)
	if err != nil {
		return err
	}
	file := filepath.Join(dir, filepath.FromSlash(place))
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return err
	}
	return os.WriteFile(file, data, 0o644)
}
