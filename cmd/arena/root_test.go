package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"example.org/arena/cmd/arena/exit"
	"github.com/spf13/cobra"
)

// Every command says what it does, with an example and its exit codes.
func TestHelp(t *testing.T) {
	t.Parallel()
	n := 0
	wrap(newRoot(), func(c *cobra.Command) {
		n++
		name := c.CommandPath()
		if c.Short == "" || c.Long == "" || c.Example == "" {
			t.Errorf("%s lacks a short text, a long one or examples", name)
		}
		codes := strings.Fields(c.Annotations["exits"])
		if len(codes) < 2 {
			t.Errorf("%s names no exit codes", name)
		}
		var out, errs bytes.Buffer
		args := append(strings.Fields(name)[1:], "--help")
		if code := run(t.Context(), args, nil, &out, &errs); code != exit.OK || errs.Len() > 0 {
			t.Errorf("%s --help ends with %d: %s", name, code, &errs)
		}
		for _, word := range codes {
			code, err := strconv.Atoi(word)
			if err != nil || exit.Meaning(code) == "" {
				t.Errorf("%s names the exit code %q, which has no meaning", name, word)
			}
			if !strings.Contains(out.String(), "  "+fmt.Sprintf("%-3d  %s\n", code, exit.Meaning(code))) {
				t.Errorf("%s --help does not show exit code %d", name, code)
			}
		}
	})
	if n < 4 {
		t.Errorf("found %d commands", n)
	}
}

func TestInterrupted(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var out, errs bytes.Buffer
	code := run(ctx, []string{"verify", "../../results/bundle/testdata"}, nil, &out, &errs)
	if code != exit.Interrupted || out.Len() > 0 {
		t.Errorf("exit code %d, stdout %q, stderr %q", code, &out, &errs)
	}
}

type brokenWriter struct{}

func (brokenWriter) Write([]byte) (int, error) { return 0, errors.New("disk full") }

// A result that could not be written is a failure.
func TestBrokenOutput(t *testing.T) {
	t.Parallel()
	const example = "../../results/bundle/testdata/example.json"
	for _, args := range [][]string{
		{"version"},
		{"version", "--json"},
		{"show", example},
		{"show", "--format", "csv", example},
		{"show", "--format", "json", example},
		{"verify", example},
		{"verify", "--json", example},
		{"command", "--contract", "v2"},
		{"command", "--contract", "v2", "--test", "chat"},
	} {
		var errs bytes.Buffer
		if code := run(t.Context(), args, nil, brokenWriter{}, &errs); code != exit.Failure || !strings.Contains(errs.String(), "disk full") {
			t.Errorf("%v ends with %d: %s", args, code, &errs)
		}
	}
}

func TestContractPin(t *testing.T) {
	t.Parallel()
	revisions := "v1=" + strings.Repeat("1", 40) + ",v2=" + strings.Repeat("2", 40)
	if pin, err := pinContract(revisions, "v2", "abc"); err != nil || pin.Revision != strings.Repeat("2", 40) || pin.SHA256 != "abc" || pin.Version != "v2" {
		t.Errorf("pin = %+v, %v", pin, err)
	}
	for _, stamp := range []string{"", "v1=" + strings.Repeat("1", 40), "v2=", "v2=abc", "v2"} {
		if pin, err := pinContract(stamp, "v2", "abc"); exit.Hint(err) == "" || pin != nil {
			t.Errorf("stamp %q: pin = %+v, %v", stamp, pin, err)
		}
	}
}

// A program without any stamp still says which Go it was built with.
func TestEnginePin(t *testing.T) {
	t.Parallel()
	pin := enginePin("import/suite")
	if pin.Runner != "import/suite" || pin.Version == "" || !strings.HasPrefix(pin.Go, "go1.") {
		t.Errorf("pin = %+v", pin)
	}
}
