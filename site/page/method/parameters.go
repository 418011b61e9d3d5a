package method

import (
	"example.org/arena/results/contract"
	"example.org/arena/site/format"
	"example.org/arena/site/render"
)

// parameters lists every parameter of a test.
func (w writer) parameters(t contract.Test) []render.Term {
	p := format.NewTerms(w.p)
	prompt, output := w.lengths(t)
	p.Text("method.parameter.prompt", prompt)
	p.Text("method.parameter.output", output)
	switch k := t.Kind.(type) {
	case contract.Batches:
		p.Text("method.parameter.depth", w.integers(k.DepthTokens))
		p.Text("method.parameter.concurrency", w.integers(k.Concurrency))
		p.Text("method.parameter.runs", w.p.Integer(int64(k.Runs)))
	case contract.Refill:
		w.slotParameters(p, k.Slots, "method.parameter.rounds")
	case contract.Conversations:
		p.Text("method.parameter.turns", w.p.Integer(int64(k.Turns)))
		p.Text("method.parameter.question", w.p.Integer(int64(k.QuestionTokens)))
		w.slotParameters(p, k.Slots, "method.parameter.conversations")
	case contract.VLLMServe:
		p.Text("method.parameter.dataset", w.p.T("dataset."+k.Dataset+".name"))
		w.arrivalParameters(p, k.Arrivals)
	case contract.OpenLoop:
		w.openParameters(p, k)
	}
	if w.contract.ColdCache {
		p.Text("method.parameter.cache", w.p.T("model.setup.off"))
	}
	p.Text("method.parameter.answers", w.answers(t))
	return p.List
}

// slotParameters adds the parameters of a closed loop of our own.
func (w writer) slotParameters(p *format.Terms, s contract.Slots, rounds string) {
	p.Text("method.parameter.concurrency", w.integers(s.Concurrency))
	p.Text(rounds, w.p.Integer(int64(s.Rounds)))
	p.Text("method.parameter.repetitions", w.p.Integer(int64(s.Repetitions)))
	if s.WarmupTokens > 0 {
		p.Text("method.parameter.warmup", w.p.T("method.parameter.warmup_text", "tokens", s.WarmupTokens))
	}
	p.Text("method.parameter.dataset", w.texts(s.Texts))
}

// openParameters adds the parameters of an open loop of our own.
func (w writer) openParameters(p *format.Terms, k contract.OpenLoop) {
	dataset := w.p.T("dataset." + k.Dataset + ".name")
	if len(k.Texts) > 0 {
		p.Add("method.parameter.dataset", render.Value{Text: dataset}, render.Value{Text: w.texts(k.Texts)})
	} else {
		p.Text("method.parameter.dataset", dataset)
	}
	w.arrivalParameters(p, k.Arrivals)
	if k.WarmupTokens > 0 {
		p.Text("method.parameter.warmup", w.p.T("method.parameter.warmup_open", "tokens", k.WarmupTokens))
	}
	if k.StopP95TTFT > 0 {
		p.Text("method.parameter.stop", w.p.T("method.parameter.stop_text", "limit", format.ExactMilliseconds(w.p, float64(k.StopP95TTFT))))
	}
}

// arrivalParameters adds what all open loops have.
func (w writer) arrivalParameters(p *format.Terms, a contract.Arrivals) {
	if a.RangeRatio > 0 {
		p.Text("method.parameter.range", w.p.T("method.parameter.range_text", "ratio", a.RangeRatio))
	}
	p.Text("method.parameter.rate", w.rates(a))
	p.Text("method.parameter.burstiness", format.ExactNumber(w.p, a.Burstiness))
	var n []int
	for _, r := range a.Rungs {
		n = append(n, r.Prompts)
	}
	p.Text("method.parameter.requests", w.integers(n))
	if a.MaxConcurrency > 0 {
		p.Text("method.parameter.cap", w.p.Integer(int64(a.MaxConcurrency)))
	}
}

// texts names the texts that prompts are taken from.
func (w writer) texts(names []string) string {
	var out []string
	for _, name := range names {
		out = append(out, w.p.T("method.text."+name))
	}
	return w.p.List(out...)
}
