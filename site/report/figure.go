package report

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"example.org/arena/results/audit"
	"example.org/arena/results/metric"
	"example.org/arena/results/verdict"
	"example.org/arena/site/board"
)

// A figure is a number that a text may name.
type figure struct {
	takes []argument
	write func(*writer, arguments) (string, error)
}

// figures are all figures by name.
var figures = map[string]figure{
	"tokens":      {nil, (*writer).tokens},
	"think":       {nil, (*writer).think},
	"ttft-limit":  {nil, (*writer).ttftLimit},
	"speed-limit": {nil, (*writer).speedLimit},

	"ttft":     {atLevel, pointFigure("mean TTFT", func(p board.LoadPoint) *float64 { return p.TTFT.Mean }, (*writer).milliseconds)},
	"ttft-p90": {atLevel, pointFigure("P90 of TTFT", func(p board.LoadPoint) *float64 { return p.TTFT.P90 }, (*writer).milliseconds)},
	"itl":      {atLevel, pointFigure("mean ITL", func(p board.LoadPoint) *float64 { return p.ITL.Mean }, (*writer).milliseconds)},
	"latency":  {atLevel, pointFigure("mean latency", func(p board.LoadPoint) *float64 { return p.Latency.Mean }, (*writer).seconds)},
	"speed":    {atLevel, pointFigure("mean speed", func(p board.LoadPoint) *float64 { return p.Speed.Mean }, (*writer).wholeRate)},

	"slow-speed":        {atLevel, limitFigure("speed of the slow requests", board.LoadCurve.Compliances, func(c board.Compliance) *float64 { return c.SlowSpeed }, (*writer).tenthRate)},
	"latency-sum":       {atLevel, limitFigure("sum", board.LoadCurve.Consistencies, func(c board.Consistency) *float64 { return c.SumMS }, (*writer).milliseconds)},
	"aggregate":         {atLevel, limitFigure("aggregate output", board.LoadCurve.Aggregates, func(x board.Aggregate) *float64 { return x.Actual }, (*writer).wholeRate)},
	"aggregate-printed": {atLevel, limitFigure("aggregate output", board.LoadCurve.Aggregates, func(x board.Aggregate) *float64 { return x.SpeedTimesC }, (*writer).wholeRate)},
	"peak-c":            {[]argument{aDeployment}, (*writer).peakC},

	"speed-up":         {[]argument{aPair, aConcurrency}, (*writer).speedUp},
	"break-even":       {[]argument{aPair}, (*writer).breakEven},
	"break-even-below": {[]argument{aPair}, (*writer).breakEvenBelow},
	"break-even-above": {[]argument{aPair}, (*writer).breakEvenAbove},

	"users":       {[]argument{aDeployment, aBasis}, (*writer).users},
	"users-ratio": {[]argument{aDeployment, aDeployment, aBasis}, (*writer).usersRatio},
	"c-max":       {[]argument{aDeployment, aBasis}, (*writer).cMax},

	"value":    {atCell(aDeployment, aMetric, aStatistic), (*writer).value},
	"ratio":    {atCell(aPair, aMetric, aStatistic), (*writer).ratio},
	"change":   {atCell(aPair, aMetric, aStatistic), (*writer).change},
	"requests": {atCell(aDeployment), (*writer).requests},
	"window":   {atCell(aDeployment), (*writer).window},

	"tokens-in":  {atCell(aDeployment), (*writer).tokensIn},
	"tokens-out": {atCell(aDeployment), (*writer).tokensOut},

	"weights":       {[]argument{aDeployment}, (*writer).weights},
	"weights-ratio": {[]argument{aPair}, (*writer).weightsRatio},
	"memory":        {[]argument{aDeployment}, (*writer).memory},
}

// atLevel are the arguments of a figure of a load curve.
var atLevel = []argument{aDeployment, aConcurrency}

// atCell are the arguments of a figure of one cell of a test.
func atCell(of argument, rest ...argument) []argument {
	return append([]argument{of, aTest, aPoint}, rest...)
}

// An argument is a kind of word behind the name of a figure, as docs/reports.md
// writes it.
type argument string

