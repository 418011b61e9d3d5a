package main

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"example.org/arena/loadgen/simserver"
	"example.org/arena/results/tomlfile"
)

// readSimProfile reads the profile of a simulated server. The error lists all
// faults of the file, each with its line.
func readSimProfile(name string, data []byte) (simserver.Config, error) {
	config := simserver.Default()
	top, err := tomlfile.Decode(name, data)
	if err != nil {
		return config, err
	}
	tables := map[string]*tomlfile.Table{"": top}
	text(top, "model", &config.Model)
	if top.Has("seed") {
		config.Seed = uint64(top.Integer("seed"))
	}
	integer(top, "max_model_len", &config.MaxModelLen)
	integer(top, "senders", &config.Senders)
	milliseconds(top, "keep_alive_ms", &config.KeepAlive)

	request := top.Sub("request")
	tables["request"] = request
	for _, k := range simserver.Keys() {
		option(request, k.Name, k, &config.Request)
	}
	request.Done()
	if top.Has("engine") {
		tables["engine"] = top.Sub("engine")
		config.Engine = readSimEngine(tables["engine"])
	}
	for i, t := range top.Subs("fault") {
		tables[fmt.Sprintf("fault[%d]", i)] = t
		config.Faults = append(config.Faults, readSimRule(t))
	}
	top.Done()
	for _, p := range config.Problems() {
		t := tables[p.Section]
		if !t.Has(p.Key) || t.Sound(p.Key) {
			t.Fault(p.Key, "%s", p.Message)
		}
	}
	return config, top.Err()
}

// readSimEngine reads the table of the simulated engine.
func readSimEngine(t *tomlfile.Table) *simserver.Engine {
	e := simserver.DefaultEngine()
	if t.Has("prefill_tok_per_s") {
		e.PrefillRate = t.Number("prefill_tok_per_s")
	}
	if t.Has("step_batch") || t.Has("step_ms") {
		t.Need("step_batch", "step_ms")
		sizes, times := t.Integers("step_batch"), t.Numbers("step_ms")
		e.Steps = nil
		for i := range min(len(sizes), len(times)) {
			e.Steps = append(e.Steps, simserver.StepTime{Batch: sizes[i], Time: fromMS(times[i])})
		}
		if t.Sound("step_batch") && t.Sound("step_ms") && len(sizes) != len(times) {
			t.Fault("step_ms", "%d times for %d batch sizes", len(times), len(sizes))
		}
	}
	milliseconds(t, "draft_ms", &e.DraftTime)
	integer(t, "max_num_seqs", &e.MaxSeqs)
	integer(t, "max_num_batched_tokens", &e.MaxTokens)
	integer(t, "kv_tokens", &e.KVTokens)
	integer(t, "block_tokens", &e.BlockTokens)
	if t.Has("prefix_cache") {
		e.PrefixCache = t.Boolean("prefix_cache")
	}
	t.Done()
	return e
}

// readSimRule reads a table of faults. Its keys are those of a request without
// "fault_" before them.
func readSimRule(t *tomlfile.Table) simserver.Rule {
	var o simserver.Options
	for _, k := range simserver.Keys() {
		switch name, ok := strings.CutPrefix(k.Name, "fault"); {
		case ok && name == "":
			option(t, "kind", k, &o)
		case ok:
			option(t, name[1:], k, &o)
		}
	}
	rule := simserver.Rule{Fault: o.Fault, Share: t.Number("share"), Requests: t.Integers("requests")}
	t.Done()
	return rule
}

// option reads the value of one option under a name, if it is there.
func option(t *tomlfile.Table, name string, k simserver.Key, o *simserver.Options) {
	if !t.Has(name) {
		return
	}
	var value string
	switch k.Kind {
	case simserver.KindMS:
		value = strconv.FormatFloat(t.Number(name), 'g', -1, 64)
	case simserver.KindInt:
		value = strconv.FormatInt(t.Integer(name), 10)
	case simserver.KindBool:
		value = strconv.FormatBool(t.Boolean(name))
	case simserver.KindList:
		value = strings.Trim(fmt.Sprint(t.Numbers(name)), "[]")
	default:
		value = t.Str(name)
	}
	if !t.Sound(name) {
		return
	}
	if err := k.Set(o, value); err != nil {
		t.Fault(name, "%v", err)
	}
}

func text(t *tomlfile.Table, key string, to *string) {
	if t.Has(key) {
		*to = t.Str(key)
	}
}

func integer(t *tomlfile.Table, key string, to *int) {
	if t.Has(key) {
		*to = int(t.Integer(key))
	}
}

func milliseconds(t *tomlfile.Table, key string, to *time.Duration) {
	if t.Has(key) {
		*to = fromMS(t.Number(key))
	}
}

func fromMS(ms float64) time.Duration { return time.Duration(ms * float64(time.Millisecond)) }
