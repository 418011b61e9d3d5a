package simserver

import (
	"regexp"
	"strings"
	"testing"
)

// headJSON is what all events of an answer begin with.
var headJSON = regexp.MustCompile(`"id":"(chatcmpl|cmpl)-sim-\d+","object":"([a-z_.]+)","created":\d+,"model":"arena-sim/fixed",`)

// TestVariants compares every variant of an answer, with its times, to
// testdata/variants.txt.
func TestVariants(t *testing.T) {
	const short = "tokens=4, ttft_ms=50, itl_ms=10, "
	cases := []struct{ name, options, body string }{
		{"as vLLM", "", hello},
		{"without usage asked for", "", `{"messages":[{"role":"user","content":"hello"}],"stream":true}`},
		{"completions", "", `{"prompt":"hello","stream":true,"stream_options":{"include_usage":true}}`},
		{"no stream", "reasoning=1, tool=1", `{"messages":[{"role":"user","content":"hello"}]}`},
		{"no stream, completions", "", `{"prompt":"hello"}`},
		{"role early", "role=early", hello},
		{"role in", "role=in", hello},
		{"role every, finish own", "role=every, finish=own", hello},
		{"role none", "role=none", hello},
		{"finish own", "finish=own", hello},
		{"finish none", "finish=none", hello},
		{"usage null", "usage=null", hello},
		{"usage always", "usage=always", `{"messages":[{"role":"user","content":"hello"}],"stream":true}`},
		{"usage finish", "usage=finish", hello},
		{"usage finish, finish own", "usage=finish, finish=own", hello},
		{"usage none", "usage=none", hello},
		{"usage wrong", "usage_error=7", hello},
		{"continuous usage, asked for", "", `{"messages":[{"role":"user","content":"hello"}],"stream":true,"stream_options":{"include_usage":true,"continuous_usage_stats":true}}`},
		{"continuous usage", "continuous=always", hello},
		{"reasoning", "reasoning=2", hello},
		{"reasoning, short name", "reasoning=2, reasoning_field=reasoning", hello},
		{"tool call", "tool=2", hello},
		{"reasoning, text and tool call in chunks of three", "chunk=3, tokens=9, reasoning=2, tool=3", hello},
		{"chunks of two", "chunk=2", hello},
		{"held back", "hold=2", hello},
		{"coalesced", "coalesce=2", hello},
		{"headers with the token", "headers=token", hello},
		{"comments", "comment_every_ms=20", hello},
		{"comments before events, headers late", "comment_events=true, comment_every_ms=40, headers=token", hello},
		{"CRLF", "crlf=true", hello},
		{"no [DONE]", "done=false", hello},
		{"UTF-8", "text=utf8", hello},
		{"ends with the connection", "framing=close", hello},
		{"close announced", "close=announced", hello},
		{"token ids", "", `{"messages":[{"role":"user","content":"hello"}],"stream":true,"return_token_ids":true}`},
		{"stops by itself", "eos=2", hello},
		{"ignores that it should stop", "eos=2", `{"messages":[{"role":"user","content":"hello"}],"stream":true,"max_tokens":3,"ignore_eos":true}`},
		{"goes on for min_tokens", "eos=2", `{"messages":[{"role":"user","content":"hello"}],"stream":true,"max_tokens":4,"min_tokens":3}`},
		{"max_tokens", "", `{"messages":[{"role":"user","content":"hello"}],"stream":true,"max_tokens":2}`},
		{"max_tokens ignored", "ignore_max_tokens=true", `{"messages":[{"role":"user","content":"hello"}],"stream":true,"max_tokens":2}`},
		{"max_completion_tokens", "ignore_max_tokens=true", `{"messages":[{"role":"user","content":"hello"}],"stream":true,"max_tokens":2,"max_completion_tokens":3}`},
		{"max_completion_tokens ignored", "ignore_max_completion_tokens=true", `{"messages":[{"role":"user","content":"hello"}],"stream":true,"max_completion_tokens":2}`},
		{"speculation", "tokens=12, draft=3, acceptance=0.9 0.6 0.3", hello},
	}
	inFakeTime(t, Default(), func(b *bench) {
		var got strings.Builder
		for _, c := range cases {
			got.WriteString("== " + c.name + " ==\n" + b.answer(short+c.options, c.body) + "\n")
		}
		text := headJSON.ReplaceAllString(got.String(), "$1 $2, ")
		compareGolden(b.t, "testdata/variants.txt", text)
		// Nothing was sent at another moment than it was due, and usage and log agree.
		log := b.server.Log()
		if len(log) != len(cases) {
			b.t.Fatalf("%d records for %d requests", len(log), len(cases))
		}
		for i, r := range log {
			total := 0
			for _, e := range r.Events {
				total += e.Tokens
				if e.Sent != e.Due {
					b.t.Errorf("%s: event due at %v was sent at %v", cases[i].name, e.Due, e.Sent)
				}
			}
			if r.Outcome != Complete || total != r.Tokens || r.Seq != i {
				b.t.Errorf("%s: record %+v", cases[i].name, r)
			}
		}
	})
}

// Split writes and dripping show in the bytes that arrive, not in the lines.
func TestPieces(t *testing.T) {
	inFakeTime(t, with(t, "tokens=2, ttft_ms=50, itl_ms=10"), func(b *bench) {
		const request = `{"messages":[{"role":"user","content":"hello"}],"stream":true}`
		var sizes []string
		for line := range strings.Lines(b.raw(httpRequest("split=3, split_gap_ms=2, close=silent", request))) {
			at, _, _ := strings.Cut(line, " ")
			sizes = append(sizes, at)
		}
		if got, want := strings.Join(sizes, " "), "0s 2ms 4ms 50ms 52ms 54ms 60ms 62ms 64ms 66ms 68ms 68ms"; got != want {
			b.t.Errorf("reads at %s, want %s", got, want)
		}
		r := b.newest()
		for i, want := range []Offset{54e6, 54e6, 64e6, 68e6} {
			if e := r.Events[i]; e.Due-r.Arrived != want || e.Sent != e.Due {
				b.t.Errorf("event %d: due %v, sent %v, want %v", i, e.Due-r.Arrived, e.Sent-r.Arrived, want)
			}
		}
		text := b.raw(httpRequest("fault=drip, fault_gap_ms=1, fault_after=1, close=silent", request))
		reads := strings.Count(text, "\n")
		if reads < 200 || !strings.Contains(text, `60ms "d"`) && !strings.Contains(text, `60ms "`) {
			b.t.Errorf("%d reads of an answer that drips:\n%s", reads, text)
		}
		if r := b.newest(); r.Outcome != Complete || r.Fault != FaultDrip || r.Tokens != 2 {
			b.t.Errorf("record of an answer that drips: %+v", r)
		}
	})
}
