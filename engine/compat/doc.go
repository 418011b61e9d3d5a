// Package compat computes what llama-benchy 0.4.0 and `vllm bench serve` would
// have reported about a run of ours: their figures by their own formulas, quirks
// included, so that a run can be set beside results that those tools published.
// Better figures for the same questions are not made here.
//
// Each tool has two steps. The first takes records to what the tool would have
// noted about each request; the second takes those notes to the tool's figures, as
// an import of the tool's result file has them, and is equal to the tool to the last
// digit. What the tools notice and a record does not hold is said at the first step.
//
// Units are the tools' own between the steps, seconds, and those of the metric table
// in figures: milliseconds, tokens per second, requests per second.
package compat
