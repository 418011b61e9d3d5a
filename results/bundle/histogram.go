package bundle

import (
	"fmt"
	"math/bits"
	"slices"
)

// A Histogram counts values above zero on a scale that is linear up to 64 and then
// has 64 buckets an octave, each at most 1/64 wide of what it holds: see Bucket.
// Count and Sum are exact. Buckets without a value are left out.
type Histogram struct {
	Count  int64   `json:"count"`  // values
	Sum    int64   `json:"sum"`    // of all values, in their unit
	Bucket []int   `json:"bucket"` // numbers of buckets, ascending
	Values []int64 `json:"values"` // how many values each holds
}

// subBuckets is the number of buckets an octave.
const subBuckets = 64

// Bucket returns the number of the bucket that holds a value: the value itself up
// to 63, and from there on 64 buckets for each doubling. Negative values count as
// 0.
func Bucket(v int64) int {
	if v < subBuckets {
		return int(max(v, 0))
	}
	octave := bits.Len64(uint64(v)) - 7 // 0 for 64…127
	return subBuckets*octave + int(v>>octave)
}

// BucketRange returns the lowest value of a bucket and the lowest of the next.
func BucketRange(bucket int) (from, to int64) {
	if bucket < 2*subBuckets {
		return int64(bucket), int64(bucket) + 1
	}
	octave := bucket/subBuckets - 1
	from = int64(bucket-subBuckets*octave) << octave
	return from, from + 1<<octave
}

// HistogramOf counts values.
func HistogramOf(values []int64) *Histogram {
	counts := map[int]int64{}
	h := &Histogram{Bucket: []int{}, Values: []int64{}}
	for _, v := range values {
		h.Count++
		h.Sum += max(v, 0)
		counts[Bucket(v)]++
	}
	for b := range counts {
		h.Bucket = append(h.Bucket, b)
	}
	slices.Sort(h.Bucket)
	for _, b := range h.Bucket {
		h.Values = append(h.Values, counts[b])
	}
	return h
}

// Percentile returns the value below which p percent of the values lie, p in
// (0,100), interpolated inside its bucket; false without values. It is off by one
// bucket at most.
func (h *Histogram) Percentile(p float64) (float64, bool) {
	if h == nil || h.Count == 0 || !(0 < p && p < 100) {
		return 0, false
	}
	rank := p / 100 * float64(h.Count)
	before := 0.0
	for i, n := range h.Values {
		if before+float64(n) >= rank {
			from, to := BucketRange(h.Bucket[i])
			if to-from == 1 {
				return float64(from), true
			}
			return float64(from) + float64(float64(to-from)*((rank-before)/float64(n))), true
		}
		before += float64(n)
	}
	return 0, false
}

// histogram reports buckets out of order, and counts that do not add up.
func (c *checker) histogram(at string, h *Histogram) {
	if h == nil {
		return
	}
	if len(h.Bucket) != len(h.Values) {
		c.faultf(at+"/values", "%d entries, but bucket has %d", len(h.Values), len(h.Bucket))
		return
	}
	total := int64(0)
	for i, n := range h.Values {
		if n < 1 {
			c.faultf(fmt.Sprintf("%s/values/%d", at, i), "%d values; leave an empty bucket out", n)
		}
		if h.Bucket[i] < 0 || i > 0 && h.Bucket[i] <= h.Bucket[i-1] {
			c.faultf(fmt.Sprintf("%s/bucket/%d", at, i), "%d is negative, or not above the bucket before it", h.Bucket[i])
		}
		total += n
	}
	if total != h.Count {
		c.faultf(at+"/count", "%d, but the buckets hold %d", h.Count, total)
	}
	c.count(at+"/sum", h.Sum)
}
