package report

import (
	"errors"
	"fmt"
	"slices"

	"example.org/arena/results/metric"
	"example.org/arena/site/board"
	"example.org/arena/site/format"
)

// bases are the ways to count users, in the order of the table.
var bases = []board.Basis{board.BasisP90, board.BasisMean, board.BasisSlow}

// slo returns the report's limits, with the number of tokens that every request of
// its load curves generates.
func (w *writer) slo() (board.SLO, error) {
	limits := w.src.Report.Limits
	if limits == nil {
		return board.SLO{}, errors.New("the report states no [limits]")
	}
	n, err := w.outputTokens()
	return board.SLO{
		OutputTokens: n, ThinkS: limits.ThinkTimeS, TTFTMS: limits.TTFTLimitMS, Speed: limits.SpeedLimitTokPerS,
	}, err
}

// outputTokens returns how many tokens every request of the load curves generates.
func (w *writer) outputTokens() (int, error) {
	n := 0
	for _, d := range w.all {
		if d.curve.Test == nil {
			return 0, fmt.Errorf("%s has no test at several levels of concurrency", d.id)
		}
		for _, c := range d.curve.Test.Cells {
			if n != 0 && c.OutputTokens != n {
				return 0, fmt.Errorf("requests of %d and of %d output tokens: the load curves need one length", n, c.OutputTokens)
			}
			n = c.OutputTokens
		}
	}
	return n, nil
}

// index returns the index of a concurrency in the points of a deployment's load curve
// and in every list that board makes of them; -1 when it was not measured.
func (d *deployment) index(concurrency int) int {
	return slices.IndexFunc(d.curve.Points, func(p board.LoadPoint) bool { return p.Concurrency == concurrency })
}

func (w *writer) tokens(arguments) (string, error) {
	n, err := w.outputTokens()
	return w.p.Integer(int64(n)), err
}

func (w *writer) think(arguments) (string, error) {
	slo, err := w.slo()
	return format.ExactMilliseconds(w.p, slo.ThinkS*1000), err
}

func (w *writer) ttftLimit(arguments) (string, error) {
	slo, err := w.slo()
	return format.ExactMilliseconds(w.p, slo.TTFTMS), err
}

func (w *writer) speedLimit(arguments) (string, error) {
	slo, err := w.slo()
	return w.rate(0)(slo.Speed), err
}

// rate writes a rate of tokens with its unit.
func (w *writer) rate(digits int) func(float64) string {
	return func(x float64) string { return w.p.Quantity(x, digits, string(metric.TokensPerS)) }
}

func (w *writer) milliseconds(ms float64) string { return w.p.Milliseconds(ms) }

func (w *writer) wholeRate(x float64) string { return w.rate(0)(x) }

func (w *writer) tenthRate(x float64) string { return w.rate(1)(x) }

// seconds writes a time given in seconds.
func (w *writer) seconds(x float64) string { return w.p.Milliseconds(1000 * x) }

// pointFigure is a figure of what a load curve measured at a concurrency.
func pointFigure(what string, of func(board.LoadPoint) *float64, write func(*writer, float64) string) func(*writer, arguments) (string, error) {
	return func(w *writer, a arguments) (string, error) {
		return writeAt(w, a, a.deployment.curve.Points, of, what, write)
	}
}

// limitFigure is a figure that follows from a load curve and the report's limits at
// a concurrency.
func limitFigure[T any](what string, list func(board.LoadCurve, board.SLO) []T, of func(T) *float64, write func(*writer, float64) string) func(*writer, arguments) (string, error) {
	return func(w *writer, a arguments) (string, error) {
		slo, err := w.slo()
		if err != nil {
			return "", err
		}
		return writeAt(w, a, list(a.deployment.curve, slo), of, what, write)
	}
}

// writeAt writes a number of the list's entry at a concurrency. One that was not
// measured or not reported is an error.
func writeAt[T any](w *writer, a arguments, list []T, of func(T) *float64, what string, write func(*writer, float64) string) (string, error) {
	at := a.deployment.index(a.concurrency)
	if at < 0 {
		return "", fmt.Errorf("%s was not measured at concurrency %d", a.deployment.id, a.concurrency)
	}
	x := of(list[at])
	if x == nil {
		return "", fmt.Errorf("%s is not reported", what)
	}
	return write(w, *x), nil
}

// peakC is the concurrency of the largest output as sources compute it.
func (w *writer) peakC(a arguments) (string, error) {
	slo, err := w.slo()
	c, _ := board.Peaks(a.deployment.curve.Aggregates(slo))
	return w.p.Integer(int64(c)), err
}

// speedUp is the variant's speed as a multiple of the base's.
func (w *writer) speedUp(a arguments) (string, error) {
	for _, s := range board.SpeedUps(a.pair.base.curve, a.pair.variant.curve) {
		if s.Concurrency == a.concurrency {
			return w.p.Multiple(s.Ratio, ratioDigits), nil
		}
	}
	return "", fmt.Errorf("pair %s has no speed at concurrency %d", a.pair.id, a.concurrency)
}

// breakEven is the interpolated concurrency at which the variant stops paying.
func (w *writer) breakEven(a arguments) (string, error) {
	b, err := a.pair.breakEven()
	return w.p.Number(b.Concurrency, 1), err
}

// breakEvenBelow is the highest measured concurrency at which it pays.
func (w *writer) breakEvenBelow(a arguments) (string, error) {
	b, err := a.pair.breakEven()
	return w.p.Integer(int64(b.Below)), err
}

// breakEvenAbove is the next measured concurrency, at which it no longer does.
func (w *writer) breakEvenAbove(a arguments) (string, error) {
	b, err := a.pair.breakEven()
	return w.p.Integer(int64(b.Above)), err
}

func (p pair) breakEven() (board.BreakEven, error) {
	b := board.BreakEvenOf(board.SpeedUps(p.base.curve, p.variant.curve))
	if !b.Known {
		return b, fmt.Errorf("pair %s has no break-even between measured concurrencies", p.id)
	}
	return b, nil
}

// users is the number of users on a basis.
func (w *writer) users(a arguments) (string, error) {
	u, err := w.usersOf(a.deployment, a.basis)
	return w.p.Number(u.Users, 0), err
}

// cMax is the concurrency behind users.
func (w *writer) cMax(a arguments) (string, error) {
	u, err := w.usersOf(a.deployment, a.basis)
	return w.p.Integer(int64(u.Concurrency)), err
}

// usersRatio is the users of one deployment as a multiple of another's.
func (w *writer) usersRatio(a arguments) (string, error) {
	x, err := w.usersOf(a.deployment, a.basis)
	if err != nil {
		return "", err
	}
	y, err := w.usersOf(a.other, a.basis)
	if err != nil {
		return "", err
	}
	return w.p.Multiple(x.Users/y.Users, 1), nil
}

func (w *writer) usersOf(d *deployment, b board.Basis) (board.Users, error) {
	slo, err := w.slo()
	if err != nil {
		return board.Users{}, err
	}
	u := d.curve.UsersOf(b, slo)
	if !u.Known {
		return u, fmt.Errorf("%s meets the limits at no concurrency on basis %s", d.id, b)
	}
	return u, nil
}
