package report

import (
	"errors"
	"fmt"

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

// point returns a deployment's point at a concurrency.
func (d *deployment) point(concurrency int) (board.LoadPoint, error) {
	for _, p := range d.curve.Points {
		if p.Concurrency == concurrency {
			return p, nil
		}
	}
	return board.LoadPoint{}, fmt.Errorf("%s was not measured at concurrency %d", d.id, concurrency)
}

// need returns a known number.
func need(x *float64, what string) (float64, error) {
	if x == nil {
		return 0, fmt.Errorf("%s is not reported", what)
	}
	return *x, nil
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

// seconds writes a time given in seconds.
func (w *writer) seconds(x float64) string { return w.p.Milliseconds(1000 * x) }

func meanTTFT(w *writer, a arguments) (string, error) {
	return atPoint(a, "mean TTFT", func(p board.LoadPoint) *float64 { return p.TTFT.Mean }, w.p.Milliseconds)
}

func p90TTFT(w *writer, a arguments) (string, error) {
	return atPoint(a, "P90 of TTFT", func(p board.LoadPoint) *float64 { return p.TTFT.P90 }, w.p.Milliseconds)
}

func meanITL(w *writer, a arguments) (string, error) {
	return atPoint(a, "mean ITL", func(p board.LoadPoint) *float64 { return p.ITL.Mean }, w.p.Milliseconds)
}

func meanLatency(w *writer, a arguments) (string, error) {
	return atPoint(a, "mean latency", func(p board.LoadPoint) *float64 { return p.Latency.Mean }, w.seconds)
}

func meanSpeed(w *writer, a arguments) (string, error) {
	return atPoint(a, "mean speed", func(p board.LoadPoint) *float64 { return p.Speed.Mean }, w.rate(0))
}

// atPoint writes a number of a load curve.
func atPoint(a arguments, what string, of func(board.LoadPoint) *float64, write func(float64) string) (string, error) {
	p, err := a.deployment.point(a.concurrency)
	if err != nil {
		return "", err
	}
	x, err := need(of(p), what)
	return write(x), err
}

// slowSpeed is the speed that nine of ten requests reach.
func (w *writer) slowSpeed(a arguments) (string, error) {
	slo, err := w.slo()
	if err != nil {
		return "", err
	}
	for _, c := range a.deployment.curve.Compliances(slo) {
		if c.Concurrency == a.concurrency {
			x, err := need(c.SlowSpeed, "speed of the slow requests")
			return w.rate(1)(x), err
		}
	}
	return "", fmt.Errorf("%s was not measured at concurrency %d", a.deployment.id, a.concurrency)
}

// latencySum is TTFT + (n−1) · ITL at a concurrency.
func (w *writer) latencySum(a arguments) (string, error) {
	slo, err := w.slo()
	if err != nil {
		return "", err
	}
	for _, c := range a.deployment.curve.Consistencies(slo) {
		if c.Concurrency == a.concurrency {
			x, err := need(c.SumMS, "sum")
			return w.p.Milliseconds(x), err
		}
	}
	return "", fmt.Errorf("%s was not measured at concurrency %d", a.deployment.id, a.concurrency)
}

// aggregate is the output of the whole machine as it follows from the latency.
func (w *writer) aggregate(a arguments) (string, error) {
	return w.output(a, func(x board.Aggregate) *float64 { return x.Actual })
}

// aggregatePrinted is the same as sources compute it: speed × concurrency.
func (w *writer) aggregatePrinted(a arguments) (string, error) {
	return w.output(a, func(x board.Aggregate) *float64 { return x.SpeedTimesC })
}

func (w *writer) output(a arguments, of func(board.Aggregate) *float64) (string, error) {
	slo, err := w.slo()
	if err != nil {
		return "", err
	}
	for _, x := range a.deployment.curve.Aggregates(slo) {
		if x.Concurrency == a.concurrency {
			v, err := need(of(x), "aggregate output")
			return w.rate(0)(v), err
		}
	}
	return "", fmt.Errorf("%s was not measured at concurrency %d", a.deployment.id, a.concurrency)
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
