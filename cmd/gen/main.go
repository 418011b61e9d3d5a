// Command gen writes the files that are generated from Go code: the JSON Schemas.
// Run it from the root of the repository, or by go generate. A test fails when a
// generated file is not what gen would write.
package main

import (
	"fmt"
	"os"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "gen:", err)
		os.Exit(1)
	}
}

// run writes every generated file below the working folder.
func run(args []string) error {
	if len(args) > 0 {
		return fmt.Errorf("takes no arguments")
	}
	for _, s := range schemas() {
		data, err := s.generate()
		if err != nil {
			return fmt.Errorf("generate %s: %w", s.file, err)
		}
		if err := os.WriteFile(s.file, data, 0o644); err != nil {
			return err
		}
	}
	return nil
}
