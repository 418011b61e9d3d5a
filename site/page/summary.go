package page

import (
	"strings"

	"example.org/arena/results/bundle"
)

// A Summary is what pages that are not about a bundle tell of it, so that they
// need none of its figures.
type Summary struct {
	ID          string // SHA-256 of the file's bytes, lower-case hex
	Path        string // below results/bundles; empty for a bundle from elsewhere
	Kind        bundle.Kind
	Contract    string // version; empty for a bundle that follows none
	StartedAt   string // RFC 3339
	Measured    string // StartedAt, or YYYY-MM where the source states no more
	Server      string // name and version
	Speculation bool   // a draft was in use
	Licence     string
	Credit      string
	Source      string // URL of the source of an import; may be empty
}

func summaryOf(id, path string, b *bundle.Bundle) Summary {
	s := Summary{
		ID: id, Path: path, Kind: b.Kind, StartedAt: b.StartedAt, Measured: b.Measured(),
		Server: strings.TrimSpace(b.Server.Name + " " + b.Server.Version), Speculation: b.Draft != nil,
		Licence: b.Licence, Credit: b.Credit,
	}
	if b.Contract != nil {
		s.Contract = b.Contract.Version
	}
	if b.Source != nil {
		s.Source = b.Source.URL
	}
	return s
}
