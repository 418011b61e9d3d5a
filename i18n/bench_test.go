package i18n

import "testing"

func BenchmarkNumber(b *testing.B) {
	p := formats(b, nil).Printer(FR)
	for b.Loop() {
		p.Number(1234.5, 1)
	}
}

func BenchmarkQuantity(b *testing.B) {
	p := formats(b, nil).Printer(FR)
	for b.Loop() {
		p.Quantity(1234.5, 1, "tok/s")
	}
}

func BenchmarkText(b *testing.B) {
	p := sample(b).Printer(NL)
	for b.Loop() {
		p.T("board.share", "share", 0.34, "n", 300, "limit", 2000.0)
	}
}
