package bundle

import (
	_ "embed" // for the schemas
)

//go:generate go -C ../.. run ./cmd/gen

// The schemas are generated from the types by cmd/gen and never assigned.
var (
	//go:embed schema.json
	schemaJSON string
	//go:embed report.schema.json
	reportSchemaJSON string
)

// Schema returns the JSON Schema (2020-12) of a bundle. It is weaker than Check:
// it cannot express canonical bytes, or rules that tie fields to each other.
func Schema() []byte { return []byte(schemaJSON) }

// ReportSchema returns the JSON Schema (2020-12) of a Report.
func ReportSchema() []byte { return []byte(reportSchemaJSON) }
