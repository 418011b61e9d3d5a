package simserver

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// testEngine decodes in 10 ms for one request and 1 ms more for each other, and
// prefills a token in 0.1 ms.
func testEngine() *Engine {
	return &Engine{
		PrefillRate: 10_000,
		Steps:       []StepTime{{1, 10 * time.Millisecond}, {11, 20 * time.Millisecond}},
		MaxSeqs:     4,
		MaxTokens:   1000,
		KVTokens:    1600,
		BlockTokens: 16,
		PrefixCache: true,
	}
}

// words returns a text of n tokens, all different for different salts.
func words(n, salt int) string {
	var b strings.Builder
	for i := range n {
		x := salt*1000 + i
		b.WriteByte(' ')
		for range 3 {
			b.WriteByte(byte('a' + x%26))
			x /= 26
		}
	}
	return b.String()
}

// ask sends a request for a completion of a prompt of n tokens.
func (b *bench) ask(prompt string, tokens int) string {
	body, _ := json.Marshal(map[string]any{"prompt": prompt, "max_tokens": tokens, "stream": true})
	return b.answer("", string(body))
}

// timesOf returns when the events with tokens were sent, since the arrival.
func timesOf(r *Record) []time.Duration {
	var list []time.Duration
	for _, e := range r.Events {
		if e.Tokens > 0 {
			list = append(list, e.Sent-r.Arrived)
		}
	}
	return list
}

const ms1 = time.Millisecond

func TestEngineAlone(t *testing.T) {
	config := Default()
	config.Engine = testEngine()
	inFakeTime(t, config, func(b *bench) {
		// 999 tokens and the one that begins the text, in one step.
		b.ask(words(999, 1), 4)
		r := b.newest()
		want := []time.Duration{100 * ms1, 110 * ms1, 120 * ms1, 130 * ms1}
		if got := timesOf(r); !slices.Equal(got, want) || r.PromptTokens != 1000 || r.CachedTokens != 0 {
			t.Errorf("sent at %v, want %v; record %+v", got, want, r)
		}
		// The same again: 992 tokens are known, 8 are left.
		b.ask(words(999, 1), 2)
		r = b.newest()
		want = []time.Duration{800 * time.Microsecond, 10*ms1 + 800*time.Microsecond}
		if got := timesOf(r); !slices.Equal(got, want) || r.CachedTokens != 992 {
			t.Errorf("sent at %v, want %v; record %+v", got, want, r)
		}
		// A prompt longer than a step takes several.
		b.ask(words(1499, 2), 1)
		if got := timesOf(b.newest()); !slices.Equal(got, []time.Duration{150 * ms1}) {
			t.Errorf("chunked prefill: sent at %v", got)
		}
		text := b.get("/metrics")
		for _, want := range []string{
			`vllm:prefix_cache_queries_total{engine="0",model_name="arena-sim/fixed"} 3500.0`,
			`vllm:prefix_cache_hits_total{engine="0",model_name="arena-sim/fixed"} 992.0`,
			`vllm:prompt_tokens_total{engine="0",model_name="arena-sim/fixed"} 3500.0`,
			`vllm:generation_tokens_total{engine="0",model_name="arena-sim/fixed"} 7.0`,
			`vllm:num_requests_running{engine="0",model_name="arena-sim/fixed"} 0.0`,
			`vllm:request_success_total{engine="0",model_name="arena-sim/fixed",finished_reason="length"} 3.0`,
			`vllm:kv_cache_usage_perc{engine="0",model_name="arena-sim/fixed"} 0.0`,
			`vllm:cache_config_info{engine="0",model_name="arena-sim/fixed",block_size="16",enable_prefix_caching="True",num_gpu_blocks="100"} 1.0`,
		} {
			if !strings.Contains(text, want+"\n") {
				t.Errorf("metrics lack %s", want)
			}
		}
	})
}

