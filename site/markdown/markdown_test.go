package markdown

import (
	"slices"
	"strings"
	"testing"
)

func TestRender(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, source string
		want         []string
		not          []string
	}{
		{"heading with id", "## Why {#why}\n", []string{`<h2 id="why">Why</h2>`}, nil},
		{"table without style", "|a|b|\n|:-|-:|\n|1|2|\n", []string{`<td align="right">2</td>`}, []string{"style="}},
		{"raw HTML is dropped", "a <script>alert(1)</script> b\n", []string{"a "}, []string{"<script"}},
		{"script addresses are dropped", "[x](javascript:alert(1))\n", []string{`<a href="">x</a>`}, []string{"javascript"}},
		{"code stays", "`a<b`\n", []string{"<code>a&lt;b</code>"}, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, _, err := New().Render([]byte(tt.source))
			if err != nil {
				t.Fatal(err)
			}
			for _, want := range tt.want {
				if !strings.Contains(string(got), want) {
					t.Errorf("got %q, want it to contain %q", got, want)
				}
			}
			for _, not := range tt.not {
				if strings.Contains(string(got), not) {
					t.Errorf("got %q, want no %q", got, not)
				}
			}
		})
	}
}

func TestHeadings(t *testing.T) {
	t.Parallel()
	_, got, err := New().Render([]byte("# A *b* {#top}\n\ntext\n\n### C {#c}\n"))
	if err != nil {
		t.Fatal(err)
	}
	want := []Heading{{1, "top", "A b"}, {3, "c", "C"}}
	if !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestFill(t *testing.T) {
	t.Parallel()
	got, err := Fill("x.md", []byte("{{.N}} runs"), struct{ N string }{"3"})
	if err != nil || string(got) != "3 runs" {
		t.Errorf("got %q, %v", got, err)
	}
	if _, err := Fill("x.md", []byte("a\n{{.M}}"), struct{ N string }{"3"}); err == nil || !strings.Contains(err.Error(), "x.md:2") {
		t.Errorf("got error %v, want one that names x.md:2", err)
	}
}
