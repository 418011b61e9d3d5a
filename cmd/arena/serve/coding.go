package serve

import (
	"path"
	"slices"
	"strconv"
	"strings"
)

// A coding is a form of compressed copies.
type coding struct {
	name string // as HTTP calls it
	ext  string // of the copies' names
}

// The codings, the smaller one first.
var codings = []coding{{"br", ".br"}, {"gzip", ".gz"}}

// isCopy reports whether a file has the name of a compressed copy.
func isCopy(name string) bool {
	return slices.ContainsFunc(codings, func(c coding) bool { return path.Ext(name) == c.ext })
}

// accepted lists the codings that a reader takes, best first, given its
// Accept-Encoding headers (RFC 9110, 12.5.3). Codings that it likes less than none
// at all are left out.
func accepted(headers []string) []coding {
	quality := map[string]float64{}
	for part := range strings.SplitSeq(strings.Join(headers, ","), ",") {
		name, q := preference(part)
		if name != "" {
			quality[name] = q
		}
	}
	of := func(c coding) float64 {
		if q, ok := quality[c.name]; ok {
			return q
		}
		return quality["*"]
	}
	var list []coding
	for _, c := range codings {
		if q := of(c); q > 0 && q >= quality["identity"] {
			list = append(list, c)
		}
	}
	slices.SortStableFunc(list, func(a, b coding) int {
		switch {
		case of(a) > of(b):
			return -1
		case of(a) < of(b):
			return 1
		}
		return 0
	})
	return list
}

// preference reads "gzip;q=0.5". The quality lies in [0,1]; one that cannot be
// read is 0.
func preference(part string) (name string, q float64) {
	name, rest, weighted := strings.Cut(part, ";")
	name = strings.ToLower(strings.TrimSpace(name))
	if !weighted {
		return name, 1
	}
	value, ok := strings.CutPrefix(strings.ToLower(strings.ReplaceAll(rest, " ", "")), "q=")
	q, err := strconv.ParseFloat(value, 64)
	if !ok || err != nil || !(q >= 0 && q <= 1) {
		return name, 0
	}
	return name, q
}
