package ingest

import (
	"math"
	"strconv"
	"strings"
	"time"

	"example.org/arena/results/bundle"
)

// parseVLLMDocuments reads JSON documents that follow each other, or stand in
// one array.
func parseVLLMDocuments(data []byte, f *faultList) []VLLMResult {
	var out []VLLMResult
	for _, o := range readObjects(data, f) {
		if r, ok := vllmDocument(o, f); ok {
			out = append(out, r)
		}
	}
	if len(out) == 0 && len(f.list) == 0 {
		f.add(0, "", "", "holds no result: the list is empty")
	}
	return out
}

// vllmDocument reads one result. It reports false after a fault.
func vllmDocument(o jsonObject, f *faultList) (VLLMResult, bool) {
	before := len(f.list)
	b := newVLLMBuilder(f, o.line)
	for _, m := range o.members {
		b.member(m)
	}
	if len(f.list) > before {
		return VLLMResult{}, false
	}
	if b.statistic == 0 {
		if cell, ok := failedAttempt(o); ok {
			b.res.Cell, b.res.Tool = cell, bundle.Tool{}
			return b.res, true
		}
	}
	if b.known < 2 || b.statistic == 0 && b.res.Cell.Requests == nil {
		refuseShape(o, f)
		return VLLMResult{}, false
	}
	b.acceptance(b.line, "spec_decode_acceptance_rate", 1e-9)
	b.detailedLists(o)
	b.tool(o)
	res := b.finish()
	return res, len(f.list) == before
}

// member takes in one key of a result.
func (b *vllmBuilder) member(m jsonMember) {
	if groups := statKey.FindStringSubmatch(m.key); groups != nil {
		if v, ok := b.number(m); ok {
			b.stat(m.line, m.key, groups[1], groups[2], v)
		}
		return
	}
	if key, ok := vllmValues[m.key]; ok {
		b.known++
		if v, ok := b.number(m); ok {
			b.statistic++
			b.set(m.line, m.key, &b.figure(key, m.key).Value, v)
		}
		return
	}
	if take, ok := vllmMembers[m.key]; ok {
		b.known++
		take(b, m)
		return
	}
	b.unknown(m)
}

// vllmMembers are the keys that are neither a figure nor a statistic.
var vllmMembers = map[string]func(*vllmBuilder, jsonMember){
	"date":          func(b *vllmBuilder, m jsonMember) { b.date(m) },
	"backend":       func(b *vllmBuilder, m jsonMember) { b.text(m, &b.res.Backend) },
	"endpoint_type": func(b *vllmBuilder, m jsonMember) { b.text(m, &b.res.Backend) },
	"model_id":      func(b *vllmBuilder, m jsonMember) { b.text(m, &b.res.Model) },
	"tokenizer_id":  func(b *vllmBuilder, m jsonMember) { b.text(m, &b.res.Tokenizer) },
	"num_prompts":   func(b *vllmBuilder, m jsonMember) { count(b, m, &b.requests().Planned) },
	"completed":     func(b *vllmBuilder, m jsonMember) { count(b, m, &b.requests().Completed) },
	"failed":        func(b *vllmBuilder, m jsonMember) { count(b, m, &b.requests().Failed) },
	"request_rate":  func(b *vllmBuilder, m jsonMember) { b.rate(m, &b.res.Cell.RequestRate) },
	"burstiness":    func(b *vllmBuilder, m jsonMember) { b.rate(m, &b.res.Cell.Burstiness) },
	"accept_length": func(b *vllmBuilder, m jsonMember) { b.acceptLength(m) }, // SGLang
	"label":         func(b *vllmBuilder, m jsonMember) { b.free(m) },
	"tag":           func(b *vllmBuilder, m jsonMember) { b.free(m) },
	"best_of":       func(b *vllmBuilder, m jsonMember) { b.keepUnless(m, 1) },
	"rtfx":          func(b *vllmBuilder, m jsonMember) { b.keepUnless(m, 0) }, // audio only
	"max_model_len": func(b *vllmBuilder, m jsonMember) { b.unknown(m) },
	"dataset_name":  func(b *vllmBuilder, m jsonMember) { b.free(m) },
	"max_concurrency": func(b *vllmBuilder, m jsonMember) {
		b.natural(m, &b.res.Cell.MaxConcurrency)
	},
	"random_input_len":   func(b *vllmBuilder, m jsonMember) { b.natural(m, &b.res.Cell.PromptTokens) },
	"random_output_len":  func(b *vllmBuilder, m jsonMember) { b.natural(m, &b.res.Cell.OutputTokens) },
	"total_input_tokens": func(b *vllmBuilder, m jsonMember) { count(b, m, &b.tokens().Input) },
	"total_output_tokens": func(b *vllmBuilder, m jsonMember) {
		count(b, m, &b.tokens().Output)
	},
	"spec_decode_num_drafts": func(b *vllmBuilder, m jsonMember) { b.whole(m, &b.draft().Drafts) },
	"spec_decode_draft_tokens": func(b *vllmBuilder, m jsonMember) {
		b.whole(m, &b.draft().DraftTokens)
	},
	"spec_decode_accepted_tokens": func(b *vllmBuilder, m jsonMember) {
		b.whole(m, &b.draft().AcceptedTokens)
	},
	"spec_decode_acceptance_length": func(b *vllmBuilder, m jsonMember) { b.acceptLength(m) },
	"spec_decode_acceptance_rate":   func(b *vllmBuilder, m jsonMember) { b.percentage(m) },
	"spec_decode_per_position_acceptance_rates": func(b *vllmBuilder, m jsonMember) {
		b.positions(m)
	},
}