const (
	aDeployment  argument = "DEPLOYMENT"
	aPair        argument = "PAIR"
	aConcurrency argument = "CONCURRENCY"
	aBasis       argument = "BASIS"
	aTest        argument = "TEST"
	aPoint       argument = "POINT"
	aMetric      argument = "METRIC"
	aStatistic   argument = "STATISTIC"
)

// arguments are the words behind the name of a figure, read.
type arguments struct {
	deployment  *deployment
	other       *deployment // the second deployment of a figure that takes two
	pair        pair
	concurrency int
	basis       board.Basis
	test        string
	point       audit.Point
	metric      metric.Key
	statistic   verdict.Statistic
}

// figure writes a figure, given its name and arguments.
func (w *writer) figure(words []string) (string, error) {
	if len(words) == 0 {
		return "", errors.New("double braces without the name of a figure")
	}
	name, words := words[0], words[1:]
	f, ok := figures[name]
	if !ok {
		return "", fmt.Errorf("there is no figure %q; there are %s", name, list(figures))
	}
	if len(words) != len(f.takes) {
		return "", fmt.Errorf("figure %s has %d arguments; want %s", name, len(words), f.usage(name))
	}
	if len(w.all) < len(w.src.Report.Deployments) {
		return "", nil // a bundle is missing, which is a fault already
	}
	var a arguments
	for i, word := range words {
		if err := w.read(&a, f.takes[i], word); err != nil {
			return "", fmt.Errorf("figure %s: %w", name, err)
		}
	}
	text, err := f.write(w, a)
	if err != nil {
		return "", fmt.Errorf("figure %s: %w", name, err)
	}
	return text, nil
}

// usage is how a figure is written in a text.
func (f figure) usage(name string) string {
	words := []string{name}
	for _, a := range f.takes {
		words = append(words, string(a))
	}
	return "{{" + strings.Join(words, " ") + "}}"
}

// read reads a word as an argument.
func (w *writer) read(a *arguments, kind argument, word string) (err error) {
	switch kind {
	case aDeployment:
		at := &a.deployment
		if *at != nil {
			at = &a.other
		}
		*at, err = w.deployment(word)
	case aPair:
		a.pair, err = w.pair(word)
	case aConcurrency:
		if a.concurrency, err = strconv.Atoi(word); err != nil {
			err = fmt.Errorf("%q is not a concurrency", word)
		}
	case aBasis:
		a.basis = board.Basis(word)
		if !slices.Contains(bases, a.basis) {
			err = fmt.Errorf("there is no basis %q; there are %v", word, bases)
		}
	case aTest:
		a.test = word
	case aPoint:
		a.point, err = readPoint(word)
	case aMetric:
		a.metric = metric.Key(word)
		if _, ok := metric.Lookup(a.metric); !ok {
			err = fmt.Errorf("there is no metric %q", word)
		}
	case aStatistic:
		a.statistic, err = readStatistic(word)
	}
	return err
}

// statistics are the statistics by the word for each.
var statistics = map[string]verdict.Statistic{
	"value": verdict.Single, "mean": verdict.Mean, "p50": verdict.P50, "p90": verdict.P90, "p95": verdict.P95, "p99": verdict.P99,
}

func readStatistic(word string) (verdict.Statistic, error) {
	s, ok := statistics[word]
	if !ok {
		return s, fmt.Errorf("there is no statistic %q; there are %s", word, list(statistics))
	}
	return s, nil
}

// onlyCell stands for the cell of a test that has one.
const onlyCell = "-"

// readPoint reads where in a test a cell lies: "c=10", "p=8192,c=1", "r=0.5".
func readPoint(word string) (audit.Point, error) {
	var at audit.Point
	if word == onlyCell {
		return at, nil
	}
	for part := range strings.SplitSeq(word, ",") {
		key, text, _ := strings.Cut(part, "=")
		number, err := strconv.ParseFloat(text, 64)
		switch {
		case err != nil || number <= 0:
			return at, fmt.Errorf("%q is not a point: want c=CONCURRENCY, p=PROMPT TOKENS or r=REQUESTS PER SECOND, with commas between", word)
		case key == "c":
			at.Concurrency = int(number)
		case key == "p":
			at.PromptTokens = int(number)
		case key == "r":
			at.RequestRate = number
		default:
			return at, fmt.Errorf("%q is not a point: %s is none of c, p and r", word, key)
		}
	}
	return at, nil
}
