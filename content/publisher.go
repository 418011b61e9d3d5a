package content

import (
	"example.org/arena/results/facts"
	"example.org/arena/results/tomlfile"
)

// readPublishers reads the file of those who measure other people's models.
func readPublishers(t *tomlfile.Table) []facts.Publisher {
	var all []facts.Publisher
	seen := map[string]bool{}
	for _, sub := range t.Subs("publisher") {
		sub.Need("name")
		p := facts.Publisher{
			Name:        sub.Str("name"),
			URL:         sub.Str("url"),
			Attribution: sub.Str("attribution"),
			Note:        words(sub, "note"),
		}
		checkName(sub, "name", p.Name)
		checkName(sub, "attribution", p.Attribution)
		checkURL(sub, "url", p.URL)
		if seen[p.Name] {
			sub.Fault("name", "%q stands here twice", p.Name)
		}
		seen[p.Name] = true
		sub.Done()
		all = append(all, p)
	}
	t.Done()
	return all
}
