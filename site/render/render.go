package render

import (
	"bytes"
	"fmt"
	"html/template"
	"io/fs"
	"path"
	"strings"
	"sync"
)

// A Words looks up the words of a page's frame. i18n.Printer is one.
type Words interface {
	T(key string, args ...any) string
}

// A Renderer executes the page templates. It is safe for use by several
// goroutines.
type Renderer struct {
	pages map[string]*template.Template

	mu     sync.Mutex
	spoken map[spoken]*template.Template
}

// spoken is a template with words.
type spoken struct {
	template string
	words    Words
}

// shared names the template files that every page is made of.
const shared = "html/layout.tmpl"

// chooser is the page that offers the languages. It has a frame of its own.
const chooser = "chooser"

// New parses the templates below html/ in fsys.
func New(fsys fs.FS) (*Renderer, error) {
	names, err := fs.Glob(fsys, "html/*.tmpl")
	if err != nil {
		return nil, err
	}
	r := &Renderer{pages: map[string]*template.Template{}, spoken: map[spoken]*template.Template{}}
	for _, name := range names {
		if name == shared {
			continue
		}
		page := strings.TrimSuffix(path.Base(name), ".tmpl")
		files := []string{shared, name}
		if page == chooser {
			files = []string{name}
		}
		t := template.New(page).Option("missingkey=error").Funcs(template.FuncMap{"t": noWords})
		if t, err = t.ParseFS(fsys, files...); err != nil {
			return nil, fmt.Errorf("parse template: %w", err)
		}
		r.pages[page] = t
	}
	if len(r.pages) == 0 {
		return nil, fmt.Errorf("no templates below html/")
	}
	return r, nil
}

// noWords stands for the word look-up while templates are parsed.
func noWords(string, ...any) (string, error) {
	return "", fmt.Errorf("no language chosen")
}

// Render writes the page as HTML, with the words of its frame from w.
func (r *Renderer) Render(p *Page, w Words) ([]byte, error) {
	t, ok := r.pages[p.Template]
	if !ok {
		return nil, fmt.Errorf("no template %q", p.Template)
	}
	t, err := r.in(t, p, w)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	if err := t.ExecuteTemplate(&b, "layout", p); err != nil {
		return nil, fmt.Errorf("render %s in %s: %w", p.Template, p.Lang, err)
	}
	return b.Bytes(), nil
}

// in returns the template with the words of a language, which is made once: to make
// one escapes it anew.
func (r *Renderer) in(t *template.Template, p *Page, w Words) (*template.Template, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	key := spoken{p.Template, w}
	if made := r.spoken[key]; made != nil {
		return made, nil
	}
	t, err := t.Clone()
	if err != nil {
		return nil, fmt.Errorf("clone template %q: %w", p.Template, err)
	}
	r.spoken[key] = t.Funcs(template.FuncMap{"t": w.T})
	return t, nil
}
