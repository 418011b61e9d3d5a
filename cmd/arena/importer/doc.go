// Package importer is the files of arena import: it reads what is to be imported,
// plans which bundles lie where, and writes all of them or none. It knows no format:
// package ingest turns what was read into bundles.
package importer
