// Package pagetest makes a small Site for tests of pages: content of a few lines,
// bundles made in Go, the repository's own catalogs. It builds no site, draws no chart
// and reads no file of the repository's content.
//
// Only tests import it.
package pagetest

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"example.org/arena/content"
	"example.org/arena/i18n"
	"example.org/arena/results/bundle"
	"example.org/arena/site/page"
)

// Content returns the content of the small site, with the files of change put in
// place of its own, or beside them.
func Content(t *testing.T, change map[string]string) *content.Content {
	t.Helper()
	c, err := content.Load(contents(change))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// Site returns a Site of the content and the bundles. The identity of a bundle is ID
// of its place.
func Site(t *testing.T, c *content.Content, bundles ...*bundle.Bundle) *page.Site {
	t.Helper()
	in := page.Input{Content: c, Schemas: []string{"bundle.schema.json"}, Date: time.Date(2026, 9, 1, 0, 0, 0, 0, time.UTC)}
	byID := map[string]*bundle.Bundle{}
	in.Open = func(id string) (*bundle.Bundle, error) {
		if byID[id] == nil {
			return nil, fmt.Errorf("no bundle %s", id)
		}
		return byID[id], nil
	}
	for i, b := range bundles {
		byID[ID(i)] = b
		in.Bundles = append(in.Bundles, page.BundleOf(ID(i), fmt.Sprintf("%s/%d.json", b.Platform, i), b, page.RulesOf(c)))
	}
	s, err := page.New(in)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// ID is the identity of the bundle at a place.
func ID(at int) string { return bundle.ID(fmt.Appendf(nil, "bundle %d", at)) }

// catalogs are read once: reading them takes longer than making a page.
var catalogs = sync.OnceValues(func() (*i18n.Catalogs, error) { return i18n.Load(i18n.FS) })

// Printer returns the printer of a language. The test fails for every key that it, or
// another test at the same time, found missing or misused by the time it ends.
func Printer(t *testing.T, l i18n.Lang) *i18n.Printer {
	t.Helper()
	all, err := catalogs()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		for _, f := range all.Faults() {
			t.Error(f)
		}
	})
	return all.Printer(l)
}

// textsOf returns every text of a page, or of a part of one, with ordinary spaces.
func textsOf(part any) []string {
	var out []string
	collect(reflect.ValueOf(part), &out)
	return out
}

// ordinary makes ordinary spaces of those that do not break.
var ordinary = strings.NewReplacer("\u00a0", " ", "\u202f", " ")

func collect(v reflect.Value, out *[]string) {
	switch v.Kind() {
	case reflect.String:
		if s := v.String(); s != "" {
			*out = append(*out, ordinary.Replace(s))
		}
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			collect(v.Elem(), out)
		}
	case reflect.Slice:
		for i := range v.Len() {
			collect(v.Index(i), out)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				collect(v.Field(i), out)
			}
		}
	default: // no text
	}
}

// Want fails the test for each text that stands nowhere in the part of a page.
func Want(t *testing.T, part any, texts ...string) {
	t.Helper()
	have := textsOf(part)
	for _, text := range texts {
		if !slices.ContainsFunc(have, func(s string) bool { return strings.Contains(s, text) }) {
			t.Errorf("the page does not say %q", text)
		}
	}
}

// WantNone fails the test for each text that stands somewhere in the part of a page.
func WantNone(t *testing.T, part any, texts ...string) {
	t.Helper()
	have := textsOf(part)
	for _, text := range texts {
		if slices.ContainsFunc(have, func(s string) bool { return strings.Contains(s, text) }) {
			t.Errorf("the page says %q", text)
		}
	}
}
