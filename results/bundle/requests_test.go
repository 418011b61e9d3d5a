package bundle_test

import (
	"testing"

	"example.org/arena/results/bundle"
)

func TestEnded(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name             string
		requests         *bundle.Requests
		prompts          int
		completed, total int
		ok               bool
	}{
		{"not stated", nil, 200, 0, 0, false},
		{"only completed", &bundle.Requests{Completed: new(150)}, 200, 150, 200, true},
		{"only completed, contract unknown", &bundle.Requests{Completed: new(150)}, 0, 150, 150, false},
		{"failed counted", &bundle.Requests{Completed: new(150), Failed: new(2)}, 200, 150, 152, true},
		{"never answered", &bundle.Requests{Completed: new(150), Failed: new(2), Planned: new(200)}, 0, 150, 200, true},
	}
	for _, c := range cases {
		completed, total, ok := c.requests.Ended(c.prompts)
		if completed != c.completed || total != c.total || ok != c.ok {
			t.Errorf("%s: Ended = %d, %d, %v", c.name, completed, total, ok)
		}
	}
}
