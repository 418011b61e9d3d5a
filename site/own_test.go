package site

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"example.org/arena/content"
	"example.org/arena/results/bundle"
	"example.org/arena/results/contract"
)

// ownRun returns a made-up simulated run of all of contract v3, with a few requests
// per cell: a server that reads 4,000 prompt tokens per second, one prompt after
// the other, and writes 40 tokens per second for each of up to 10 requests.
func ownRun(t *testing.T) *bundle.Bundle {
	t.Helper()
	k, err := content.Load(content.FS)
	if err != nil {
		t.Fatal(err)
	}
	c, ok := k.Contract("v3")
	if !ok {
		t.Fatal("there is no contract v3")
	}
	start := time.Date(2026, 8, 15, 9, 0, 0, 0, time.UTC)
	b := &bundle.Bundle{
		Format: 1, Kind: bundle.Simulated, StartedAt: start.Format(time.RFC3339), Platform: "simulated", Profile: "default",
		Licence: "CC0-1.0", Credit: "Arena", Contract: &bundle.ContractPin{Version: c.Version, SHA256: c.Digest},
		Engine: bundle.EnginePin{Version: "v0.1.0", Runner: "native", Go: "go1.26.8"},
		Model:  bundle.Model{ID: "arena/simulated-8b", Quantisation: "bf16", ServedName: "simulated-8b"},
		Draft:  &bundle.Draft{Method: "ngram", TokensPerStep: 3},
		Server: bundle.Server{Name: "arena-sim", Version: "v0.1.0", PrefixCaching: new(false), PrefixCachingVerified: "no hits counted"},
		Host:   bundle.Host{GPU: "none", OS: "Debian 13", Kernel: "6.12.0", MemoryBytes: 24 << 30},
		Sanity: &bundle.Sanity{Answer: "Amsterdam"},
		Calibration: []bundle.Calibration{
			{When: "before", Streams: 25, Requests: 100, TTFTErrorUS: 42, ITLErrorNS: -310, LateP50US: 12, LateP99US: 180, LateMaxUS: 190},
			{When: "after", Streams: 25, Requests: 100, TTFTErrorUS: -8, ITLErrorNS: 120, LateP50US: 11, LateP99US: 150, LateMaxUS: 400},
		},
	}
	rng := rand.New(rand.NewPCG(7, 8))
	for i, spec := range c.Tests {
		test := bundle.Test{
			Slug: spec.Slug, StartedAt: start.Add(time.Duration(i) * time.Hour).Format(time.RFC3339),
			Tool: &bundle.Tool{Name: string(contract.Native), Version: "v0.1.0"},
		}
		for _, cell := range spec.Cells() {
			test.Cells = append(test.Cells, ownCell(rng, spec, cell))
		}
		b.Tests = append(b.Tests, test)
	}
	return b
}

// ownCell makes the records of a cell.
func ownCell(rng *rand.Rand, spec contract.Test, cell contract.Cell) bundle.Cell {
	out := bundle.Cell{
		Records: &bundle.Records{}, EnergyMJ: new(int64(90_000_000)),
		Counters: &bundle.Counters{PrefixQueryTokens: new(int64(20_480)), PrefixHitTokens: new(int64(0)), Preemptions: new(int64(0))},
		Client:   &bundle.Client{CountedBy: "usage", LateP50US: 11, LateP99US: 140, LateMaxUS: 300},
		Draft:    &bundle.DraftStat{Drafts: 100, DraftTokens: 300, AcceptedTokens: 120},
	}
	r := ownRecords{Records: out.Records, rng: rng}
	if a, open := spec.Arrivals(); !open {
		talk, _ := spec.Kind.(contract.Conversations)
		out.PromptTokens, out.OutputTokens, out.Concurrency, out.Runs = cell.PromptTokens, cell.OutputTokens, cell.Concurrency, spec.Runs()
		out.Client.Held = new(0.998)
		origin := int64(0)
		for n := range spec.Runs() {
			origin = r.closed(n, origin, cell, spec.Turns(), talk.QuestionTokens) + 1_000_000
		}
	} else {
		out.RequestRate, out.Burstiness = new(bundle.Rate(cell.RequestRate)), new(bundle.Rate(a.Burstiness))
		out.MaxConcurrency = a.MaxConcurrency
		out.PromptTokens, out.OutputTokens = cell.PromptTokens, cell.OutputTokens
		r.open(cell, a.MaxConcurrency)
	}
	var gaps []int64
	for range 40 {
		gaps = append(gaps, 24_000+rng.Int64N(3_000))
	}
	out.Gaps = bundle.HistogramOf(gaps)
	out.ChunkTokens = bundle.HistogramOf([]int64{1, 1, 2, 2, 3})
	return out
}

