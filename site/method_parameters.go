package site

import (
	"slices"

	"example.org/arena/results/contract"
	"example.org/arena/site/format"
	"example.org/arena/site/render"
)

// parameters lists every parameter of a test.
func (m methodWriter) parameters(t contract.Test) []render.Term {
	p := format.NewTerms(m.Printer)
	prompt, output := m.lengths(t)
	p.Text("method.parameter.prompt", prompt)
	p.Text("method.parameter.output", output)
	if t.ClosedLoop != nil {
		m.closedParameters(p, t)
	} else {
		m.openParameters(p, t)
	}
	if m.contract.ColdCache {
		p.Text("method.parameter.cache", m.T("model.setup.off"))
	}
	p.Text("method.parameter.answers", m.answers(t))
	return p.List
}

func (m methodWriter) closedParameters(p *format.Terms, t contract.Test) {
	l := t.ClosedLoop
	if t.Tool != contract.Native {
		p.Text("method.parameter.depth", m.integers(l.DepthTokens))
		p.Text("method.parameter.concurrency", m.integers(l.Concurrency))
		p.Text("method.parameter.runs", m.Integer(int64(l.Runs)))
		return
	}
	rounds := "method.parameter.rounds"
	if l.Turns > 1 {
		p.Text("method.parameter.turns", m.Integer(int64(l.Turns)))
		p.Text("method.parameter.question", m.Integer(int64(l.QuestionTokens)))
		rounds = "method.parameter.conversations"
	}
	p.Text("method.parameter.concurrency", m.integers(l.Concurrency))
	p.Text(rounds, m.Integer(int64(l.Rounds)))
	p.Text("method.parameter.repetitions", m.Integer(int64(l.Runs)))
	if l.WarmupTokens > 0 {
		p.Text("method.parameter.warmup", m.T("method.parameter.warmup_text", "tokens", l.WarmupTokens))
	}
	p.Text("method.parameter.dataset", m.texts(l.Texts))
}

func (m methodWriter) openParameters(p *format.Terms, t contract.Test) {
	l := t.OpenLoop
	if len(l.Texts) > 0 {
		p.Add("method.parameter.dataset", render.Value{Text: m.T("dataset." + l.Dataset + ".name")}, render.Value{Text: m.texts(l.Texts)})
	} else {
		p.Text("method.parameter.dataset", m.T("dataset."+l.Dataset+".name"))
	}
	if l.RangeRatio > 0 {
		p.Text("method.parameter.range", m.T("method.parameter.range_text", "ratio", l.RangeRatio))
	}
	p.Text("method.parameter.rate", m.rates(l))
	p.Text("method.parameter.burstiness", format.ExactNumber(m.Printer, l.Burstiness))
	var n []int
	for _, r := range l.Rungs {
		n = append(n, r.Prompts)
	}
	p.Text("method.parameter.requests", m.integers(n))
	if l.MaxConcurrency > 0 {
		p.Text("method.parameter.cap", m.Integer(int64(l.MaxConcurrency)))
	}
	if l.WarmupTokens > 0 {
		p.Text("method.parameter.warmup", m.T("method.parameter.warmup_open", "tokens", l.WarmupTokens))
	}
	if l.StopP95TTFT > 0 {
		p.Text("method.parameter.stop", m.T("method.parameter.stop_text", "limit", format.ExactMilliseconds(m.Printer, float64(l.StopP95TTFT))))
	}
}

// texts names the texts that prompts are taken from.
func (m methodWriter) texts(names []string) string {
	var out []string
	for _, name := range names {
		out = append(out, m.T("method.text."+name))
	}
	return m.List(out...)
}

// lastPrompt is the length of a conversation's last prompt: everything said before
// it and one more question. It is that of the only prompt without conversations.
func lastPrompt(l *contract.ClosedLoop) int {
	if len(l.PromptTokens) == 0 || len(l.OutputTokens) == 0 {
		return 0
	}
	return slices.Max(l.PromptTokens) + max(l.Turns-1, 0)*(slices.Max(l.OutputTokens)+l.QuestionTokens)
}
