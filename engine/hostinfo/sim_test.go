package hostinfo

import (
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"

	"example.org/arena/loadgen/simserver"
)

// The simulated server's counters are found, by the names that vLLM gives them.
func TestDifferenceSimulated(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		config := simserver.Default()
		config.Engine = simserver.DefaultEngine()
		config.Request.Draft, config.Request.Acceptance = 3, []float64{0.8, 0.6, 0.4}
		server, err := simserver.New(config)
		if err != nil {
			t.Fatal(err)
		}
		client := &http.Client{Transport: &http.Transport{DialContext: server.Dial}}
		defer func() {
			client.CloseIdleConnections()
			if err := server.Close(); err != nil {
				t.Error(err)
			}
			synctest.Wait()
		}()
		get := func(path, body string) string {
			method := http.MethodGet
			if body != "" {
				method = http.MethodPost
			}
			r, err := http.NewRequestWithContext(t.Context(), method, "http://sim"+path, strings.NewReader(body))
			if err != nil {
				t.Fatal(err)
			}
			r.Header.Set("Content-Type", "application/json")
			resp, err := client.Do(r)
			if err != nil {
				t.Fatal(err)
			}
			defer resp.Body.Close()
			data, err := io.ReadAll(resp.Body)
			if err != nil || resp.StatusCode != http.StatusOK {
				t.Fatalf("%s: %v %s", path, err, data)
			}
			return string(data)
		}
		ask := func() {
			get("/v1/completions", `{"model":"`+config.Model+`","prompt":"`+strings.Repeat("one two three four ", 50)+`","max_tokens":40,"ignore_eos":true,"stream":true}`)
		}
		ask()
		before := metricsOf(t, get("/metrics", ""))
		ask()
		after := metricsOf(t, get("/metrics", ""))
		d := Difference(before, after)
		if d.Counters == nil || len(d.Notes) > 0 {
			t.Fatalf("got %+v, notes %s", d, codes(d.Notes))
		}
		c := d.Counters
		if *c.GenerationTokens != 40 || *c.PromptTokens < 50 || *c.Preemptions != 0 || *c.PrefixQueryTokens < *c.PrefixHitTokens || *c.PrefixHitTokens == 0 {
			t.Errorf("prompt %d generated %d preempted %d looked up %d hits %d", *c.PromptTokens, *c.GenerationTokens, *c.Preemptions, *c.PrefixQueryTokens, *c.PrefixHitTokens)
		}
		if s := d.Draft; s == nil || s.Drafts == 0 || s.DraftTokens < s.AcceptedTokens || s.AcceptedTokens == 0 || len(s.PerPosition) != 3 {
			t.Errorf("draft %+v", s)
		}
		settings, on := CacheConfig(after)
		if on == nil || !*on || !strings.HasPrefix(settingsText(settings), "block_size=16 enable_prefix_caching=true num_gpu_blocks=") {
			t.Errorf("cache %s, %v", settingsText(settings), on)
		}
	})
}
