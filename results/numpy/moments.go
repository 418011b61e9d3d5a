package numpy

import "math"

// Sum returns numpy.sum(list), to the bit. Numpy takes a list in buffers, and
// adds pairwise within one, so that a long list loses less than it would from
// left to right.
func Sum(list []float64) float64 {
	const buffer = 8192
	total := 0.
	for len(list) > buffer {
		total += sumPairwise(list[:buffer])
		list = list[buffer:]
	}
	return total + sumPairwise(list)
}

func sumPairwise(list []float64) float64 {
	const block = 128
	n := len(list)
	switch {
	case n < 8:
		total := 0.
		for _, x := range list {
			total += x
		}
		return total
	case n <= block:
		return sumBlock(list)
	}
	half := n / 2
	half -= half % 8
	return sumPairwise(list[:half]) + sumPairwise(list[half:])
}

// sumBlock adds at least eight numbers in eight columns.
func sumBlock(list []float64) float64 {
	r := [8]float64(list)
	i := 8
	for ; i+8 <= len(list); i += 8 {
		for j := range r {
			r[j] += list[i+j]
		}
	}
	total := ((r[0] + r[1]) + (r[2] + r[3])) + ((r[4] + r[5]) + (r[6] + r[7]))
	for _, x := range list[i:] {
		total += x
	}
	return total
}

// Mean returns numpy.mean(list), NaN for an empty list.
func Mean(list []float64) float64 { return Sum(list) / float64(len(list)) }

// Std returns numpy.std(list): the standard deviation of a population (ddof 0),
// NaN for an empty list.
func Std(list []float64) float64 {
	mean := Mean(list)
	squares := make([]float64, len(list))
	for i, x := range list {
		squares[i] = float64((x - mean) * (x - mean))
	}
	return math.Sqrt(Mean(squares))
}

// Median returns numpy.median(sorted), NaN for an empty list. Sorted holds finite
// values in ascending order.
func Median(sorted []float64) float64 {
	n := len(sorted)
	if n == 0 {
		return math.NaN()
	}
	if n%2 == 1 {
		return sorted[n/2]
	}
	return (sorted[n/2-1] + sorted[n/2]) / 2
}