func TestEngineWithoutCache(t *testing.T) {
	config := Default()
	config.Engine = testEngine()
	config.Engine.PrefixCache = false
	inFakeTime(t, config, func(b *bench) {
		for range 2 {
			b.ask(words(999, 1), 1)
			if r := b.newest(); r.CachedTokens != 0 || r.FirstToken()-r.Arrived != 100*ms1 {
				t.Errorf("record %+v", r)
			}
		}
		if !strings.Contains(b.get("/metrics"), "vllm:prefix_cache_queries_total{engine=\"0\",model_name=\"arena-sim/fixed\"} 0.0\n") {
			t.Error("metrics count queries of a cache that is off")
		}
	})
}

// together sends requests at the given moments and returns their records in the
// order of their arrival.
func (b *bench) together(requests []timedAsk) []*Record {
	var wg sync.WaitGroup
	for _, q := range requests {
		wg.Go(func() {
			<-time.After(q.at)
			b.ask(q.prompt, q.tokens)
		})
	}
	wg.Wait()
	b.newest()
	return b.server.Log()
}

type timedAsk struct {
	at     time.Duration
	prompt string
	tokens int
}

// A step serves all that run; what arrives during a step waits for its end.
func TestEngineBatch(t *testing.T) {
	config := Default()
	config.Engine = testEngine()
	inFakeTime(t, config, func(b *bench) {
		log := b.together([]timedAsk{
			{0, words(99, 1), 4},
			{5 * ms1, words(199, 2), 2},
		})
		// 0–10 prefill of the first; 10–40 it decodes in 10 ms while the second
		// prefills in 20; 40–51 both decode; 51–61 the first alone.
		if got, want := timesOf(log[0]), []time.Duration{10 * ms1, 40 * ms1, 51 * ms1, 61 * ms1}; !slices.Equal(got, want) {
			t.Errorf("first: sent at %v, want %v", got, want)
		}
		if got, want := timesOf(log[1]), []time.Duration{35 * ms1, 46 * ms1}; !slices.Equal(got, want) {
			t.Errorf("second: sent at %v, want %v", got, want)
		}
	})
}

// No more than MaxSeqs run; the others wait their turn and are counted.
func TestEngineQueue(t *testing.T) {
	config := Default()
	config.Engine = testEngine()
	config.Engine.MaxSeqs = 1
	inFakeTime(t, config, func(b *bench) {
		var waiting string
		var wg sync.WaitGroup
		wg.Go(func() {
			<-time.After(15 * ms1)
			waiting = b.get("/metrics")
		})
		log := b.together([]timedAsk{
			{0, words(99, 1), 3},
			{1 * ms1, words(99, 2), 3},
			{2 * ms1, words(99, 3), 1},
		})
		wg.Wait()
		for i, want := range []time.Duration{10 * ms1, 39 * ms1, 68 * ms1} {
			if got := log[i].FirstToken() - log[i].Arrived; got != want {
				t.Errorf("request %d: first token after %v, want %v", i, got, want)
			}
		}
		for _, want := range []string{"vllm:num_requests_running{%s} 1.0\n", "vllm:num_requests_waiting{%s} 2.0\n", "vllm:kv_cache_usage_perc{%s} 0.07\n"} {
			if want = fmt.Sprintf(want, `engine="0",model_name="arena-sim/fixed"`); !strings.Contains(waiting, want) {
				t.Errorf("metrics lack %s", want)
			}
		}
		if end := b.get("/metrics"); !strings.Contains(end, `vllm:request_queue_time_seconds_sum{engine="0",model_name="arena-sim/fixed"} 0.087`) {
			t.Error("the time in the queue is not 0 + 29 + 58 ms")
		}
	})
}

// When the cache is full, the newest request loses its memory and starts again.
func TestEnginePreemption(t *testing.T) {
	config := Default()
	config.Engine = testEngine()
	config.Engine.KVTokens = 10 * 16
	config.Engine.PrefixCache = false
	inFakeTime(t, config, func(b *bench) {
		log := b.together([]timedAsk{
			{0, words(63, 1), 40},
			{1 * ms1, words(63, 2), 40},
		})
		// Both need 4 blocks, then 5, then 6, then 7: at 97 tokens the second goes.
		if log[0].Preempted != 0 || log[1].Preempted != 1 {
			t.Fatalf("preempted %d and %d times", log[0].Preempted, log[1].Preempted)
		}
		for _, r := range log {
			if r.Outcome != Complete || r.Tokens != 40 {
				t.Errorf("record %+v", r)
			}
		}
		gaps := timesOf(log[1])
		longest := time.Duration(0)
		for i := 1; i < len(gaps); i++ {
			longest = max(longest, gaps[i]-gaps[i-1])
		}
		if longest < 100*ms1 { // the rest of the first, and a prefill of all that was lost
			t.Errorf("longest gap of the one that was preempted is %v", longest)
		}
		if !strings.Contains(b.get("/metrics"), `vllm:num_preemptions_total{engine="0",model_name="arena-sim/fixed"} 1.0`) {
			t.Error("metrics do not count the preemption")
		}
	})
}

