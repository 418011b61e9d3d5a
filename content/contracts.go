package content

import (
	"cmp"
	"path"
	"slices"
	"strconv"

	"example.org/arena/results/contract"
)

// contracts reads the contracts, each named after its version.
func (l *loader) contracts() []*contract.Contract {
	var all []*contract.Contract
	for _, name := range l.list(contractsDir, ".toml") {
		file := path.Join(contractsDir, name+".toml")
		data, ok := l.read(file)
		if !ok {
			continue
		}
		c, err := contract.Parse(file, data)
		if err == nil {
			err = c.Validate()
		}
		if err != nil {
			l.fail(file, err)
			continue
		}
		if c.Version != name {
			l.fault(file, "is version "+strconv.Quote(c.Version)+", not "+strconv.Quote(name)+" as the file is named")
		}
		all = append(all, c)
	}
	slices.SortFunc(all, func(a, b *contract.Contract) int { return byVersion(a.Version, b.Version) })
	return all
}

// errata reads what was found wrong with the contracts.
func (l *loader) errata(c *Content) []*contract.Errata {
	var all []*contract.Errata
	for _, name := range l.list(errataDir, ".toml") {
		file := path.Join(errataDir, name+".toml")
		data, ok := l.read(file)
		if !ok {
			continue
		}
		e, err := contract.ParseErrata(file, data)
		if err == nil {
			if of, ok := c.Contract(name); ok {
				err = e.Validate(of)
			} else {
				l.fault(file, "there is no valid contract "+strconv.Quote(name))
			}
		}
		if err != nil {
			l.fail(file, err)
			continue
		}
		all = append(all, e)
	}
	slices.SortFunc(all, func(a, b *contract.Errata) int { return byVersion(a.Version, b.Version) })
	return all
}

// byVersion puts v10 behind v9.
func byVersion(a, b string) int {
	return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b))
}
