package site

import (
	"strings"

	"example.org/arena/i18n"
	"example.org/arena/results/bundle"
	"example.org/arena/results/facts"
	"example.org/arena/site/format"
	"example.org/arena/site/render"
)

// setup lists how the model was served, and on what.
func (m modelWriter) setup() []render.Term {
	b := m.row.Bundle
	t := format.NewTerms(m.Printer)
	t.Add("model.setup.model", render.Value{Text: b.Model.ID, URL: huggingFace(b.Model.ID)})
	t.Code("model.setup.revision", b.Model.Revision)
	t.Text("model.setup.precision", m.precision())
	if d := b.Draft; d != nil {
		t.Add("model.setup.speculation",
			render.Value{Text: m.T("model.setup.speculation_method", "method", d.Method)},
			render.Value{Text: d.Model, URL: huggingFace(d.Model)})
		if d.TokensPerStep > 0 {
			t.Text("model.setup.draft_tokens", m.Integer(int64(d.TokensPerStep)))
		}
	}
	t.Text("model.setup.server", strings.TrimSpace(b.Server.Name+" "+b.Server.Version))
	t.Code("model.setup.image", b.Server.Image)
	t.Code("model.setup.image_digest", b.Server.ImageDigest)
	if p := b.Server.PrefixCaching; p != nil {
		key := "model.setup.off"
		if *p {
			key = "model.setup.on"
		}
		t.Add("model.setup.prefix_caching", render.Value{Text: m.T(key)}, render.Value{Text: b.Server.PrefixCachingVerified, Lang: "en"})
	}
	var settings []render.Value
	for _, s := range b.Server.Settings {
		settings = append(settings, render.Value{Text: s.Name + " = " + s.Value, Code: true})
	}
	t.Add("model.setup.settings", settings...)
	var env []render.Value
	for _, s := range b.Server.Env {
		env = append(env, render.Value{Text: s.Name + "=" + s.Value, Code: true})
	}
	t.Add("model.setup.environment", env...)
	t.Text("model.setup.platform", m.platformName(b.Platform))
	t.Text("model.setup.hardware", b.Host.Description)
	if b.Kind != bundle.Import {
		m.machine(t, b.Host)
	}
	t.Text("model.setup.driver", b.Host.Driver)
	t.Text("model.setup.vbios", b.Host.VBIOS)
	t.Text("model.setup.cuda", b.Host.CUDA)
	t.Text("model.setup.os", strings.TrimSpace(b.Host.OS+" "+b.Host.Kernel))
	if s := b.Sanity; s != nil {
		t.Text("model.setup.sanity", shortened(s.Answer))
	}
	return t.List
}

// longestAnswer is how many characters of an answer a page shows.
const longestAnswer = 400

// shortened cuts a long answer off between two words.
func shortened(text string) string {
	r := []rune(text)
	if len(r) <= longestAnswer {
		return text
	}
	cut := string(r[:longestAnswer])
	if i := strings.LastIndexAny(cut, " \n\t"); i > 0 {
		cut = cut[:i]
	}
	return cut + " …"
}

// machine adds what Arena itself found out about the machine. Sources of imports
// describe theirs in their own words.
func (m modelWriter) machine(t *format.Terms, h bundle.Host) {
	if h.GPU != "" && h.GPUs > 1 {
		t.Text("model.setup.gpu", m.T("model.setup.gpus", "count", h.GPUs, "name", h.GPU))
	} else {
		t.Text("model.setup.gpu", h.GPU)
	}
	if h.MemoryBytes > 0 {
		t.Text("model.setup.memory", m.Bytes(float64(h.MemoryBytes)))
	}
}

// huggingFace is the address of a model, empty for what is no id.
func huggingFace(id string) string {
	if org, name, ok := strings.Cut(id, "/"); ok && org != "" && name != "" {
		return "https://huggingface.co/" + id
	}
	return ""
}

func (m modelWriter) precision() string {
	if m.row.Precision == "" {
		return ""
	}
	return strings.ToUpper(m.row.Precision)
}

// serverCommand shows the arguments that the server was started with, as
// recorded.
func (m modelWriter) serverCommand() *render.Command {
	if len(m.row.Bundle.Server.Argv) == 0 {
		return nil
	}
	return &render.Command{
		ID:   "server-command",
		Kind: m.T("model.command.recorded"),
		Note: m.T("model.command.server"),
		Text: shell(m.row.Bundle.Server.Argv),
	}
}

