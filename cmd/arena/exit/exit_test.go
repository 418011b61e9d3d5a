package exit

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"testing"
)

func TestExitCode(t *testing.T) {
	t.Parallel()
	plain := errors.New("plain")
	cases := []struct {
		err  error
		want int
	}{
		{nil, 0},
		{plain, 1},
		{Usagef("bad %s", "flag"), 2},
		{fmt.Errorf("wrapped: %w", Usagef("bad")), 2},
		{WithHint(Usagef("bad"), "good"), 2},
		{WithCode(Breaks, plain), 3},
		{WithCode(Invalid, plain), 4},
		{context.Canceled, 130},
		{fmt.Errorf("bench: %w", context.Canceled), 130},
	}
	for _, c := range cases {
		if got := Code(c.err); got != c.want {
			t.Errorf("Code(%v) = %d, want %d", c.err, got, c.want)
		}
	}
	for _, code := range []int{0, 1, 2, 3, 4, 130} {
		if Meaning(code) == "" {
			t.Errorf("exit code %d has no meaning", code)
		}
	}
}

func TestPrintError(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	Print(&b, fmt.Errorf("show: %w", WithHint(errors.New("x.json:1: first\nx.json:2: second"), "look")))
	const want = "arena: show: x.json:1: first\narena: x.json:2: second\nhint: look\n"
	if b.String() != want {
		t.Errorf("got %q, want %q", b.String(), want)
	}
}