// number reads a finite number. A null is missing; what is not finite is
// missing too, and a note will say so.
func (b *vllmBuilder) number(m jsonMember) (float64, bool) {
	switch m.value.Kind() {
	case 'n':
		return 0, false
	case '0':
		v, err := strconv.ParseFloat(string(m.value), 64)
		if err == nil && !math.IsInf(v, 0) {
			return v, true
		}
		b.infinite = append(b.infinite, printable(m.key))
		return 0, false
	case '"':
		if _, ok := notFinite(unquote(m.value)); ok {
			b.infinite = append(b.infinite, printable(m.key))
			return 0, false
		}
	}
	b.f.add(m.line, printable(m.key), "", "want a number, found %s", shown(m.value))
	return 0, false
}

// notFinite reads the words for numbers that are not finite, as Python and the
// tools write them.
func notFinite(text string) (float64, bool) {
	switch strings.ToLower(text) {
	case "nan":
		return math.NaN(), true
	case "inf", "infinity", "+inf":
		return math.Inf(1), true
	case "-inf", "-infinity":
		return math.Inf(-1), true
	}
	return 0, false
}

// integer reads a count that is not negative.
func (b *vllmBuilder) integer(m jsonMember) (int64, bool) {
	v, ok := b.number(m)
	if !ok {
		return 0, false
	}
	if v < 0 || v != math.Trunc(v) || v > 1<<53 {
		b.f.add(m.line, printable(m.key), "", "want a count, found %s", shown(m.value))
		return 0, false
	}
	return int64(v), true
}

// count reads a count into an optional field.
func count[T int | int64](b *vllmBuilder, m jsonMember, at **T) {
	if v, ok := b.integer(m); ok {
		setCount(b, m.line, m.key, at, v)
	}
}

// natural reads a count into a field whose zero means "does not apply".
func (b *vllmBuilder) natural(m jsonMember, at *int) {
	if v, ok := b.integer(m); ok {
		*at = int(v)
	}
}

// whole is natural for the wider counts of speculation.
func (b *vllmBuilder) whole(m jsonMember, at *int64) {
	if v, ok := b.integer(m); ok {
		*at = v
	}
}

// text reads a string; two keys that name the same thing must agree.
func (b *vllmBuilder) text(m jsonMember, at *string) {
	switch m.value.Kind() {
	case 'n':
	case '"':
		text := unquote(m.value)
		if *at != "" && text != *at {
			b.f.add(m.line, m.key, "", "is given twice: %q and %q", *at, text)
			return
		}
		*at = text
	default:
		b.f.add(m.line, m.key, "", "want a text, found %s", shown(m.value))
	}
}

