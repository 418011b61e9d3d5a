package content

import "testing"

func TestLoad(t *testing.T) {
	c, err := Load(FS)
	if err != nil {
		t.Fatal(err)
	}
	t.Log(len(c.Catalog.Models), len(c.Contracts), len(c.Errata), c.Texts(Pages), c.Texts(Benchmarks), c.Texts(Reports))
}
