package content

import (
	"path"
	"slices"

	"example.org/arena/i18n"
	"example.org/arena/results/facts"
	"example.org/arena/results/tomlfile"
)

// A Report is a comparison made of bundles: which configurations it is about, what
// it calls them, and in which order its blocks of tables and charts stand between
// the paragraphs of its text. Which blocks there are, and which figures a text may
// name, is up to the package that makes the page; so is whether there is a bundle
// for each configuration.
//
//	title = { nl = "…", en = "…", fr = "…" }
//	lead = { nl = "…", en = "…", fr = "…" }
//
//	[[deployment]]
//	id = "bf16"
//	platform = "dgx-spark"
//	model = "google/gemma-4-26B-A4B-it"
//	profile = "bf16"
//	name = { nl = "…", en = "…", fr = "…" }
//
//	[[block]]
//	name = "tests"
type Report struct {
	Slug        string // the name of the file
	File        string // path in the tree
	Title       facts.Words
	Lead        facts.Words
	Deployments []ReportDeployment
	Pairs       []ReportPair
	Limits      *ReportLimits // nil when the report has none
	Blocks      []ReportBlock // in the order of the text
	Texts       map[string]ReportText
}

// A ReportDeployment is a configuration that a report is about.
type ReportDeployment struct {
	ID       string // what the text calls it
	Platform string
	Model    string // Hugging Face id
	Profile  string
	Name     facts.Words // what the page calls it
	Line     int
}

// A ReportPair is two deployments of which one is set against the other.
type ReportPair struct {
	ID      string // what the text calls it
	Name    facts.Words
	Base    string // id of the deployment that is compared with
	Variant string // id of the deployment that is compared
}

// ReportLimits are what a report takes a user to accept, and how long it takes
// one to think between two requests.
type ReportLimits struct {
	ThinkTimeS        float64 // s
	TTFTLimitMS       float64 // longest wait for a first token, ms
	SpeedLimitTokPerS float64 // slowest output for one user, tokens per second
}

// A ReportBlock is a place in the text for tables and charts.
type ReportBlock struct {
	Name    string      // what the text calls it: a line [[name]]
	Kind    string      // which block it is; its name where the file does not say
	Test    string      // slug of the test that it shows; empty where the block has a test of its own
	Caption facts.Words // of its first table, instead of the usual one; nil for that
	Line    int
}

// reports reads the reports with their texts.
func (l *loader) reports(texts map[string]map[string][]byte) []Report {
	var all []Report
	dir := string(Reports)
	for _, slug := range l.list(dir, ".toml", ".md") {
		file := path.Join(dir, slug+".toml")
		t := l.table(file)
		if t == nil {
			delete(texts, slug)
			continue
		}
		l.checkFileName(file, slug)
		r := readReport(t)
		r.Slug, r.File = slug, file
		if texts[slug] == nil {
			t.Fault("", "there is no text %s", textFile(slug, string(i18n.Langs[0])))
		}
		r.Texts = l.reportTexts(r, texts[slug])
		delete(texts, slug)
		all = append(all, r)
	}
	for slug, byLang := range texts {
		for lang := range byLang {
			l.faults = append(l.faults, tomlfile.Fault{File: textFile(slug, lang), Line: 1, Message: "is the text of no report: there is no " + path.Join(dir, slug+".toml")})
		}
	}
	return all
}

func textFile(slug, lang string) string {
	return path.Join(string(Reports), slug+"."+lang+".md")
}

func readReport(t *tomlfile.Table) Report {
	t.Need("title", "lead", "deployment", "block")
	r := Report{Title: words(t, "title"), Lead: words(t, "lead")}
	for _, sub := range t.Subs("deployment") {
		d := readDeployment(sub)
		if slices.ContainsFunc(r.Deployments, func(have ReportDeployment) bool { return have.ID == d.ID }) {
			sub.Fault("id", "%q is there already", d.ID)
		}
		r.Deployments = append(r.Deployments, d)
	}
	for _, sub := range t.Subs("pair") {
		p := readPair(sub, r.Deployments)
		if slices.ContainsFunc(r.Pairs, func(have ReportPair) bool { return have.ID == p.ID }) {
			sub.Fault("id", "%q is there already", p.ID)
		}
		r.Pairs = append(r.Pairs, p)
	}
	if sub := optional(t, "limits"); sub != nil {
		r.Limits = readLimits(sub)
	}
	for _, sub := range t.Subs("block") {
		b := readBlock(sub)
		if slices.ContainsFunc(r.Blocks, func(have ReportBlock) bool { return have.Name == b.Name }) {
			sub.Fault("name", "%q is there already", b.Name)
		}
		r.Blocks = append(r.Blocks, b)
	}
	t.Done()
	return r
}

func readDeployment(t *tomlfile.Table) ReportDeployment {
	t.Need("id", "platform", "model", "profile", "name")
	d := ReportDeployment{
		ID:       t.Str("id"),
		Platform: t.Str("platform"),
		Model:    t.Str("model"),
		Profile:  t.Str("profile"),
		Name:     words(t, "name"),
		Line:     t.Line("id"),
	}
	checkSlug(t, "id", d.ID)
	checkSlug(t, "platform", d.Platform)
	checkModelID(t, "model", d.Model)
	checkSlug(t, "profile", d.Profile)
	t.Done()
	return d
}

func readPair(t *tomlfile.Table, deployments []ReportDeployment) ReportPair {
	t.Need("id", "name", "base", "variant")
	p := ReportPair{ID: t.Str("id"), Name: words(t, "name"), Base: t.Str("base"), Variant: t.Str("variant")}
	checkSlug(t, "id", p.ID)
	for key, id := range map[string]string{"base": p.Base, "variant": p.Variant} {
		if t.Sound(key) && !slices.ContainsFunc(deployments, func(d ReportDeployment) bool { return d.ID == id }) {
			t.Fault(key, "there is no deployment %q", id)
		}
	}
	t.Done()
	return p
}

func readLimits(t *tomlfile.Table) *ReportLimits {
	t.Need("think_time_s", "ttft_limit_ms", "speed_limit_tok_per_s")
	limits := &ReportLimits{
		ThinkTimeS:        t.Number("think_time_s"),
		TTFTLimitMS:       t.Number("ttft_limit_ms"),
		SpeedLimitTokPerS: t.Number("speed_limit_tok_per_s"),
	}
	checkPositive(t, "think_time_s", limits.ThinkTimeS)
	checkPositive(t, "ttft_limit_ms", limits.TTFTLimitMS)
	checkPositive(t, "speed_limit_tok_per_s", limits.SpeedLimitTokPerS)
	t.Done()
	return limits
}

func readBlock(t *tomlfile.Table) ReportBlock {
	t.Need("name")
	b := ReportBlock{Name: t.Str("name"), Kind: t.Str("kind"), Test: t.Str("test"), Caption: words(t, "caption"), Line: t.Line("name")}
	checkSlug(t, "name", b.Name)
	if b.Kind == "" {
		b.Kind = b.Name
	}
	t.Done()
	return b
}