// date checks the form of the end of the run.
func (b *vllmBuilder) date(m jsonMember) {
	b.text(m, &b.res.Date)
	if r := b.res; r.Date != "" {
		if _, ok := r.Ended(time.UTC); !ok {
			b.f.add(m.line, m.key, "", "want YYYYMMDD-HHMMSS, found %q", r.Date)
		}
	}
}

// rate reads a rate, which may be "inf". A trace has no rate.
func (b *vllmBuilder) rate(m jsonMember, at **bundle.Rate) {
	if m.value.Kind() == '"' {
		text := unquote(m.value)
		if text == "trace" {
			b.res.Cell.Notes = append(b.res.Cell.Notes, note(bundle.NoteRateFromTrace))
			return
		}
		if v, ok := notFinite(text); ok && math.IsInf(v, 1) {
			*at = new(bundle.Rate(v))
			return
		}
	}
	v, ok := b.number(m)
	switch {
	case !ok:
	case v <= 0:
		b.f.add(m.line, m.key, "", "want a rate above zero, found %v", v)
	default:
		*at = new(bundle.Rate(v))
	}
}

// free notes a short text that the user of the tool may have chosen freely: its
// presence is recorded, not its words.
func (b *vllmBuilder) free(m jsonMember) {
	if m.value.Kind() != 'n' {
		b.unknown(m)
	}
}

// keepUnless notes a number that says something only when it differs from what
// the tool writes by default.
func (b *vllmBuilder) keepUnless(m jsonMember, usual float64) {
	if v, ok := b.number(m); ok && v != usual {
		b.keepNumber(m.key, v)
	}
}

// unknown notes a key that has no place in a cell.
func (b *vllmBuilder) unknown(m jsonMember) {
	switch m.value.Kind() {
	case 'n':
	case '0':
		if v, ok := b.number(m); ok {
			b.keepNumber(m.key, v)
		}
	case '[':
		if _, ok := detailedKeys[m.key]; !ok {
			b.unread = append(b.unread, printable(m.key))
		}
	default:
		b.unread = append(b.unread, printable(m.key))
	}
}

// acceptLength reads the mean number of tokens per step.
func (b *vllmBuilder) acceptLength(m jsonMember) {
	if v, ok := b.number(m); ok {
		b.acceptedTokens(m.line, m.key, v)
	}
}

// acceptedTokens stores the mean number of tokens per step. Below one it is no
// such mean, and only noted.
func (b *vllmBuilder) acceptedTokens(line int, key string, v float64) {
	if v < 1 {
		b.keepNumber(key, v)
		return
	}
	b.set(line, key, &b.draft().AcceptanceLength, v)
}

// percentage keeps a percentage for ratios, as text.
func (b *vllmBuilder) percentage(m jsonMember) {
	if _, ok := b.number(m); ok {
		b.percent["acceptance"] = string(m.value)
	}
}

// positions reads the share of drafts accepted at each position, in [0,1].
func (b *vllmBuilder) positions(m jsonMember) {
	var list []float64
	for _, v := range elements(m.value) {
		f, ok := b.number(jsonMember{m.key, v, m.line})
		if !ok || f < 0 || f > 1 {
			b.f.add(m.line, m.key, "", "want a list of ratios between 0 and 1, found %s", shown(m.value))
			return
		}
		list = append(list, f)
	}
	b.draft().PerPosition = list
}

// acceptance turns the acceptance rate, a percentage, into a ratio: exactly from
// the counts where they are given, else from the decimal digits. The tolerance
// is how far the two may lie apart, as a ratio.
func (b *vllmBuilder) acceptance(line int, key string, tolerance float64) {
	text := b.percent["acceptance"]
	if text == "" {
		return
	}
	ratio, err := percentRatio(text)
	if err != nil || ratio < 0 || ratio > 1 {
		b.f.add(line, key, "", "want a percentage, found %s", text)
		return
	}
	d := b.draft()
	if d.DraftTokens > 0 && d.AcceptedTokens > 0 {
		exact := float64(d.AcceptedTokens) / float64(d.DraftTokens)
		if abs(exact-ratio) > tolerance {
			b.f.add(line, key, "", "is %s %%, but %d of %d draft tokens were accepted: %.4g %%", text, d.AcceptedTokens, d.DraftTokens, 100*exact)
			return
		}
		ratio = exact
	}
	d.AcceptanceRatio = &ratio
}