// An answer that can never fit is refused, and one that leaves gives its memory
// back.
func TestEngineMemory(t *testing.T) {
	config := Default()
	config.Engine = testEngine()
	config.Engine.KVTokens = 160
	inFakeTime(t, config, func(b *bench) {
		if text := b.ask(words(149, 1), 11); !strings.Contains(text, "400 Bad Request") || !strings.Contains(text, "161 tokens") {
			t.Errorf("answer that does not fit:\n%s", text)
		}
		for i := range 20 {
			body := fmt.Sprintf(`{"prompt":%q,"max_tokens":10,"stream":true}`, words(149, i+2))
			request := strings.Replace(httpRequest("", body), "/v1/chat/completions", "/v1/completions", 1)
			b.rawFor(request, 20*ms1)
			if r := b.newest(); r.Outcome != Disconnected || r.FirstToken()-r.Arrived > 26*ms1 {
				t.Fatalf("request %d: record %+v", i, r)
			}
		}
	})
}

// An answer that never ends fills the cache, and then nobody waits for it.
func TestEngineEndless(t *testing.T) {
	config := Default()
	config.Engine = testEngine()
	config.Engine.KVTokens = 160
	inFakeTime(t, config, func(b *bench) {
		ended := make(chan string)
		go func() { ended <- b.rawFor(httpRequest("fault=endless", hello), 10*time.Second) }()
		<-time.After(5 * time.Second)
		b.ask(words(99, 1), 10)
		if r := b.newest(); r.Outcome != Complete || r.LastToken()-r.Arrived != 100*ms1 {
			b.t.Errorf("record %+v", r)
		}
		if text := <-ended; strings.Count(text, "data: ") < 150 {
			b.t.Errorf("the endless answer:\n%s", text)
		}
		b.newest()
		if n := b.server.counts.waiting.Load() + b.server.counts.running.Load() + b.server.counts.kvUsed.Load(); n != 0 {
			b.t.Errorf("%d things are left", n)
		}
	})
}

// Speculation: counters, tokens per event and the time per token agree with the
// acceptance.
func TestEngineSpeculation(t *testing.T) {
	config := with(t, "draft=3, acceptance=0.8 0.6 0.4")
	config.Engine = testEngine()
	config.Engine.DraftTime = 2 * ms1
	inFakeTime(t, config, func(b *bench) {
		b.ask(words(99, 1), 1000)
		r := b.newest()
		steps := len(timesOf(r)) - 1
		c := &b.server.counts
		if got := int(c.drafts.Load()); got != steps {
			t.Errorf("%d drafts in %d steps", got, steps)
		}
		if got := int(c.draftTokens.Load()); got != 3*steps {
			t.Errorf("%d draft tokens in %d steps", got, steps)
		}
		at := [3]float64{}
		sum := int64(0)
		for i := range at {
			n := c.acceptedAt[i].Load()
			sum += n
			at[i] = float64(n) / float64(steps)
		}
		if sum != c.accepted.Load() {
			t.Errorf("positions add up to %d of %d", sum, c.accepted.Load())
		}
		for i, want := range []float64{0.8, 0.48, 0.192} {
			if at[i] < want-0.06 || at[i] > want+0.06 {
				t.Errorf("position %d holds in %.3f of the steps, want about %.3f", i, at[i], want)
			}
		}
		// 1 from the prompt, then 1 + accepted each; the last step may be cut.
		if total := 1 + steps + int(sum); total < 1000 || total > 1003 || r.Tokens != 1000 {
			t.Errorf("%d tokens by the counters, %d sent", total, r.Tokens)
		}
		times := timesOf(r)
		if got, want := times[len(times)-1]-times[0], time.Duration(steps)*12*ms1; got != want {
			t.Errorf("%d steps took %v, want %v", steps, got, want)
		}
		text := b.get("/metrics")
		for _, want := range []string{
			fmt.Sprintf(`vllm:spec_decode_num_drafts_total{engine="0",model_name="arena-sim/fixed"} %d.0`, steps),
			`vllm:spec_decode_num_accepted_tokens_per_pos_total{engine="0",model_name="arena-sim/fixed",position="2"}`,
		} {
			if !strings.Contains(text, want) {
				t.Errorf("metrics lack %s", want)
			}
		}
		if strings.Contains(text, `position="3"`) {
			t.Error("metrics have a position that is never guessed")
		}
	})
}