// facts lists what the model is.
func (m modelWriter) facts() []render.Term {
	f := m.row.Family
	if f == nil {
		return nil
	}
	t := format.NewTerms(m.Printer)
	usual := usualSource(f)
	note := func(source string, status facts.Status, words facts.Words) string {
		if source == usual {
			source = ""
		}
		return sourceNote(m.Printer, source, status, words)
	}
	number := func(key string, n *facts.Number, write func(float64) string) {
		if n != nil {
			t.Add(key, render.Value{Text: write(n.Value), Note: note(n.Source, n.Status, n.Note)})
		}
	}
	text := func(key string, x *facts.Text, write func(string) string) {
		if x != nil {
			t.Add(key, render.Value{Text: write(x.Value), Note: note(x.Source, x.Status, x.Note)})
		}
	}
	same := func(s string) string { return s }
	integer := func(x float64) string { return m.Number(x, 0) }
	t.Text("model.facts.vendor", f.Vendor)
	number("model.facts.params", f.TotalParams, m.Params)
	number("model.facts.active", f.ActiveParams, m.Params)
	text("model.facts.architecture", f.Architecture, func(s string) string { return m.T("model.architecture." + s) })
	number("model.facts.layers", f.Layers, integer)
	for _, g := range f.LayerKinds {
		if g.KVHeads > 0 {
			t.Add("model.facts.kv_heads", render.Value{
				Text: m.T("model.facts.kv_heads_kind", "count", g.KVHeads, "kind", string(g.Kind)),
				Note: note(g.Source, g.Status, g.Note),
			})
		}
	}
	number("model.facts.context", f.Context, integer)
	text("model.facts.licence", f.Licence, same)
	text("model.facts.released", f.Released, func(s string) string { return format.Date(m.Printer, s) })
	t.Text("model.facts.note", f.Note[string(m.Lang())])
	if cp := m.row.Checkpoint; cp != nil {
		t.Text("model.facts.checkpoint_note", cp.Note[string(m.Lang())])
	}
	t.Add("model.facts.source", render.Value{Text: usual, URL: format.WebAddress(usual)})
	return t.List
}

// usualSource is the source of most facts about a model, named once for all of
// them; empty when no two share one.
func usualSource(f *facts.Model) string {
	count := map[string]int{}
	for _, n := range []*facts.Number{f.TotalParams, f.ActiveParams, f.Layers, f.Context} {
		if n != nil {
			count[n.Source]++
		}
	}
	for _, x := range []*facts.Text{f.Architecture, f.Licence, f.Released} {
		if x != nil {
			count[x.Source]++
		}
	}
	for _, g := range f.LayerKinds {
		if g.KVHeads > 0 {
			count[g.Source]++
		}
	}
	usual, most := "", 1
	for _, source := range sortedKeys(count) {
		if n := count[source]; n > most && source != "" {
			usual, most = source, n
		}
	}
	return usual
}

// sourceNote says where a fact comes from and what is doubtful about it.
func sourceNote(w *i18n.Printer, source string, status facts.Status, note facts.Words) string {
	var parts []string
	if status == facts.Inferred {
		parts = append(parts, w.T("model.facts.inferred"))
	}
	if source != "" {
		parts = append(parts, strings.TrimPrefix(source, "https://"))
	}
	out := strings.Join(parts, ", ")
	text := note[string(w.Lang())]
	if out == "" || text == "" {
		return out + text
	}
	return out + ". " + text
}

// provenance lists where the numbers come from.
func (m modelWriter) provenance() []render.Term {
	b := m.row.Bundle
	t := format.NewTerms(m.Printer)
	t.Text("model.provenance.measured", format.Measured(m.Printer, b))
	t.Add("model.provenance.bundle", render.Value{Text: m.row.ID, Code: true, URL: "/" + bundleFile(m.item, m.row)})
	if c := b.Contract; c != nil {
		t.Add("model.provenance.contract",
			render.Value{Text: c.Version, URL: m.methodURL(c.Version)},
			render.Value{Text: "SHA-256 " + c.SHA256, Code: true},
			m.revision(c.Revision, "content/contracts/"+c.Version+".toml"))
	} else {
		t.Text("model.provenance.contract", m.T("model.provenance.no_contract"))
	}
	t.Code("model.provenance.salt", b.Salt)
	if n, _ := m.recorded(); n > 0 {
		t.Text("model.provenance.figures", m.N("model.provenance.computed", n))
	}
	t.Add("model.provenance.engine",
		render.Value{Text: m.T("model.provenance.engine_text", "version", b.Engine.Version, "runner", b.Engine.Runner)},
		m.revision(b.Engine.Revision, ""))
	if s := b.Source; s != nil {
		title := s.Title
		if title == "" {
			title = s.URL
		}
		t.Add("model.provenance.source", render.Value{Text: title, URL: format.WebAddress(s.URL)},
			render.Value{Text: s.Path, Code: true}, render.Value{Text: s.Conversion, Lang: "en"})
		t.Code("model.provenance.source_revision", s.Revision)
		var tools []string
		for _, tool := range s.Tools {
			tools = append(tools, strings.TrimSpace(tool.Name+" "+tool.Version))
		}
		t.Text("model.provenance.tools", strings.Join(tools, ", "))
		if n := len(s.Files); n > 0 {
			t.Text("model.provenance.files", m.N("model.provenance.files_count", n))
		}
	}
	t.Text("model.provenance.licence", format.Licence(m.Printer, b.Licence))
	t.Text("model.provenance.credit", b.Credit)
	t.Notes("model.provenance.notes", b.Notes)
	return t.List
}

// methodURL is the address of a contract's page, empty for one that is not known.
func (m modelWriter) methodURL(version string) string {
	if _, ok := m.Content.Contract(version); !ok {
		return ""
	}
	return routeVersion(version).url(m.Lang())
}

// revision links a pinned revision of the repository.
func (m modelWriter) revision(rev, path string) render.Value {
	if rev == "" {
		return render.Value{}
	}
	return render.Value{
		Text: m.T("model.provenance.revision", "revision", rev[:min(12, len(rev))]),
		URL:  m.Content.Site.SourceURL(rev, path),
	}
}
