package engine

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"example.org/arena/engine/hostinfo"
	"example.org/arena/loadgen"
	"example.org/arena/loadgen/simserver"
	"example.org/arena/results/bundle"
)

// TestPreflight: what keeps a run from succeeding is refused with advice before
// anything is measured; what only has to be known is noted.
func TestPreflight(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		contract string
		only     []string
		config   func(*simserver.Config)
		edit     func(*Options)
		refused  string   // code
		notes    []string // codes
		says     []string // in the refusal or in what was told
	}{
		"all is well": {
			contract: "v3", only: []string{"chat"},
			says: []string{"exact length by ignore_eos", "server's own tokenizer", "prefix caching is off: a repeated prompt had no hit in the server's counters"},
		},
		"no usage in chunks": {
			contract: "v3", only: []string{"chat"},
			config: func(c *simserver.Config) { c.Request.Continuous = simserver.ContinuousNever },
		},
		"no usage at all": {
			contract: "v3", only: []string{"chat"},
			config:  func(c *simserver.Config) { c.Request.Usage = simserver.UsageNone },
			refused: "no_counting", notes: []string{NoteNoUsage},
		},
		"answers as long as it likes": {
			contract: "v3", only: []string{"chat"},
			config:  func(c *simserver.Config) { c.Request.IgnoreMaxTokens, c.Request.Tokens = true, 20 },
			refused: "no_answer", notes: []string{NoteLengthNotFixed}, says: []string{"cut off after 18 tokens"},
		},
		"a cache that v3 does not allow": {
			contract: "v3", only: []string{"chat"},
			config:  func(c *simserver.Config) { c.Engine = simserver.DefaultEngine() },
			refused: "prefix_caching", says: []string{"--no-enable-prefix-caching", "took 1008 from the cache"},
		},
		"a cache that v2 allows": {
			contract: "v2", only: []string{"chat"},
			config: func(c *simserver.Config) { c.Engine = simserver.DefaultEngine() },
			says:   []string{"prefix caching is on"},
		},
		"too short a context": {
			contract: "v3", only: []string{"concurrency-stress"},
			config:  func(c *simserver.Config) { c.MaxModelLen = 25_000 },
			refused: "context_too_short", says: []string{"25256 tokens", "25000", "--max-model-len"},
		},
		"refuses everything": {
			contract: "v3", only: []string{"chat"},
			config:  func(c *simserver.Config) { c.Request.Fault = simserver.Fault{Kind: simserver.FaultStatus} },
			refused: "no_answer", says: []string{"http_status"},
		},
		"never answers": {
			contract: "v3", only: []string{"chat"},
			config:  func(c *simserver.Config) { c.Request.Fault = simserver.Fault{Kind: simserver.FaultHang} },
			refused: "no_answer", says: []string{"timeout"},
		},
		"nobody there": {
			contract: "v3", only: []string{"chat"},
			edit:    func(o *Options) { o.Client.DialContext = nil; o.Client.BaseURL = "http://127.0.0.1:1" },
			refused: "unreachable", says: []string{"start the server"},
		},
		"another model": {
			contract: "v3", only: []string{"chat"},
			edit:    func(o *Options) { o.Stated.Model.ServedName = "other" },
			refused: "no_model", says: []string{`does not serve "other"; it serves "arena-sim/fixed"`},
		},
		"no file of conversations": {
			contract: "v3", only: []string{"chat", "sharegpt"}, notes: []string{NoteNoShareGPT},
		},
		"nothing but a file that is not there": {
			contract: "v3", only: []string{"sharegpt"}, refused: "no_sharegpt_file", notes: []string{NoteNoShareGPT}, says: []string{"--sharegpt"},
		},
		"a full disk": {
			contract: "v3", only: []string{"chat"},
			edit:    func(o *Options) { o.Machine.Free = func(string) (uint64, error) { return 9 << 20, nil } },
			refused: "disk_full", says: []string{"9 MB left", "256"},
		},
		"a folder that is a file": {
			contract: "v3", only: []string{"chat"},
			edit: func(o *Options) {
				file := filepath.Join(filepath.Dir(o.Journal), "file")
				if err := os.WriteFile(file, nil, 0o600); err != nil {
					panic(err)
				}
				o.Journal = filepath.Join(file, "run.journal")
			},
			refused: "no_folder", says: []string{"--out"},
		},
		"a clock of the last century": {
			contract: "v3", only: []string{"chat"},
			edit: func(o *Options) {
				o.Machine.Clock.Sane = func() []bundle.Note { return []bundle.Note{{Code: hostinfo.NoteClockWrong}} }
			},
			refused: hostinfo.NoteClockWrong, says: []string{"timedatectl"},
		},
		"a container that is not there": {
			contract: "v3", only: []string{"chat"},
			edit: func(o *Options) {
				o.Machine.Server = func(context.Context) (bundle.Server, *bundle.Draft, []bundle.Note, error) {
					return bundle.Server{}, nil, nil, errors.New("no such container")
				}
			},
			refused: "no_container", says: []string{"--container"},
		},
		"a draft without a method": {
			contract: "v3", only: []string{"chat"},
			edit:    func(o *Options) { o.Stated.Draft = &bundle.Draft{Model: "Org/Draft"} },
			refused: "incomplete_record", says: []string{"draft.method is missing"},
		},
		"changed files": {
			contract: "v3", only: []string{"chat"},
			edit:  func(o *Options) { o.Stated.Engine.Dirty = true },
			notes: []string{NoteDirtyEngine},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				b := newBed(t, planOf(t, c.contract, c.only...), c.config)
				defer b.server.Close()
				b.options.Client.Timeout = time.Minute
				if c.edit != nil {
					c.edit(&b.options)
				}
				r, err := New(t.Context(), b.options)
				said := ""
				var notes []string
				for _, e := range b.events {
					said += e.Message + "\n"
					if e.Kind == Warning {
						notes = append(notes, e.Code)
					}
				}
				if refusalCode(err) != c.refused || (err != nil) != (c.refused != "") {
					t.Fatalf("got %v, want a refusal %q\n%s", err, c.refused, said)
				}
				if refusal, ok := errors.AsType[*Refusal](err); ok {
					said += refusal.Why + "\n" + refusal.Advice
					if refusal.Advice == "" {
						t.Error("a refusal without advice")
					}
				}
				for _, text := range c.says {
					if !strings.Contains(said, text) {
						t.Errorf("want %q in\n%s", text, said)
					}
				}
				if !slices.Equal(notes, c.notes) {
					t.Errorf("warnings %q, want %q", notes, c.notes)
				}
				if err != nil {
					if _, err := os.Stat(b.options.Journal); err == nil {
						t.Error("a run that was refused left a journal")
					}
					return
				}
				r.Close()
			})
		})
	}
}

