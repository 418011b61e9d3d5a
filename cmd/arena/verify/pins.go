package verify

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"example.org/arena/results/bundle"
	"example.org/arena/results/tomlfile"
)

// pins checks what a bundle in dir fixes beside its own bytes. Published results
// must pin everything; elsewhere what is missing is not a fault.
func (v *verifier) pins(ctx context.Context, dir string, at place, b *bundle.Bundle) (faults, warnings tomlfile.Faults, err error) {
	add := func(key, code, message string) {
		f := tomlfile.Fault{Key: key, Code: code, Message: message}
		if at.published {
			faults = append(faults, f)
		} else {
			warnings = append(warnings, f)
		}
	}
	if at.published && b.Kind == bundle.Simulated {
		add("/kind", CodeSimulated, "a simulated bundle never lies under results")
	}
	if known := v.options.Platforms; len(known) > 0 && !slices.Contains(known, b.Platform) {
		add("/platform", CodePlatform, fmt.Sprintf("platform %q is not known; known are %s", b.Platform, strings.Join(known, ", ")))
	}
	if b.Engine.Dirty {
		add("/engine/dirty", CodeDirty, "the program that wrote it differed from its revision, so it cannot be published")
	}
	if b.Engine.Revision == "" {
		add("/engine/revision", CodeEngineRevision, "the program that wrote it had no revision, so it cannot be published")
	}
	if k := b.Contract; k != nil {
		if k.Revision == "" {
			add("/contract/revision", CodeContractRevision, "the revision of the contract is not pinned, so it cannot be published")
		}
		if f, ok := v.contract(k); ok {
			faults = append(faults, f)
		}
	}
	r, err := v.repo(ctx, dir)
	if err != nil {
		return nil, nil, err
	}
	found, doubts, err := r.pins(ctx, v, b)
	return append(faults, found...), append(warnings, doubts...), err
}

// contract compares a pin with the contracts that the program knows.
func (v *verifier) contract(k *bundle.ContractPin) (tomlfile.Fault, bool) {
	digest, ok := v.options.Contracts[k.Version]
	switch {
	case !ok:
		known := strings.Join(slices.Sorted(maps.Keys(v.options.Contracts)), ", ")
		return tomlfile.Fault{Key: "/contract/version", Code: CodeContract, Message: fmt.Sprintf("contract %q is not known; known are %s", k.Version, known)}, true
	case digest != k.SHA256:
		return tomlfile.Fault{Key: "/contract/sha256", Code: CodeContract, Message: fmt.Sprintf("contract %s has the SHA-256 %s", k.Version, digest)}, true
	}
	return tomlfile.Fault{}, false
}

// pins looks the pinned revisions up. Where Git cannot tell, it warns.
func (r *repo) pins(ctx context.Context, v *verifier, b *bundle.Bundle) (faults, warnings tomlfile.Faults, err error) {
	check := func(key, code, rev string, next func() error) error {
		if rev == "" {
			return nil
		}
		if r.err != nil {
			warnings = append(warnings, tomlfile.Fault{Key: key, Code: CodeUnchecked, Message: fmt.Sprintf("the revision was not looked up: %v", r.err)})
			return nil //nolint:nilerr // the reason is in the warning
		}
		state, err := r.commit(ctx, rev)
		switch {
		case err != nil:
			return err
		case state == reachable && next != nil:
			return next()
		case state == reachable:
		case r.partial:
			warnings = append(warnings, tomlfile.Fault{Key: key, Code: CodeUnchecked, Message: "this clone has no full history, so the revision may or may not exist"})
		case state == unreachable:
			faults = append(faults, tomlfile.Fault{Key: key, Code: code, Message: fmt.Sprintf("revision %s is not in the history of HEAD", rev)})
		default:
			faults = append(faults, tomlfile.Fault{Key: key, Code: code, Message: fmt.Sprintf("the repository has no revision %s", rev)})
		}
		return nil
	}
	if err := check("/engine/revision", CodeEngineRevision, b.Engine.Revision, nil); err != nil {
		return nil, nil, err
	}
	k := b.Contract
	if k == nil || v.options.Contracts[k.Version] == "" {
		return faults, warnings, nil // the version is no file name that can be trusted
	}
	err = check("/contract/revision", CodeContractRevision, k.Revision, func() error {
		file := "content/contracts/" + k.Version + ".toml"
		sum, ok, err := r.blobSum(ctx, k.Revision, file)
		f := tomlfile.Fault{Key: "/contract/revision", Code: CodeContractRevision}
		switch {
		case err != nil:
			return err
		case !ok:
			f.Message = fmt.Sprintf("%s does not exist at revision %s", file, k.Revision)
		case sum != k.SHA256:
			f.Message = fmt.Sprintf("%s at revision %s has the SHA-256 %s", file, k.Revision, sum)
		default:
			return nil
		}
		faults = append(faults, f)
		return nil
	})
	return faults, warnings, err
}