// A conversation that feeds the answer back finds it in the prefix cache.
func TestEngineConversation(t *testing.T) {
	config := Default()
	config.Engine = testEngine()
	inFakeTime(t, config, func(b *bench) {
		ask := func(messages []map[string]string) string {
			body, _ := json.Marshal(map[string]any{"messages": messages, "max_tokens": 64})
			text := b.answer("", string(body))
			var answer struct {
				Choices []struct{ Message struct{ Content string } }
			}
			_, text, _ = strings.Cut(text, "\n")
			_, text, _ = strings.Cut(text, " ")
			if err := json.NewDecoder(strings.NewReader(text)).Decode(&answer); err != nil {
				t.Fatal(err, text)
			}
			return answer.Choices[0].Message.Content
		}
		messages := []map[string]string{{"role": "user", "content": words(100, 1)}}
		reply := ask(messages)
		messages = append(messages, map[string]string{"role": "assistant", "content": reply}, map[string]string{"role": "user", "content": words(20, 2)})
		ask(messages)
		// 1 + 1 + 100 + 1 + 1 + 64 tokens are common, the last one not yet computed:
		// 10 full blocks.
		if r := b.newest(); r.CachedTokens != 160 || r.PromptTokens != 1+102+66+22+1 {
			t.Errorf("record %+v", r)
		}
		r, err := b.client.Post("http://sim/reset_prefix_cache", "", nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Body.Close()
		ask(messages)
		if r := b.newest(); r.CachedTokens != 0 {
			t.Errorf("%d tokens found in a cache that was emptied", r.CachedTokens)
		}
	})
}

// Steps are never begun with a request that arrived after their begin, however
// late the engine runs.
func TestEngineCausality(t *testing.T) {
	t.Parallel()
	s, err := New(Default())
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	e := newEngineCore(s, *testEngine(), s.outs[0])
	sequenceAt := func(arrived Offset) *sequence {
		a := &answer{srv: s, rec: &Record{Arrived: arrived}, req: &request{stream: true}, opt: s.config.Request, limit: 5, stalled: true}
		a.seq = &sequence{answer: a, ids: make([]int32, 100), prompt: 100, salt: uint64(arrived)}
		return a.seq
	}
	first, second := sequenceAt(0), sequenceAt(15*ms1)
	e.waiting = []*sequence{first, second}
	e.run(21 * ms1) // both are there, and the steps that end at 10 and 20 ms are overdue
	if first.answer.made != 2 || second.answer.made != 0 {
		t.Errorf("made %d and %d tokens, want 2 and 0", first.answer.made, second.answer.made)
	}
	if e.ends != 40*ms1 {
		t.Errorf("the step with both ends at %v, want 40 ms", e.ends)
	}
}

func TestStepTime(t *testing.T) {
	t.Parallel()
	e := Engine{Steps: []StepTime{{1, 8 * ms1}, {8, 10 * ms1}, {64, 24 * ms1}}}
	for n, want := range map[int]time.Duration{1: 8 * ms1, 8: 10 * ms1, 36: 17 * ms1, 64: 24 * ms1, 128: 40 * ms1} {
		if got := e.stepTime(n); got != want {
			t.Errorf("step with %d takes %v, want %v", n, got, want)
		}
	}
}
