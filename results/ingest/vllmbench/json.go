package vllmbench

import (
	"math"
	"strconv"
	"time"

	"example.org/arena/results/bundle"
	"example.org/arena/results/ingest/scan"
)

// parseDocuments reads JSON documents that follow each other, or stand in
// one array.
func parseDocuments(data []byte, f *scan.Faults) []Result {
	var out []Result
	for _, o := range scan.Objects(data, f) {
		if r, ok := parseDocument(o, f); ok {
			out = append(out, r)
		}
	}
	if len(out) == 0 && len(f.List) == 0 {
		f.Add(0, "", "", "holds no result: the list is empty")
	}
	return out
}

// parseDocument reads one result. It reports false after a fault.
func parseDocument(o scan.Object, f *scan.Faults) (Result, bool) {
	before := len(f.List)
	b := NewBuilder(f, o.Line)
	for _, m := range o.Members {
		b.member(m)
	}
	if len(f.List) > before {
		return Result{}, false
	}
	if b.statistic == 0 {
		if cell, ok := failedAttempt(o); ok {
			b.res.Cell, b.res.Tool = cell, bundle.Tool{}
			return b.res, true
		}
	}
	if b.known < 2 || b.statistic == 0 && b.res.Cell.Requests == nil {
		refuseShape(o, f)
		return Result{}, false
	}
	b.acceptance(b.line, "spec_decode_acceptance_rate", 1e-9)
	b.detailedLists(o)
	b.tool(o)
	res := b.finish()
	return res, len(f.List) == before
}

// member takes in one key of a result.
func (b *Builder) member(m scan.Member) {
	if groups := statKey.FindStringSubmatch(m.Key); groups != nil {
		if v, ok := b.Number(m); ok {
			b.stat(m.Line, m.Key, groups[1], groups[2], v)
		}
		return
	}
	if key, ok := values[m.Key]; ok {
		b.known++
		if v, ok := b.Number(m); ok {
			b.statistic++
			b.set(m.Line, m.Key, &b.figure(key, m.Key).Value, v)
		}
		return
	}
	if take, ok := members[m.Key]; ok {
		b.known++
		take(b, m)
		return
	}
	b.unknown(m)
}

// members are the keys that are neither a figure nor a statistic.
var members = map[string]func(*Builder, scan.Member){
	"date":          func(b *Builder, m scan.Member) { b.date(m) },
	"backend":       func(b *Builder, m scan.Member) { b.Text(m, &b.res.Backend) },
	"endpoint_type": func(b *Builder, m scan.Member) { b.Text(m, &b.res.Backend) },
	"model_id":      func(b *Builder, m scan.Member) { b.Text(m, &b.res.Model) },
	"tokenizer_id":  func(b *Builder, m scan.Member) { b.Text(m, &b.res.Tokenizer) },
	"num_prompts":   func(b *Builder, m scan.Member) { count(b, m, &b.requests().Planned) },
	"completed":     func(b *Builder, m scan.Member) { count(b, m, &b.requests().Completed) },
	"failed":        func(b *Builder, m scan.Member) { count(b, m, &b.requests().Failed) },
	"request_rate":  func(b *Builder, m scan.Member) { b.rate(m, &b.res.Cell.RequestRate) },
	"burstiness":    func(b *Builder, m scan.Member) { b.rate(m, &b.res.Cell.Burstiness) },
	"accept_length": func(b *Builder, m scan.Member) { b.acceptLength(m) }, // SGLang
	"label":         func(b *Builder, m scan.Member) { b.free(m) },
	"tag":           func(b *Builder, m scan.Member) { b.free(m) },
	"best_of":       func(b *Builder, m scan.Member) { b.keepUnless(m, 1) },
	"rtfx":          func(b *Builder, m scan.Member) { b.keepUnless(m, 0) }, // audio only
	"max_model_len": func(b *Builder, m scan.Member) { b.unknown(m) },
	"dataset_name":  func(b *Builder, m scan.Member) { b.free(m) },
	"max_concurrency": func(b *Builder, m scan.Member) {
		b.natural(m, &b.res.Cell.MaxConcurrency)
	},
	"random_input_len":   func(b *Builder, m scan.Member) { b.natural(m, &b.res.Cell.PromptTokens) },
	"random_output_len":  func(b *Builder, m scan.Member) { b.natural(m, &b.res.Cell.OutputTokens) },
	"total_input_tokens": func(b *Builder, m scan.Member) { count(b, m, &b.tokens().Input) },
	"total_output_tokens": func(b *Builder, m scan.Member) {
		count(b, m, &b.tokens().Output)
	},
	"spec_decode_num_drafts": func(b *Builder, m scan.Member) { b.whole(m, &b.draft().Drafts) },
	"spec_decode_draft_tokens": func(b *Builder, m scan.Member) {
		b.whole(m, &b.draft().DraftTokens)
	},
	"spec_decode_accepted_tokens": func(b *Builder, m scan.Member) {
		b.whole(m, &b.draft().AcceptedTokens)
	},
	"spec_decode_acceptance_length": func(b *Builder, m scan.Member) { b.acceptLength(m) },
	"spec_decode_acceptance_rate":   func(b *Builder, m scan.Member) { b.percentage(m) },
	"spec_decode_per_position_acceptance_rates": func(b *Builder, m scan.Member) {
		b.positions(m)
	},
}

