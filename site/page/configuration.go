package page

import (
	"cmp"
	"slices"
	"strings"

	"example.org/arena/results/verdict"
	"example.org/arena/site/board"
)

// A Configuration is what a model page is about: one model, precision and set of
// server settings on one platform, as one source measured it.
type Configuration struct {
	Key   board.ConfigKey
	Slug  string       // model and profile as they stand in addresses
	Board *board.Board // the board it stands on; one without rows for a withdrawn bundle
	Row   *board.Row   // of the run shown
	Runs  []Standing   // the source's runs, the one shown first

	MeasuredTests int // tests of the run shown that have a measured cell

	family string // what it shares with the other configurations of its model
}

// A Standing is a run of a configuration with what became of it.
type Standing struct {
	Summary
	Reasons   []verdict.Reason // why it is not current; empty for one that is
	Withdrawn bool             // it was retracted or superseded
}

// Run returns the run that a configuration's page shows. It is the only way to a
// bundle, to what became of its tests and to what the audit found; it reads and judges
// the bundle anew, so that nothing of it is held between pages.
func (s *Site) Run(c *Configuration) (*verdict.Run, error) {
	b, err := s.open(c.Shown().ID)
	if err != nil {
		return nil, err
	}
	return new(s.rules.Judge(b)), nil
}

// measuredTests counts the tests with a measured cell. A test that no contract knows
// is one that the bundle has.
func measuredTests(tests []verdict.Status) int {
	n := 0
	for _, s := range tests {
		if s.Measured > 0 || s.Number == 0 {
			n++
		}
	}
	return n
}

// Name is the name of the model as its vendor writes it.
func (c *Configuration) Name() string { return modelName(c.Row) }

// Title is the name of the model with the name of the settings.
func (c *Configuration) Title() string { return c.Name() + " " + c.Key.Profile }

func modelName(r *board.Row) string {
	if r.Family != nil {
		return r.Family.Name
	}
	return r.Config.Model
}

// Route is the address of the configuration's page.
func (c *Configuration) Route() Route { return RouteModels + Route(c.Slug+"/") }

// Shown is the run that the page shows.
func (c *Configuration) Shown() Standing { return c.Runs[0] }

// Value returns the value of the run shown in a column of its board, and whether
// the board has the column.
func (c *Configuration) Value(column string) (verdict.Value, bool) {
	col, ok := c.Board.Column(column)
	if !ok {
		return verdict.Value{}, false
	}
	return c.Board.Value(c.Row, col), true
}

// Limits are the limits on the first token that the contract states, in ms; none
// without a contract.
func (c *Configuration) Limits() []int {
	if c.Board.Contract == nil {
		return nil
	}
	return c.Board.Contract.TTFTLimits
}

// MiddleLimit is the limit on the first token that headlines use, 0 when there is
// none.
func MiddleLimit(limits []int) int {
	if len(limits) == 0 {
		return 0
	}
	return limits[len(limits)/2]
}

// ByName lists the configurations as a reader looks for them: by the model's name.
func (s *Site) ByName() []*Configuration {
	out := slices.Clone(s.Configurations)
	slices.SortStableFunc(out, func(x, y *Configuration) int {
		return cmp.Or(
			cmp.Compare(strings.ToLower(x.Name()), strings.ToLower(y.Name())),
			cmp.Compare(x.Key.Profile, y.Key.Profile),
		)
	})
	return out
}
