package main

import (
	"encoding/json"

	"example.org/arena/results/bundle"
	"example.org/arena/results/metric"
	"github.com/invopop/jsonschema"
)

// constraints says, per field of the types of package bundle, what its Go type
// does not: "Type.json_name".
func constraints() map[string]func(*jsonschema.Schema) {
	sha256, revision := pattern(`^[0-9a-f]{64}$`), pattern(`^[0-9a-f]{40}$`)
	slug := pattern(`^[a-z0-9_]([a-z0-9._-]{0,94}[a-z0-9_])?$`)
	utc := pattern(`^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]+)?Z$`)
	text := func(s *jsonschema.Schema) { s.MinLength = one() }
	count, share := least("0"), between("0", "1")
	return map[string]func(*jsonschema.Schema){
		"Bundle.format":     enum(bundle.Format),
		"Bundle.kind":       enum(bundle.Run, bundle.Import, bundle.Simulated),
		"Bundle.started_at": utc,
		"Bundle.supersedes": sha256,
		"Bundle.platform":   slug,
		"Bundle.profile":    slug,
		"Bundle.licence":    text,
		"Bundle.credit":     text,
		"Bundle.tests":      func(s *jsonschema.Schema) { s.MinItems = one() },

		"ContractPin.version":   text,
		"ContractPin.sha256":    sha256,
		"ContractPin.revision":  revision,
		"EnginePin.version":     text,
		"EnginePin.revision":    revision,
		"EnginePin.runner":      pattern(`^(native|tools|import/.+)$`),
		"EnginePin.go":          text,
		"Source.url":            pattern(`^https?://`),
		"Source.retrieved_at":   pattern(`^[0-9]{4}-[0-9]{2}-[0-9]{2}$`),
		"Tool.name":             text,
		"File.name":             text,
		"File.sha256":           sha256,
		"File.bytes":            count,
		"Model.id":              pattern(`^[A-Za-z0-9_][A-Za-z0-9._-]*/[A-Za-z0-9_][A-Za-z0-9._-]*$`),
		"Model.revision":        revision,
		"Draft.method":          text,
		"Draft.revision":        revision,
		"Draft.tokens_per_step": count,
		"Server.name":           text,
		"Server.image_digest":   pattern(`^sha256:[0-9a-f]{64}$`),
		"Setting.name":          text,
		"Host.gpus":             count,
		"Host.memory_bytes":     count,

		"Test.slug":                     slug,
		"Test.started_at":               utc,
		"Test.latency_ms":               count,
		"Command.argv":                  func(s *jsonschema.Schema) { s.MinItems = one() },
		"Stop.reason":                   enum(bundle.StopSaturated, bundle.StopTimeLimit, bundle.StopErrors, bundle.StopUnknown),
		"Cell.prompt_tokens":            count,
		"Cell.output_tokens":            count,
		"Cell.depth_tokens":             count,
		"Cell.phase":                    enum("context"),
		"Cell.concurrency":              count,
		"Cell.max_concurrency":          count,
		"Cell.started_at":               utc,
		"Cell.ended_at":                 utc,
		"Cell.runs":                     count,
		"Requests.planned":              count,
		"Requests.completed":            count,
		"Requests.failed":               count,
		"Tokens.input":                  count,
		"Tokens.output":                 count,
		"Figure.metric":                 metrics,
		"Figure.name":                   text,
		"Figure.n":                      count,
		"Figure.std":                    count,
		"Figure.std_kind":               enum("population", "sample"),
		"Percentile.p":                  inside("0", "100"),
		"DraftStat.drafts":              count,
		"DraftStat.draft_tokens":        count,
		"DraftStat.accepted_tokens":     count,
		"DraftStat.acceptance_ratio":    share,
		"DraftStat.acceptance_length":   least("1"),
		"DraftStat.per_position":        func(s *jsonschema.Schema) { share(s.Items) },
		"Sweep.aborted_at_per_s":        count,
		"Sweep.knee_per_s":              count,
		"SweepCapacity.limit_ms":        func(s *jsonschema.Schema) { s.ExclusiveMinimum = "0" },
		"SweepCapacity.rate_per_s":      count,
		"Telemetry.offset_s":            func(s *jsonschema.Schema) { s.MinItems = one() },
		"Telemetry.utilisation_percent": func(s *jsonschema.Schema) { between("0", "100")(s.Items) },
		"Note.code":                     pattern(`^[a-z][a-z0-9]*(_[a-z0-9]+)*$`),

		"Report.checked": count,
		"Fault.line":     count,
		"Fault.code":     text,
		"Fault.message":  text,
	}
}

func pattern(p string) func(*jsonschema.Schema) {
	return func(s *jsonschema.Schema) { s.Pattern = p }
}

func enum[T any](values ...T) func(*jsonschema.Schema) {
	return func(s *jsonschema.Schema) {
		for _, v := range values {
			s.Enum = append(s.Enum, v)
		}
	}
}

func metrics(s *jsonschema.Schema) {
	for _, m := range metric.All {
		s.Enum = append(s.Enum, m.Key)
	}
}

func least(n json.Number) func(*jsonschema.Schema) {
	return func(s *jsonschema.Schema) { s.Minimum = n }
}

func between(low, high json.Number) func(*jsonschema.Schema) {
	return func(s *jsonschema.Schema) { s.Minimum, s.Maximum = low, high }
}

func inside(low, high json.Number) func(*jsonschema.Schema) {
	return func(s *jsonschema.Schema) { s.ExclusiveMinimum, s.ExclusiveMaximum = low, high }
}

func one() *uint64 {
	n := uint64(1)
	return &n
}