// Number reads a finite number. A null is missing; what is not finite is
// missing too, and a note will say so.
func (b *Builder) Number(m scan.Member) (float64, bool) {
	switch m.Value.Kind() {
	case 'n':
		return 0, false
	case '0':
		v, err := strconv.ParseFloat(string(m.Value), 64)
		if err == nil && !math.IsInf(v, 0) {
			return v, true
		}
		b.infinite = append(b.infinite, scan.Printable(m.Key))
		return 0, false
	case '"':
		if _, ok := scan.NotFinite(scan.Unquote(m.Value)); ok {
			b.infinite = append(b.infinite, scan.Printable(m.Key))
			return 0, false
		}
	default:
	}
	b.f.Add(m.Line, scan.Printable(m.Key), "", "want a number, found %s", scan.Shown(m.Value))
	return 0, false
}

// integer reads a count that is not negative.
func (b *Builder) integer(m scan.Member) (int64, bool) {
	v, ok := b.Number(m)
	if !ok {
		return 0, false
	}
	if v < 0 || v != math.Trunc(v) || v > 1<<53 {
		b.f.Add(m.Line, scan.Printable(m.Key), "", "want a count, found %s", scan.Shown(m.Value))
		return 0, false
	}
	return int64(v), true
}

// count reads a count into an optional field.
func count[T int | int64](b *Builder, m scan.Member, at **T) {
	if v, ok := b.integer(m); ok {
		setCount(b, m.Line, m.Key, at, v)
	}
}

// natural reads a count into a field whose zero means "does not apply".
func (b *Builder) natural(m scan.Member, at *int) {
	if v, ok := b.integer(m); ok {
		*at = int(v)
	}
}

// whole is natural for the wider counts of speculation.
func (b *Builder) whole(m scan.Member, at *int64) {
	if v, ok := b.integer(m); ok {
		*at = v
	}
}

// Text reads a string; two keys that name the same thing must agree.
func (b *Builder) Text(m scan.Member, at *string) {
	switch m.Value.Kind() {
	case 'n':
	case '"':
		text := scan.Unquote(m.Value)
		if *at != "" && text != *at {
			b.f.Add(m.Line, m.Key, "", "is given twice: %q and %q", *at, text)
			return
		}
		*at = text
	default:
		b.f.Add(m.Line, m.Key, "", "want a text, found %s", scan.Shown(m.Value))
	}
}

// date checks the form of the end of the run.
func (b *Builder) date(m scan.Member) {
	b.Text(m, &b.res.Date)
	if r := b.res; r.Date != "" {
		if _, ok := r.Ended(time.UTC); !ok {
			b.f.Add(m.Line, m.Key, "", "want YYYYMMDD-HHMMSS, found %q", r.Date)
		}
	}
}

