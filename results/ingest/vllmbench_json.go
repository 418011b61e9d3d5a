package ingest

import (
	"bytes"
	"errors"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"example.org/arena/results/bundle"
	"example.org/arena/results/metric"
)

// A jsonMember is one key of a JSON object, with its value as written.
type jsonMember struct {
	key   string
	value jsontext.Value
	line  int
}

// A jsonObject is a JSON object whose members know their lines.
type jsonObject struct {
	line    int
	members []jsonMember
}

// find returns the value of a key, or nil.
func (o jsonObject) find(key string) jsontext.Value {
	for _, m := range o.members {
		if m.key == key {
			return m.value
		}
	}
	return nil
}

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

// readObjects reads every JSON object of a file, top level or in one array.
func readObjects(data []byte, f *faultList) []jsonObject {
	text, ok := decodeText(data, f)
	if !ok {
		return nil
	}
	data = quoteBareNumbers([]byte(text))
	lines := lineIndex(data)
	dec := jsontext.NewDecoder(bytes.NewReader(data), jsontext.AllowInvalidUTF8(true))
	var out []jsonObject
	inArray := false
	for {
		kind := dec.PeekKind()
		line := lines.at(afterSpace(data, dec.InputOffset()))
		switch {
		case kind == '{':
			o, err := readObject(dec, data, lines)
			if err != nil {
				f.add(lineOfError(err, lines), "", "", "%s", jsonMessage(err))
				return out
			}
			out = append(out, o)
			continue
		case kind == '[' && !inArray:
			inArray = true
		case kind == ']' && inArray:
			inArray = false
		default:
			if _, err := dec.ReadToken(); err != nil {
				if !errors.Is(err, io.EOF) || inArray {
					f.add(lineOfError(err, lines), "", "", "%s", jsonMessage(err))
				}
				return out
			}
			f.add(line, "", "", "want a JSON object, found %s", kindName(kind))
			return out
		}
		if _, err := dec.ReadToken(); err != nil {
			f.add(lineOfError(err, lines), "", "", "%s", jsonMessage(err))
			return out
		}
	}
}

// readObject reads one object; the decoder stands before its brace.
func readObject(dec *jsontext.Decoder, data []byte, lines lineOffsets) (jsonObject, error) {
	o := jsonObject{line: lines.at(afterSpace(data, dec.InputOffset()))}
	if _, err := dec.ReadToken(); err != nil {
		return o, err
	}
	for dec.PeekKind() == '"' {
		line := lines.at(afterSpace(data, dec.InputOffset()))
		name, err := dec.ReadToken()
		if err != nil {
			return o, err
		}
		key := name.String()
		value, err := dec.ReadValue()
		if err != nil {
			return o, err
		}
		o.members = append(o.members, jsonMember{key, value.Clone(), line})
	}
	_, err := dec.ReadToken() // the closing brace, or what stands in its place
	return o, err
}

// quoteBareNumbers puts NaN, Infinity and -Infinity between quotes: Python
// writes them bare, and bare they are no JSON. Lines keep their numbers.
func quoteBareNumbers(data []byte) []byte {
	if !bytes.Contains(data, []byte("NaN")) && !bytes.Contains(data, []byte("Infinity")) {
		return data
	}
	out := make([]byte, 0, len(data)+64)
	inString := false
	for i := 0; i < len(data); {
		c := data[i]
		if inString {
			out = append(out, c)
			i++
			if c == '\\' && i < len(data) {
				out = append(out, data[i])
				i++
			}
			inString = c != '"'
			continue
		}
		if word := bareNumber(data[i:]); word != "" {
			out = append(append(append(out, '"'), word...), '"')
			i += len(word)
			continue
		}
		inString = c == '"'
		out = append(out, c)
		i++
	}
	return out
}

