package vllmbench

import (
	"strings"

	"example.org/arena/results/bundle"
	"example.org/arena/results/ingest/scan"
	"example.org/arena/results/privacy"
)

// failedAttempt reads a document that holds no result but says why: an attempt
// that is worth recording, without figures.
func failedAttempt(o scan.Object) (bundle.Cell, bool) {
	if v := o.Find("error"); v != nil && v.Kind() == '"' && scan.Unquote(v) != "" {
		return bundle.Cell{Error: privacy.Clean(scan.Unquote(v))}, true
	}
	status, reason := o.Find("status"), o.Find("reason")
	if status == nil || status.Kind() != '"' || reason == nil || reason.Kind() != '"' {
		return bundle.Cell{}, false
	}
	switch word := scan.Unquote(status); word {
	case "not_runnable", "failed", "error", "blocked", "skipped":
		return bundle.Cell{Error: privacy.Clean(scan.Unquote(reason)), Notes: []bundle.Note{bundle.NewNote(bundle.NoteAttempt, "status", word)}}, true
	}
	return bundle.Cell{}, false
}

// refuseShape says what a document is instead, as far as that can be told, and
// what to do with it.
func refuseShape(o scan.Object, f *scan.Faults) {
	const csv = `copy its measured figures into a CSV with a column "concurrency" and one column per figure, and import that: arena import concurrency-csv`
	has := func(key string) bool { return o.Find(key) != nil }
	switch {
	case has("benchmarks") || has("latency_mode"):
		f.Add(o.Line, "", "arena import llama-benchy reads it", "is a report of llama-benchy, not a result of vllm bench serve")
	case has("series"):
		f.Add(o.Line, "series", csv+"; leave out points whose status is not \"measured\"", "is a list of series, not a result of vllm bench serve")
	case has("sweep"):
		f.Add(o.Line, "sweep", csv+"; leave out levels whose requests failed", "is a sweep of another tool, not a result of vllm bench serve")
	default:
		f.Add(o.Line, "", csv, "is no result of vllm bench serve or SGLang bench_serving: it has none of their figures (keys: %s)", keyList(o))
	}
}

// keyList names the first keys of an object.
func keyList(o scan.Object) string {
	var names []string
	for i, m := range o.Members {
		if i == 8 {
			names = append(names, "…")
			break
		}
		names = append(names, scan.Printable(m.Key))
	}
	if len(names) == 0 {
		return "none"
	}
	return strings.Join(names, ", ")
}
