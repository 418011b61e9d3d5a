// Command gen writes the files that are generated from Go code. Run it from the
// root of the repository:
//
//	go run ./cmd/gen          write every generated file
//	go run ./cmd/gen ldflags  print the linker flags that stamp a build
//
// A test fails when a generated file is not what gen would write.
package main

import (
	"fmt"
	"io"
	"os"
)

func main() {
	if err := run(os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "gen:", err)
		os.Exit(1)
	}
}

// run does what the arguments ask for in the repository of the working folder.
func run(args []string, stdout io.Writer) error {
	switch {
	case len(args) == 0:
		return writeAll()
	case len(args) == 1 && args[0] == "ldflags":
		flags, err := ldflags()
		if err != nil {
			return err
		}
		_, err = fmt.Fprintln(stdout, flags)
		return err
	}
	return fmt.Errorf("usage: gen [ldflags]")
}

// writeAll writes every generated file.
func writeAll() error {
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