// TestMachineFacts: what is found out about the machine is in the bundle, and
// notes with it.
func TestMachineFacts(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b := newBed(t, planOf(t, "v3", "chat"), func(c *simserver.Config) { c.Request.TTFT, c.Request.ITL = time.Millisecond, time.Millisecond })
		defer b.server.Close()
		b.options.Stated.Host.Description = "on a desk"
		b.options.Stated.Server.Settings = []bundle.Setting{{Name: "max_model_len", Value: "1"}}
		looks := 0
		b.options.Machine = Machine{
			Host: func(context.Context) (bundle.Host, []bundle.Note) {
				return bundle.Host{GPU: "NVIDIA GB10", GPUs: 1, Driver: "580"}, []bundle.Note{{Code: "memory_is_shared"}}
			},
			Server: func(context.Context) (bundle.Server, *bundle.Draft, []bundle.Note, error) {
				return bundle.Server{Argv: []string{"serve"}, Settings: []bundle.Setting{{Name: "kv_cache_dtype", Value: "fp8"}}},
					&bundle.Draft{Method: "ngram"}, nil, nil
			},
			Sample: func(context.Context) (Telemetry, error) { return made{}, nil },
			Clock: Clock{Step: func() []bundle.Note {
				if looks++; looks == 2 {
					return []bundle.Note{{Code: hostinfo.NoteClockStepped}}
				}
				return nil
			}},
		}
		out := b.run(t.Context(), t)
		if h := out.Host; h.GPU != "NVIDIA GB10" || h.Description != "on a desk" || out.Draft == nil || out.Draft.Method != "ngram" {
			t.Errorf("host %+v, draft %+v", h, out.Draft)
		}
		if s := out.Server; s.Name != "arena-sim" || len(s.Argv) != 1 || len(s.Settings) < 2 {
			t.Errorf("server %+v", s)
		}
		test := out.Tests[0]
		if n := len(test.Telemetry.OffsetS); n != 6 || *test.Telemetry.PowerW[5] != 40 || test.Telemetry.OffsetS[2] < test.Telemetry.OffsetS[1] {
			t.Errorf("telemetry %+v", test.Telemetry)
		}
		for i, c := range test.Cells {
			if *c.EnergyMJ != 1234 || slices.ContainsFunc(c.Notes, func(n bundle.Note) bool { return n.Code == hostinfo.NoteClockStepped }) != (i == 1) {
				t.Errorf("cell %d: energy %v, notes %+v", i, c.EnergyMJ, c.Notes)
			}
		}
	})
}

