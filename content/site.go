package content

import "strings"

// Site holds the settings of the site.
type Site struct {
	Repository string // address at which the repository can be browsed
	FileURL    string // address of a file at a revision, with {revision} and {path}
	BaseURL    string // address of the site, without a slash at the end
	Contact    string // e-mail address for corrections and takedowns
	Defaults   Defaults
}

// Defaults are the choices that a page makes before its reader does.
type Defaults struct {
	Contract          string  // version
	Platform          string  // id
	ThinkTimeS        float64 // time a user takes between two requests, seconds
	TTFTLimitMS       float64 // longest wait for a first token, ms
	SpeedLimitTokPerS float64 // slowest bearable output for one user, tokens per second
}

// SourceURL returns the address of a file of the repository at a revision.
func (s Site) SourceURL(revision, path string) string {
	return strings.NewReplacer("{revision}", revision, "{path}", path).Replace(s.FileURL)
}
