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
	if t.ClosedLoop != nil {
		w.closedParameters(p, t)
	} else {
		w.openParameters(p, t)
	}
	if w.contract.ColdCache {
		p.Text("method.parameter.cache", w.p.T("model.setup.off"))
	}
	p.Text("method.parameter.answers", w.answers(t))
	return p.List
}

// closedParameters adds the parameters of a closed loop.
func (w writer) closedParameters(p *format.Terms, t contract.Test) {
	l := t.ClosedLoop
	if t.Tool != contract.Native {
		p.Text("method.parameter.depth", w.integers(l.DepthTokens))
		p.Text("method.parameter.concurrency", w.integers(l.Concurrency))
		p.Text("method.parameter.runs", w.p.Integer(int64(l.Runs)))
		return
	}
	rounds := "method.parameter.rounds"
	if l.Turns > 1 {
		p.Text("method.parameter.turns", w.p.Integer(int64(l.Turns)))
		p.Text("method.parameter.question", w.p.Integer(int64(l.QuestionTokens)))
		rounds = "method.parameter.conversations"
	}
	p.Text("method.parameter.concurrency", w.integers(l.Concurrency))
	p.Text(rounds, w.p.Integer(int64(l.Rounds)))
	p.Text("method.parameter.repetitions", w.p.Integer(int64(l.Runs)))
	if l.WarmupTokens > 0 {
		p.Text("method.parameter.warmup", w.p.T("method.parameter.warmup_text", "tokens", l.WarmupTokens))
	}
	p.Text("method.parameter.dataset", w.texts(l.Texts))
}

// openParameters adds the parameters of an open loop.
func (w writer) openParameters(p *format.Terms, t contract.Test) {
	l := t.OpenLoop
	if len(l.Texts) > 0 {
		p.Add("method.parameter.dataset", render.Value{Text: w.p.T("dataset." + l.Dataset + ".name")}, render.Value{Text: w.texts(l.Texts)})
	} else {
		p.Text("method.parameter.dataset", w.p.T("dataset."+l.Dataset+".name"))
	}
	if l.RangeRatio > 0 {
		p.Text("method.parameter.range", w.p.T("method.parameter.range_text", "ratio", l.RangeRatio))
	}
	p.Text("method.parameter.rate", w.rates(l))
	p.Text("method.parameter.burstiness", format.ExactNumber(w.p, l.Burstiness))
	var n []int
	for _, r := range l.Rungs {
		n = append(n, r.Prompts)
	}
	p.Text("method.parameter.requests", w.integers(n))
	if l.MaxConcurrency > 0 {
		p.Text("method.parameter.cap", w.p.Integer(int64(l.MaxConcurrency)))
	}
	if l.WarmupTokens > 0 {
		p.Text("method.parameter.warmup", w.p.T("method.parameter.warmup_open", "tokens", l.WarmupTokens))
	}
	if l.StopP95TTFT > 0 {
		p.Text("method.parameter.stop", w.p.T("method.parameter.stop_text", "limit", format.ExactMilliseconds(w.p, float64(l.StopP95TTFT))))
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