// ownRecords adds requests to columns.
type ownRecords struct {
	*bundle.Records
	rng *rand.Rand
}

// add adds an answered request and returns when it ended.
func (r ownRecords) add(scheduled, queued, first, prompt, output int64, atOnce int) int64 {
	at := func(v int64) *int64 { return &v }
	sent := scheduled + queued + 20
	last := first + (output-1)*int64(25_000*max(1, atOnce)/min(10, max(1, atOnce))) + r.rng.Int64N(20_000)
	r.ScheduledUS, r.SentUS = append(r.ScheduledUS, at(scheduled)), append(r.SentUS, at(sent))
	r.FirstByteUS, r.FirstTokenUS = append(r.FirstByteUS, at(first-1000)), append(r.FirstTokenUS, at(first))
	r.FirstVisibleUS, r.LastTokenUS = append(r.FirstVisibleUS, at(first)), append(r.LastTokenUS, at(last))
	r.DoneUS = append(r.DoneUS, at(last+100))
	r.AskedPromptTokens, r.AskedOutputTokens = append(r.AskedPromptTokens, prompt), append(r.AskedOutputTokens, output)
	r.PromptTokens, r.CompletionTokens = append(r.PromptTokens, at(prompt)), append(r.CompletionTokens, at(output))
	r.Chunks, r.Outcome = append(r.Chunks, output), append(r.Outcome, bundle.OutcomeOK)
	return last + 100
}

// closed adds a repetition in which every place sends two rounds, the first of all
// places before the second of any.
func (r ownRecords) closed(repetition int, origin int64, cell contract.Cell, turns, question int) int64 {
	ends := make([]int64, cell.Concurrency)
	for n := range 2 * cell.Concurrency {
		place := n % cell.Concurrency
		for turn := range turns {
			at := max(origin, ends[place])
			prompt := int64(cell.PromptTokens + turn*(cell.OutputTokens+question))
			wait := prompt * 250 // one prompt alone
			if n < cell.Concurrency && turn == 0 {
				wait *= int64(place + 1)
			}
			ends[place] = r.add(at, 0, at+wait+2000, prompt, int64(cell.OutputTokens), cell.Concurrency)
			r.Repetition = append(r.Repetition, repetition)
			if turns > 1 {
				r.Turn = append(r.Turn, turn+1)
			}
		}
	}
	return slices.Max(ends)
}

// open adds ten arrivals, with a queue before a cap and one that grows with the
// rate.
func (r ownRecords) open(cell contract.Cell, cap int) {
	at := int64(0)
	for n := range 10 {
		at += int64(1e6/cell.RequestRate) / 2
		prompt, output := int64(max(cell.PromptTokens, 200)), int64(max(cell.OutputTokens, 100))
		queued := int64(0)
		if cap > 0 {
			queued = int64(n) * 400_000
			r.QueuedUS = append(r.QueuedUS, &queued)
		}
		slow := prompt * 250 * int64(1+20*cell.RequestRate*cell.RequestRate)
		r.add(at, queued, at+queued+20+slow, prompt, output, 3)
	}
}

