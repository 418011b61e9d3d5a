package model

import (
	"strings"

	"example.org/arena/results/bundle"
	"example.org/arena/site/format"
	"example.org/arena/site/render"
)

// setup lists how the model was served, and on what.
func (w writer) setup() []render.Term {
	b := w.run.Bundle
	t := format.NewTerms(w.p)
	t.Add("model.setup.model", render.Value{Text: b.Model.ID, URL: format.HuggingFace(b.Model.ID)})
	t.Code("model.setup.revision", b.Model.Revision)
	t.Text("model.setup.precision", format.Precision(w.conf.Row.Precision))
	if d := b.Draft; d != nil {
		t.Add("model.setup.speculation",
			render.Value{Text: w.p.T("model.setup.speculation_method", "method", d.Method)},
			render.Value{Text: d.Model, URL: format.HuggingFace(d.Model)})
		if d.TokensPerStep > 0 {
			t.Text("model.setup.draft_tokens", w.p.Integer(int64(d.TokensPerStep)))
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
		t.Add("model.setup.prefix_caching", render.Value{Text: w.p.T(key)}, render.Value{Text: b.Server.PrefixCachingVerified, Lang: "en"})
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
	t.Text("model.setup.platform", w.site.PlatformName(b.Platform))
	t.Text("model.setup.hardware", b.Host.Description)
	if b.Kind != bundle.Import {
		w.machine(t, b.Host)
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

// machine adds what Arena itself found out about the machine. Sources of imports
// describe theirs in their own words.
func (w writer) machine(t *format.Terms, h bundle.Host) {
	if h.GPU != "" && h.GPUs > 1 {
		t.Text("model.setup.gpu", w.p.T("model.setup.gpus", "count", h.GPUs, "name", h.GPU))
	} else {
		t.Text("model.setup.gpu", h.GPU)
	}
	if h.MemoryBytes > 0 {
		t.Text("model.setup.memory", w.p.Bytes(float64(h.MemoryBytes)))
	}
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
