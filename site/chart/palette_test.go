package chart

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"
)

// roleColours are all colours that may occur in a chart, with the name of the
// property that css/chart.css gives their role.
func roleColours() map[string]string {
	roles := map[string]string{
		ground: "ground", ink: "ink", muted: "muted", hair: "hair", rule: "rule", bound: "bound",
	}
	for i := range MaxSeries {
		roles[strokes[i]] = fmt.Sprint(i)
		roles[inks[i]] = fmt.Sprintf("text-%d", i)
		roles[tints[i]] = fmt.Sprintf("tint-%d", i)
	}
	for i, name := range []string{"met", "near", "missed", "unmeasured"} {
		roles[states[i].fill] = name
	}
	return roles
}

// TestStyleSheet compares the palette with the style sheet: every role has a
// rule, no rule is for anything else, and every property has a light and a dark
// value.
func TestStyleSheet(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile("../../templates/css/chart.css")
	if err != nil {
		t.Fatal(err)
	}
	css := string(data)
	roles := roleColours()
	if want := 6 + 3*MaxSeries + len(states); len(roles) != want {
		t.Errorf("%d colours for %d roles: two roles share one", len(roles), want)
	}
	light, dark, ok := strings.Cut(css, "@media (prefers-color-scheme: dark)")
	if !ok {
		t.Fatal("the style sheet has no dark part")
	}
	dark, _, _ = strings.Cut(dark, "/* The picture")
	for colour, role := range roles {
		for name, part := range map[string]string{"light": light, "dark": dark} {
			if !strings.Contains(part, "--chart-"+role+": ") {
				t.Errorf("--chart-%s has no %s value", role, name)
			}
		}
		if !strings.Contains(css, `="`+colour+`"]`) {
			t.Errorf("no rule for %s (%s)", colour, role)
		}
	}
	rules := regexp.MustCompile(`\.chart \[(fill|stroke)="(#[0-9a-f]{6})"\](?:,\s+\.chart \[(?:fill|stroke)="#[0-9a-f]{3}"\])?\s+\{\s+(fill|stroke): var\(--chart-([a-z0-9-]+)\);`).FindAllStringSubmatch(css, -1)
	short := len(regexp.MustCompile(`\.chart \[(?:fill|stroke)="#[0-9a-f]{3}"\]`).FindAllString(css, -1)) // what a minifier makes of a role
	if got := strings.Count(css, ".chart [") - short; len(rules) != got {
		t.Errorf("%d of %d rules were understood", len(rules), got)
	}
	for _, m := range rules {
		if m[1] != m[3] || roles[m[2]] != m[4] {
			t.Errorf("the rule for %s of %s sets %s to %s", m[1], m[2], m[3], m[4])
		}
	}
}