// ownItem encodes a run after a change, and tries whether it is valid.
func ownItem(t *testing.T, change func(*bundle.Bundle)) source {
	t.Helper()
	b := ownRun(t)
	change(b)
	if err := bundle.Validate(b); err != nil {
		t.Fatal(err)
	}
	data, err := bundle.Encode(b)
	if err != nil {
		t.Fatal(err)
	}
	path, err := bundle.Path(b, data)
	if err != nil {
		t.Fatal(err)
	}
	return source{Path: path, Data: data, Bundle: b}
}

// seen is what a reader sees of a page, in one line.
func seen(page string) string {
	var b strings.Builder
	inside := false
	for _, r := range page {
		switch {
		case r == '<':
			inside = true
			b.WriteByte(' ')
		case r == '>':
			inside = false
		case !inside:
			b.WriteRune(r)
		}
	}
	return strings.Join(strings.Fields(b.String()), " ")
}

func TestOwnRunPage(t *testing.T) {
	t.Parallel()
	it := ownItem(t, func(b *bundle.Bundle) {
		b.Test("rate-sweep").Cells = b.Test("rate-sweep").Cells[:4]
		b.Test("rate-sweep").Stopped = &bundle.Stop{Reason: bundle.StopSaturated}
		b.Test("sharegpt").Cells = nil
	})
	tree := build(t, input(t, it, item(t, func(*bundle.Bundle) {})))
	for lang, want := range map[string][]string{
		"en": {
			"Simulated: these figures come from an imitated server", "They have no rank.", "A conversation of 5 turns",
			"Stopped early: 4 of 6 cells", "A rung exceeded the limit that ends the sweep.", "no data",
			"TTFT from the scheduled time", "Wait for a place", "every repetition, and the 95% confidence interval",
			"How well the client kept up", "before the run", "Error in TTFT", "99.8%", "Arena sent all",
			"no hits counted", "Debian 13 6.12.0", "Acceptance length", "arena bench", "Median time to first token per turn", "Multi-turn: first token, turn by turn", "recorded requests",
		},
		"nl": {
			"Gesimuleerd: deze cijfers komen van een nagebootste server", "Een gesprek van 5 beurten", "TTFT vanaf het geplande moment",
			"95%-betrouwbaarheidsinterval", "Hoe goed de client het bijhield", "99,8%",
		},
		"fr": {
			"Simulé\u00a0: ces chiffres viennent d’un serveur imité", "Une conversation de 5 tours", "TTFT depuis l’instant prévu",
			"l’intervalle de confiance à 95\u00a0%", "Le client a-t-il suivi", "99,8\u00a0%",
		},
	} {
		page := seen(file(t, tree, modelPath(t, it, lang)))
		for _, w := range want {
			if !strings.Contains(strings.ToLower(page), strings.ToLower(strings.Join(strings.Fields(w), " "))) {
				t.Errorf("%s: the page does not say %q", lang, w)
			}
		}
	}
	page := file(t, tree, modelPath(t, it, "en"))
	if n := strings.Count(page, `<figure class="chart"`); n < 7 {
		t.Errorf("%d charts, want more", n)
	}
	// The bundle is published as it is, its figures beside it.
	if got := file(t, tree, "data/bundles/"+it.Path); got != string(it.Data) {
		t.Error("the bundle was changed on its way")
	}
	slug, _ := bundle.ModelSlug(it.Bundle.Model.ID)
	table := file(t, tree, fmt.Sprintf("data/runs/%s/%s/%s.csv", it.Bundle.Platform, slug, it.Bundle.Profile))
	for _, want := range []string{"chat,1024,1024,,10,,decode_tok_per_s,mean,tok/s,", "ttft_scheduled_ms,p95", "queue_ms,mean"} {
		if !strings.Contains(table, want) {
			t.Errorf("the table lacks %q", want)
		}
	}
	if strings.Contains(file(t, tree, "data/bundles/"+it.Path), `"reported"`) {
		t.Error("derived figures were written into the bundle")
	}
	// It ranks nowhere.
	for _, lang := range []string{"nl", "en", "fr"} {
		if strings.Contains(file(t, tree, lang+"/index.html"), `id="r-`+bundle.ID(it.Data)[:12]) {
			t.Errorf("%s: the simulated run stands on the leaderboard", lang)
		}
	}
}

