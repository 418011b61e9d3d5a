package dataset

import (
	_ "embed" // for the schemas
)

//go:generate go -C ../.. run ./cmd/gen

// The schemas are generated from the types by cmd/gen and never assigned.
var (
	//go:embed run.schema.json
	runSchema string
	//go:embed leaderboard.schema.json
	leaderboardSchema string
)

// Schemas returns the JSON Schemas (2020-12) of the documents, by file name.
func Schemas() map[string][]byte {
	return map[string][]byte{
		"run.schema.json":         []byte(runSchema),
		"leaderboard.schema.json": []byte(leaderboardSchema),
	}
}
