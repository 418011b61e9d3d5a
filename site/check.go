package site

import (
	"fmt"
	"maps"
	"net/url"
	"path"
	"slices"
	"strings"
	"sync"

	"example.org/arena/i18n"
)

// A checker gathers what every page holds and links to, and says in the end what
// no reader should meet: a link or fragment that leads nowhere, a heading without
// an id, an id used twice, a page that lacks a translation. A link that many pages
// have is kept and looked up once.
type checker struct {
	baseURL string

	mu    sync.Mutex
	files map[string]fileRecord // every file of the site, by path
	twice []string              // files that were made twice
	pages map[string]*pageLinks // by file
	links map[string]int32      // each link → its place in names
	names []string
}

// pageLinks is what is kept of a page.
type pageLinks struct {
	ids    string // each between line breaks: pages of a kind share the string
	links  []int32
	faults []string
}

func newChecker(baseURL string) *checker {
	return &checker{
		baseURL: strings.TrimSuffix(baseURL, "/"),
		files:   map[string]fileRecord{}, pages: map[string]*pageLinks{}, links: map[string]int32{},
	}
}

// add notes a file, and reports whether there was none at its path. Two that
// differ are a fault.
func (c *checker) add(f fileRecord) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	old, ok := c.files[f.Path]
	if ok && old != f {
		c.twice = append(c.twice, f.Path)
	}
	if !ok {
		c.files[f.Path] = f
	}
	return !ok
}

// remove takes back what add noted: the file is made later.
func (c *checker) remove(f fileRecord) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.files, f.Path)
}

// addPage notes what a page holds.
func (c *checker) addPage(file string, d *document) {
	p := &pageLinks{ids: "\n" + strings.Join(d.IDs, "\n") + "\n", faults: d.Faults}
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, link := range d.Links {
		n, ok := c.links[link]
		if !ok {
			n = int32(len(c.names))
			c.names, c.links[link] = append(c.names, link), n
		}
		p.links = append(p.links, n)
	}
	c.pages[file] = p
}

// err lists every fault of every page.
func (c *checker) err() error {
	why := make([]string, len(c.names))
	for i, link := range c.names {
		why[i] = c.broken(link)
	}
	var faults []string
	for _, file := range sortedKeys(c.pages) {
		p := c.pages[file]
		for _, fault := range p.faults {
			faults = append(faults, file+": "+fault)
		}
		for _, n := range p.links {
			if why[n] != "" {
				faults = append(faults, fmt.Sprintf("%s: link %q: %s", file, c.names[n], why[n]))
			}
		}
		if lang, ok := c.missingTranslation(file); ok {
			faults = append(faults, fmt.Sprintf("%s: no page in %s", file, lang))
		}
	}
	if len(c.twice) > 0 {
		slices.Sort(c.twice)
		return fmt.Errorf("two pages or files want the same address: %s", strings.Join(slices.Compact(c.twice), ", "))
	}
	if len(faults) > 0 {
		return fmt.Errorf("%d faults in the pages:\n%s", len(faults), strings.Join(faults, "\n"))
	}
	return nil
}

// broken says why a link to another page or file leads nowhere, or nothing.
func (c *checker) broken(link string) string {
	if rest, ok := strings.CutPrefix(link, c.baseURL+"/"); ok {
		link = "/" + rest
	}
	u, err := url.Parse(link)
	switch {
	case err != nil:
		return "not an address"
	case u.Scheme != "" || u.Host != "":
		return ""
	case !strings.HasPrefix(u.Path, "/"):
		return "not from the root of the site"
	}
	target := strings.TrimPrefix(path.Clean(u.Path), "/")
	if strings.HasSuffix(u.Path, "/") {
		target = path.Join(target, "index.html")
	}
	if _, ok := c.files[target]; !ok {
		return "no such file"
	}
	if u.Fragment == "" {
		return ""
	}
	if p := c.pages[target]; p == nil || !strings.Contains(p.ids, "\n"+u.Fragment+"\n") {
		return "no such place on that page"
	}
	return ""
}

// missingTranslation returns a language that a page lacks, and whether there is
// one.
func (c *checker) missingTranslation(file string) (i18n.Lang, bool) {
	lang, rest, ok := strings.Cut(file, "/")
	if !ok || !slices.Contains(i18n.Langs, i18n.Lang(lang)) {
		return "", false
	}
	for _, l := range i18n.Langs {
		if c.pages[string(l)+"/"+rest] == nil {
			return l, true
		}
	}
	return "", false
}

// sortedKeys lists the keys of a map, sorted.
func sortedKeys[V any](m map[string]V) []string {
	return slices.Sorted(maps.Keys(m))
}