// What is wrong with a run stands on its page.
func TestOwnRunInDoubt(t *testing.T) {
	t.Parallel()
	it := ownItem(t, func(b *bundle.Bundle) {
		b.Calibration[1].LateP99US, b.Calibration[1].LateMaxUS = 40_000, 41_000
		b.Tests = b.Tests[:1]
		chat := &b.Tests[0]
		chat.Cells = chat.Cells[:2]
		chat.Stopped = &bundle.Stop{Reason: bundle.StopInterrupted}
		chat.Cells[0].Counters.PrefixHitTokens = new(int64(5_000))
		chat.Cells[1].Records.Outcome[0] = bundle.OutcomeTruncated
		chat.Cells[1].Records.CompletionTokens[1] = new(int64(700))
	})
	tree := build(t, input(t, it))
	page := seen(file(t, tree, modelPath(t, it, "en")))
	for _, want := range []string{
		"The run was ended before this test was over.", "stopped early: 2 of 3 cells", "Client saturated", "more than 40 ms late",
		"Prefix cache hits", "24.4%", "Shorter output than asked for", "29 / 30",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page does not say %q", want)
		}
	}
}

// Figures in a tool's own terms stay what they are beside records.
func TestOwnRunInToolsTerms(t *testing.T) {
	t.Parallel()
	it := ownItem(t, func(b *bundle.Bundle) {
		b.Tests = b.Tests[:2]
		for i := range b.Tests[1].Cells {
			b.Tests[1].Cells[i].Reported = []bundle.Figure{{Metric: "decode_tok_per_s", Name: "t/s (total)", Unit: "tok/s", Mean: new(123.4)}}
		}
	})
	page := seen(file(t, build(t, input(t, it)), modelPath(t, it, "en")))
	for _, want := range []string{"123.4", "in the terms of the tools"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page does not say %q", want)
		}
	}
}

// The page of contract v3 says what the contract asks for; those of the versions
// before it do not borrow its words.
func TestMethodOfV3(t *testing.T) {
	t.Parallel()
	tree := build(t, input(t, item(t, func(*bundle.Bundle) {})))
	for lang, want := range map[string][]string{
		"en": {
			"A conversation of 5 turns", "The last prompt has 5,120 tokens", "Dutch prose, English prose and French prose",
			"arena bench", "--only chat", "One load generator instead of two tools", "after a rung with p95 of first token above 10 s",
			"Requests per place and repetition", "c = 1, 5 and 10, 5 turns", "None is known so far.", "English prose, code and data",
		},
		"nl": {"Een gesprek van 5 beurten", "5.120 tokens", "Eén belastingsgenerator in plaats van twee tools", "na een trede met p95"},
		"fr": {"Une conversation de 5 tours", "Un seul générateur de charge au lieu de deux outils", "prose anglaise, code et données"},
	} {
		page := seen(file(t, tree, lang+"/method/v3/index.html"))
		for _, w := range want {
			if !strings.Contains(page, w) {
				t.Errorf("%s: the page does not say %q", lang, w)
			}
		}
	}
	for _, version := range []string{"v1", "v2"} {
		page := seen(file(t, tree, "en/method/"+version+"/index.html"))
		for _, not := range []string{"salt", "10, 5 turns", "arena bench", "Requests per place", "load generator"} {
			if strings.Contains(page, not) {
				t.Errorf("%s: the page says %q", version, not)
			}
		}
		if !strings.Contains(page, "The tool sends the requests of a batch together") {
			t.Errorf("%s: the page does not say how batches are sent", version)
		}
	}
}
