// Package numpy reproduces parts of Python's numpy to the bit: the random stream
// behind numpy.random.default_rng(seed), bounded integers drawn from it, and the
// linear percentile. Benchmark tools draw their load from these streams, so that
// a seed fixes what they send; and published percentiles are numpy's.
//
// It is not a source of randomness for anything else, and not a statistics
// package. Results do not depend on the machine: no product is fused with a sum.
package numpy
