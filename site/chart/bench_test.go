package chart

import (
	"fmt"
	"testing"
)

// BenchmarkRender draws figures that no cache knows: two pictures each.
func BenchmarkRender(b *testing.B) {
	for name, s := range sampleSpecs() {
		b.Run(name, func(b *testing.B) {
			r := newRenderer(b, 1)
			if _, err := r.Render(b.Context(), "warm", s); err != nil {
				b.Fatal(err)
			}
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				r.cache = NewMemory()
				if _, err := r.Render(b.Context(), fmt.Sprintf("c%d", i), s); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(2*float64(b.N)/b.Elapsed().Seconds(), "pictures/s")
		})
	}
}

// BenchmarkCached is what a warm cache saves down to.
func BenchmarkCached(b *testing.B) {
	r := newRenderer(b, 1)
	for b.Loop() {
		if _, err := r.Render(b.Context(), "c", sampleConcurrency()); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkEngine is the start of one JavaScript machine.
func BenchmarkEngine(b *testing.B) {
	bundle := library(b)
	for b.Loop() {
		e, err := newEngine(bundle)
		if err != nil {
			b.Fatal(err)
		}
		e.close()
	}
}
