package verdict

import (
	"example.org/arena/results/bundle"
	"example.org/arena/results/contract"
	"example.org/arena/results/facts"
)

// Rules are what bundles are judged by.
type Rules struct {
	Contracts []*contract.Contract
	Facts     facts.Catalog
}

// Judge judges a bundle by the contract that it pins, if that is at hand, and by
// what is known about its platform and its model.
func (r Rules) Judge(b *bundle.Bundle) Run {
	var c *contract.Contract
	if b.Contract != nil {
		c = r.Contract(b.Contract.SHA256)
	}
	var platform *facts.Platform
	if p, ok := r.Facts.Platform(b.Platform); ok {
		platform = &p
	}
	var model *facts.Model
	if m, _, ok := r.Facts.Checkpoint(b.Model.ID); ok {
		model = &m
	}
	return Of(b, c, platform, model)
}

// Contract returns the contract whose file has the SHA-256, or nil.
func (r Rules) Contract(sha256 string) *contract.Contract {
	for _, c := range r.Contracts {
		if c != nil && c.Digest == sha256 {
			return c
		}
	}
	return nil
}