// rate reads a rate, which may be "inf". A trace has no rate.
func (b *Builder) rate(m scan.Member, at **bundle.Rate) {
	if m.Value.Kind() == '"' {
		text := scan.Unquote(m.Value)
		if text == "trace" {
			b.res.Cell.Notes = append(b.res.Cell.Notes, bundle.NewNote(bundle.NoteRateFromTrace))
			return
		}
		if v, ok := scan.NotFinite(text); ok && math.IsInf(v, 1) {
			*at = new(bundle.Rate(v))
			return
		}
	}
	v, ok := b.Number(m)
	switch {
	case !ok:
	case v <= 0:
		b.f.Add(m.Line, m.Key, "", "want a rate above zero, found %v", v)
	default:
		*at = new(bundle.Rate(v))
	}
}

// free notes a short text that the user of the tool may have chosen freely: its
// presence is recorded, not its words.
func (b *Builder) free(m scan.Member) {
	if m.Value.Kind() != 'n' {
		b.unknown(m)
	}
}

// keepUnless notes a number that says something only when it differs from what
// the tool writes by default.
func (b *Builder) keepUnless(m scan.Member, usual float64) {
	if v, ok := b.Number(m); ok && v != usual {
		b.keepNumber(m.Key, v)
	}
}

// unknown notes a key that has no place in a cell.
func (b *Builder) unknown(m scan.Member) {
	switch m.Value.Kind() {
	case 'n':
	case '0':
		if v, ok := b.Number(m); ok {
			b.keepNumber(m.Key, v)
		}
	case '[':
		if _, ok := detailedKeys[m.Key]; !ok {
			b.unread = append(b.unread, scan.Printable(m.Key))
		}
	default:
		b.unread = append(b.unread, scan.Printable(m.Key))
	}
}

// acceptLength reads the mean number of tokens per step.
func (b *Builder) acceptLength(m scan.Member) {
	if v, ok := b.Number(m); ok {
		b.acceptedTokens(m.Line, m.Key, v)
	}
}

// acceptedTokens stores the mean number of tokens per step. Below one it is no
// such mean, and only noted.
func (b *Builder) acceptedTokens(line int, key string, v float64) {
	if v < 1 {
		b.keepNumber(key, v)
		return
	}
	b.set(line, key, &b.draft().AcceptanceLength, v)
}

// percentage keeps a percentage for ratios, as text.
func (b *Builder) percentage(m scan.Member) {
	if _, ok := b.Number(m); ok {
		b.percent["acceptance"] = string(m.Value)
	}
}

// positions reads the share of drafts accepted at each position, in [0,1].
func (b *Builder) positions(m scan.Member) {
	var list []float64
	for _, v := range scan.Elements(m.Value) {
		f, ok := b.Number(scan.Member{Key: m.Key, Value: v, Line: m.Line})
		if !ok || f < 0 || f > 1 {
			b.f.Add(m.Line, m.Key, "", "want a list of ratios between 0 and 1, found %s", scan.Shown(m.Value))
			return
		}
		list = append(list, f)
	}
	b.draft().PerPosition = list
}

// acceptance turns the acceptance rate, a percentage, into a ratio: exactly from
// the counts where they are given, else from the decimal digits. The tolerance
// is how far the two may lie apart, as a ratio.
func (b *Builder) acceptance(line int, key string, tolerance float64) {
	text := b.percent["acceptance"]
	if text == "" {
		return
	}
	ratio, err := percentRatio(text)
	if err != nil || ratio < 0 || ratio > 1 {
		b.f.Add(line, key, "", "want a percentage, found %s", text)
		return
	}
	d := b.draft()
	if d.DraftTokens > 0 && d.AcceptedTokens > 0 {
		exact := float64(d.AcceptedTokens) / float64(d.DraftTokens)
		if math.Abs(exact-ratio) > tolerance {
			b.f.Add(line, key, "", "is %s %%, but %d of %d draft tokens were accepted: %.4g %%", text, d.AcceptedTokens, d.DraftTokens, 100*exact)
			return
		}
		ratio = exact
	}
	d.AcceptanceRatio = &ratio
}