// made is telemetry that is made up: two samples for any span.
type made struct{}

func (made) Between(from, to time.Time) *bundle.Telemetry {
	return &bundle.Telemetry{OffsetS: []float64{0, to.Sub(from).Seconds()}, PowerW: []*float64{new(30.0), new(40.0)}}
}
func (made) EnergyMJ(time.Time, time.Time) *int64     { return new(int64(1234)) }
func (made) Notes(time.Time, time.Time) []bundle.Note { return nil }
func (made) Stop()                                    {}

func TestNonsense(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"Paris":                              false,
		"**Paris** is the capital.":          false,
		"パリ":                                 false,
		"!!!!!!!!!!!!":                       true,
		"the the the the the the the the":    true,
		"a\uFFFDb\uFFFDc":                    true,
		"\x00\x01\x02":                       true,
		"no no no, it is Paris, not London.": false,
	} {
		if got := nonsense(text); got != want {
			t.Errorf("%q: %t", text, got)
		}
	}
}

// TestCacheVerdict: usage tells, then counters, then time, which is never sure.
func TestCacheVerdict(t *testing.T) {
	t.Parallel()
	answer := func(first time.Duration, cached int) loadgen.Result {
		r := loadgen.NoResult()
		r.Sent, r.FirstToken, r.PromptTokens, r.CachedTokens = 0, first, 1000, cached
		return r
	}
	metrics := func(hits string) hostinfo.Metrics {
		m, err := hostinfo.ParseMetrics([]byte("vllm:prefix_cache_queries_total 5000\nvllm:prefix_cache_hits_total " + hits + "\n"))
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	none := hostinfo.Metrics{}
	for name, c := range map[string]struct {
		first, again  loadgen.Result
		before, after hostinfo.Metrics
		on            bool
		says          string
		sure          bool
	}{
		"usage":            {answer(100e6, 0), answer(10e6, 992), metrics("0"), metrics("0"), true, "992 from the cache, by its usage", true},
		"counters":         {answer(100e6, -1), answer(10e6, -1), metrics("7"), metrics("999"), true, "992 tokens from the cache, by its counters", true},
		"counters say no":  {answer(100e6, -1), answer(10e6, -1), metrics("7"), metrics("7"), false, "no hit in the server's counters", true},
		"usage says no":    {answer(100e6, 0), answer(99e6, 0), none, none, false, "no cached tokens in its usage", true},
		"time":             {answer(100e6, -1), answer(10e6, -1), none, none, true, "took 10ms to its first token, and 100ms before", false},
		"time says no":     {answer(100e6, -1), answer(70e6, -1), none, none, false, "took 70ms", false},
		"too fast to tell": {answer(4e6, -1), answer(1e6, -1), none, none, false, "took 1ms", false},
	} {
		if on, how, sure := cacheVerdict(c.first, c.again, c.before, c.after); on != c.on || sure != c.sure || !strings.Contains(how, c.says) {
			t.Errorf("%s: %t, %s, %t", name, on, how, sure)
		}
	}
}
