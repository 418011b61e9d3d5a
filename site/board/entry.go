package board

import (
	"cmp"

	"example.org/arena/results/bundle"
	"example.org/arena/results/verdict"
)

// An Entry is what boards keep of one bundle: what became of its tests and of the
// values that its board shows, without figures or requests. It follows from the
// bundle, its contract and the facts about its platform and model, and from
// nothing else, so that a build can keep it for the next one: all of it can be
// written with encoding/gob, infinite numbers included.
type Entry struct {
	ID         string // SHA-256 of the bundle's bytes, lower-case hex
	Config     ConfigKey
	Key        Key    // of the board that it belongs on
	StartedAt  string // RFC 3339
	Supersedes string // id of the bundle that this one corrects; may be empty
	Dirty      bool   // measured with modified code
	Precision  string // as the bundle says; empty when it does not
	Values     []verdict.Value
	Tests      []verdict.Status // the contract's tests in its order, then others the bundle has
	Draft      bool             // a draft model or method was in use
	Server     string           // name of the server program
	Settings   []Setting        // of server and host, by kind
}

// EntryOf returns what boards keep of a bundle that was judged.
func EntryOf(id string, run *verdict.Run) Entry {
	b := run.Source
	e := Entry{
		ID: id, Config: configOf(b), Key: keyOf(b), StartedAt: b.StartedAt, Supersedes: b.Supersedes,
		Dirty: b.Engine.Dirty, Precision: b.Model.Quantisation,
		Draft: b.Draft != nil, Server: b.Server.Name, Settings: Settings(b),
	}
	if run.Contract != nil {
		for _, c := range Columns(run.Contract) {
			e.Values = append(e.Values, run.Value(c.Quantity))
		}
	}
	for _, t := range run.Tests {
		e.Tests = append(e.Tests, t.Status)
	}
	return e
}

func configOf(b *bundle.Bundle) ConfigKey {
	return ConfigKey{Platform: b.Platform, Model: b.Model.ID, Profile: b.Profile}
}

func keyOf(b *bundle.Bundle) Key {
	k := Key{Platform: b.Platform, Kind: b.Kind}
	if b.Contract != nil {
		k.Contract, k.Digest = b.Contract.Version, b.Contract.SHA256
	}
	if b.Kind == bundle.Import && b.Source != nil {
		k.Source = cmp.Or(b.Source.URL, b.Source.Title)
	}
	return k
}
