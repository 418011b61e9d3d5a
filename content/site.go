package content

import (
	"net/mail"
	"strings"

	"example.org/arena/results/tomlfile"
)

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

// readSite reads the settings of the site.
func readSite(t *tomlfile.Table) Site {
	t.Need("repository", "file_url", "base_url", "contact", "defaults")
	s := Site{
		Repository: t.Str("repository"),
		FileURL:    t.Str("file_url"),
		BaseURL:    t.Str("base_url"),
		Contact:    t.Str("contact"),
	}
	checkURL(t, "repository", s.Repository)
	checkURL(t, "file_url", s.FileURL)
	if t.Sound("file_url") && (!strings.Contains(s.FileURL, "{revision}") || !strings.Contains(s.FileURL, "{path}")) {
		t.Fault("file_url", "want an address with {revision} and {path}")
	}
	checkURL(t, "base_url", s.BaseURL)
	if strings.HasSuffix(s.BaseURL, "/") {
		t.Fault("base_url", "ends in a slash")
	}
	if a, err := mail.ParseAddress(s.Contact); t.Sound("contact") && (err != nil || a.Address != s.Contact) {
		t.Fault("contact", "%q is not an e-mail address", s.Contact)
	}
	if sub := optional(t, "defaults"); sub != nil {
		s.Defaults = readDefaults(sub)
	}
	t.Done()
	return s
}

func readDefaults(t *tomlfile.Table) Defaults {
	t.Need("contract", "platform", "think_time_s", "ttft_limit_ms", "speed_limit_tok_per_s")
	d := Defaults{
		Contract:          t.Str("contract"),
		Platform:          t.Str("platform"),
		ThinkTimeS:        t.Number("think_time_s"),
		TTFTLimitMS:       t.Number("ttft_limit_ms"),
		SpeedLimitTokPerS: t.Number("speed_limit_tok_per_s"),
	}
	checkPositive(t, "think_time_s", d.ThinkTimeS)
	checkPositive(t, "ttft_limit_ms", d.TTFTLimitMS)
	checkPositive(t, "speed_limit_tok_per_s", d.SpeedLimitTokPerS)
	t.Done()
	return d
}

// site reads the settings, which name a contract and a platform.
func (l *loader) site(c *Content) Site {
	t := l.table(siteFile)
	if t == nil {
		return Site{}
	}
	s := readSite(t)
	d := s.Defaults
	if _, ok := c.Contract(d.Contract); !ok && d.Contract != "" {
		t.Fault("defaults.contract", "there is no valid contract %q", d.Contract)
	}
	if _, ok := c.Catalog.Platform(d.Platform); !ok && d.Platform != "" {
		t.Fault("defaults.platform", "there is no platform %q", d.Platform)
	}
	return s
}