// bareNumber returns the word with which data begins, if it is one of Python's
// numbers that are not finite.
func bareNumber(data []byte) string {
	for _, word := range []string{"NaN", "Infinity", "-Infinity"} {
		if bytes.HasPrefix(data, []byte(word)) {
			return word
		}
	}
	return ""
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
		if _, ok := r.Ended(utc); !ok {
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

// tool names the tool from the keys that only it writes.
func (b *vllmBuilder) tool(o jsonObject) {
	has := func(keys ...string) bool {
		for _, k := range keys {
			if o.find(k) != nil {
				return true
			}
		}
		return false
	}
	switch {
	case has("total_output_tokens_retokenized", "mean_e2e_latency_ms", "total_throughput", "server_info"):
		b.res.Tool.Name = sglangBenchTool
		b.sglang(o)
	case has("steady_state", "failed_requests"), has("max_model_len") && has("input_throughput"):
		b.res.Tool.Name = vllmRustTool
	}
}

// sglang takes in what SGLang says otherwise than vLLM: its range ratio makes
// lengths from ratio × length up to the length, so that a stated length is what
// requests have only when the ratio is 1. The model stands in server_info.
func (b *vllmBuilder) sglang(o jsonObject) {
	cell := &b.res.Cell
	if ratio := o.find("random_range_ratio"); ratio == nil || ratio.Kind() != '0' || plainJSON(ratio) != 1 {
		for _, length := range []struct {
			key string
			at  *int
		}{{"random_input_len", &cell.PromptTokens}, {"random_output_len", &cell.OutputTokens}} {
			if *length.at != 0 {
				b.keepNumber(length.key, float64(*length.at))
			}
			*length.at = 0
		}
	}
	for _, m := range o.members {
		if m.key == "server_info" && m.value.Kind() == '{' && b.res.Model == "" {
			for _, info := range objectOf(m, b.f) {
				if info.key == "model_path" {
					b.text(info, &b.res.Model)
				}
			}
		}
	}
}

// plainJSON returns the value of a JSON number.
func plainJSON(value jsontext.Value) float64 {
	v, err := strconv.ParseFloat(string(value), 64)
	if err != nil {
		return math.NaN()
	}
	return v
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

// figureOfList says which figure a per-request list belongs to; lists that are
// no latencies have none.
var detailedKeys = map[string]metric.Key{
	"ttfts": metric.TTFT, "latencies": metric.E2E, "itls": metric.ITL,
	"input_lens": "", "output_lens": "", "start_times": "", "queue_times": "",
	"generated_texts": "", "errors": "", "failed_requests": "",
}

// manyValues is the number of samples beyond which a cell keeps no list of
// them: a bundle is read whole by every reader of its page.
const manyValues = 100

// detailedLists takes in the per-request lists of --save-detailed: the times of
// successful requests as samples when they are few, everything else by length.
func (b *vllmBuilder) detailedLists(o jsonObject) {
	failed := failedIndexes(o.find("errors"))
	for _, m := range o.members {
		key, ok := detailedKeys[m.key]
		if !ok || m.value.Kind() != '[' {
			continue
		}
		list := elements(m.value)
		if m.key == "output_lens" {
			b.checkLengths(m, list)
		}
		if key == "" || key == metric.ITL || !b.samples(m, key, list, failed) {
			b.detailed = append(b.detailed, m.key+"="+strconv.Itoa(len(list)))
		}
	}
	b.checkFailures(o, failed)
}

// samples stores the times of successful requests, in ms. It reports false when
// they are too many to keep.
func (b *vllmBuilder) samples(m jsonMember, key metric.Key, list []jsontext.Value, failed map[int]bool) bool {
	var values []float64
	for i, v := range list {
		if failed[i] {
			continue
		}
		seconds, ok := b.number(jsonMember{m.key, v, m.line})
		if !ok {
			return false
		}
		values = append(values, seconds*1000)
	}
	if len(values) == 0 {
		return len(list) == 0
	}
	if len(values) > manyValues {
		if fig := b.figures[key]; fig != nil {
			fig.N = len(values)
		}
		return false
	}
	fig := b.figure(key, strings.TrimSuffix(m.key, "s"))
	fig.N, fig.Values = len(values), values
	return true
}

// failedIndexes returns which requests have an error message.
func failedIndexes(value jsontext.Value) map[int]bool {
	failed := map[int]bool{}
	for i, v := range elements(value) {
		if v.Kind() == '"' && unquote(v) != "" {
			failed[i] = true
		}
	}
	return failed
}

// checkLengths compares the sum of the output lengths with the stated total.
func (b *vllmBuilder) checkLengths(m jsonMember, list []jsontext.Value) {
	t := b.res.Cell.Tokens
	if t == nil || t.Output == nil {
		return
	}
	var sum int64
	for _, v := range list {
		n, ok := b.integer(jsonMember{m.key, v, m.line})
		if !ok {
			return
		}
		sum += n
	}
	if sum != *t.Output {
		b.f.add(m.line, m.key, "", "adds up to %d tokens, but total_output_tokens is %d", sum, *t.Output)
	}
}

// checkFailures compares the error messages with the stated count.
func (b *vllmBuilder) checkFailures(o jsonObject, failed map[int]bool) {
	r := b.res.Cell.Requests
	if r == nil || r.Failed == nil {
		return
	}
	if v := o.find("errors"); v != nil && len(elements(v)) > 0 && len(failed) != *r.Failed {
		b.f.add(b.line, "errors", "", "names %d failed requests, but failed is %d", len(failed), *r.Failed)
	}
	if v := o.find("failed_requests"); v != nil && v.Kind() == '[' && len(elements(v)) != *r.Failed {
		b.f.add(b.line, "failed_requests", "", "lists %d failed requests, but failed is %d", len(elements(v)), *r.Failed)
	}
}
