package main

import (
	"fmt"
	"io"
	"runtime"
	"strings"

	"example.org/arena/cmd/arena/exit"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/spf13/cobra"
)

func newVersion() *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "version",
		Short: "Say what this program was built from",
		Long: "Version says what this program was built from: its version, the Git revision of\n" +
			"its source, the Go version, and the contracts inside it with their SHA-256 and\n" +
			"the revision that last touched them.",
		Example:     "  arena version\n  arena version --json",
		Args:        cobra.NoArgs,
		Annotations: exits(exit.OK, exit.Failure, exit.Usage),
		RunE: func(c *cobra.Command, _ []string) error {
			info, err := readVersion()
			if err != nil {
				return err
			}
			if asJSON {
				return printJSON(c.OutOrStdout(), info)
			}
			return info.print(c.OutOrStdout())
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return c
}

// A versionInfo is what arena version prints.
type versionInfo struct {
	Version   string            `json:"version"`
	Revision  string            `json:"revision,omitzero"` // absent when the build carries none
	Dirty     bool              `json:"dirty"`
	Go        string            `json:"go"`
	Platform  string            `json:"platform"`
	Contracts []contractVersion `json:"contracts"`
}

type contractVersion struct {
	Version  string `json:"version"`
	SHA256   string `json:"sha256"`
	Revision string `json:"revision,omitzero"` // absent when the build carries none
}

func readVersion() (versionInfo, error) {
	b := readBuild()
	info := versionInfo{
		Version:  b.version,
		Revision: b.revision,
		Dirty:    b.dirty,
		Go:       runtime.Version(),
		Platform: runtime.GOOS + "/" + runtime.GOARCH,
	}
	list, err := contracts()
	if err != nil {
		return versionInfo{}, err
	}
	for _, k := range list {
		v := contractVersion{Version: k.Version, SHA256: k.Digest}
		if pin, err := contractPin(k); err == nil {
			v.Revision = pin.Revision
		}
		info.Contracts = append(info.Contracts, v)
	}
	return info, nil
}

func (v versionInfo) print(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "arena %s\n", v.Version)
	revision := v.Revision
	switch {
	case revision == "":
		revision = "unknown"
	case v.Dirty:
		revision += " (with local changes)"
	}
	fmt.Fprintf(&b, "revision  %s\n", revision)
	fmt.Fprintf(&b, "go        %s %s\n", v.Go, v.Platform)
	for _, k := range v.Contracts {
		revision := k.Revision
		if revision == "" {
			revision = "unknown"
		}
		fmt.Fprintf(&b, "contract  %s sha256 %s revision %s\n", k.Version, k.SHA256, revision)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// printJSON writes v as indented JSON.
func printJSON(w io.Writer, v any) error {
	data, err := json.Marshal(v, jsontext.WithIndent("  "))
	if err != nil {
		return err
	}
	_, err = w.Write(append(data, '\n'))
	return err
}
