package bundle

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"example.org/arena/results/tomlfile"
)

// Validate reports every fault in the content of b. The error is a Faults whose
// keys are JSON Pointers; Check adds file and lines.
//
// It judges whether the record is whole and makes sense as a record, not whether
// the measurement was a good one: that is for the audit.
func Validate(b *Bundle) error {
	return validate(b).Err()
}

func validate(b *Bundle) tomlfile.Faults {
	c := &checker{}
	c.head(b)
	c.engine(b)
	c.contract(b)
	c.source(b)
	c.model(b)
	c.draft(b.Draft)
	c.server(b)
	c.host(b)
	c.calibrations("/calibration", b.Calibration)
	c.tests(b)
	c.notes("/notes", b.Notes)
	return c.faults
}

// measured reports whether Arena itself took the measurements.
func (b *Bundle) measured() bool { return b.Kind == Run || b.Kind == Simulated }

// head checks the fields that every bundle has.
func (c *checker) head(b *Bundle) {
	if b.Format < 1 || b.Format > Format {
		c.faultf("/format", "format %d is not known: this program reads 1 to %d", b.Format, Format)
	}
	switch b.Kind {
	case Run, Import, Simulated:
	default:
		c.faultf("/kind", "%q is not a kind: want run, import or simulated", b.Kind)
	}
	c.required("/started_at", b.StartedAt, "a bundle is named after its time")
	c.time("/started_at", b.StartedAt)
	c.hex("/supersedes", b.Supersedes, 64)
	c.name("/platform", b.Platform)
	c.name("/profile", b.Profile)
	c.required("/licence", b.Licence, fmt.Sprintf("state an SPDX identifier, or %q", NoLicence))
	if b.Licence != "" && b.Licence != NoLicence && !licenceForm.MatchString(b.Licence) {
		c.faultf("/licence", "%q is no SPDX expression; %q says that there is none", b.Licence, NoLicence)
	}
	c.required("/credit", b.Credit, "say whom to name when the data are used")
}

func (c *checker) engine(b *Bundle) {
	e := b.Engine
	c.required("/engine/version", e.Version, "every bundle pins the program that wrote it")
	c.required("/engine/go", e.Go, "every bundle pins the program that wrote it")
	c.hex("/engine/revision", e.Revision, 40)
	if b.Kind == Run {
		c.required("/engine/revision", e.Revision, "a run pins it")
	}
	imported := strings.HasPrefix(e.Runner, "import/") && len(e.Runner) > len("import/")
	switch {
	case e.Runner == "":
		c.missing("/engine/runner", "every bundle pins the program that wrote it")
	case b.Kind == Import && !imported:
		c.faultf("/engine/runner", "%q cannot write an import: want import/<format>", e.Runner)
	case b.measured() && e.Runner != "native" && e.Runner != "tools":
		c.faultf("/engine/runner", "%q is not a runner: want native or tools", e.Runner)
	}
}

func (c *checker) contract(b *Bundle) {
	k := b.Contract
	if k == nil {
		if b.measured() {
			c.missing("/contract", "a run follows a contract")
		}
		return
	}
	c.required("/contract/version", k.Version, "a pin names the version")
	c.required("/contract/sha256", k.SHA256, "a pin fixes the bytes")
	c.hex("/contract/sha256", k.SHA256, 64)
	c.hex("/contract/revision", k.Revision, 40)
	if b.Kind == Run {
		c.required("/contract/revision", k.Revision, "a run pins it")
	}
}

func (c *checker) source(b *Bundle) {
	s := b.Source
	switch {
	case s == nil && b.Kind == Import:
		c.missing("/source", "an import says where its figures come from")
		return
	case s == nil:
		return
	case b.measured():
		c.faultf("/source", "only an import has a source")
	}
	if s.URL == "" && s.Title == "" {
		c.missing("/source/url", "an import names its source by url or title")
	}
	if s.URL != "" && !strings.HasPrefix(s.URL, "https://") && !strings.HasPrefix(s.URL, "http://") {
		c.faultf("/source/url", "%q is not a web address", s.URL)
	}
	if s.RetrievedAt != "" {
		if _, err := time.Parse(time.DateOnly, s.RetrievedAt); err != nil {
			c.faultf("/source/retrieved_at", "%q is not a date like 2026-08-14", s.RetrievedAt)
		}
	}
	for i := range s.Tools {
		c.tool(fmt.Sprintf("/source/tools/%d", i), &s.Tools[i])
	}
	c.files("/source/files", s.Files)
}

func (c *checker) tool(key string, t *Tool) {
	if t != nil {
		c.required(key+"/name", t.Name, "a tool has a name")
	}
}

func (c *checker) model(b *Bundle) {
	m := b.Model
	if _, err := ModelSlug(m.ID); err != nil {
		c.faultf("/model/id", "%v", err)
	}
	c.hex("/model/revision", m.Revision, 40)
	if b.Kind == Run {
		c.required("/model/revision", m.Revision, "a run pins it")
		c.required("/model/quantisation", m.Quantisation, "a run states it")
		c.required("/model/licence", m.Licence, "a run states it")
	}
}

func (c *checker) draft(d *Draft) {
	if d == nil {
		return
	}
	c.required("/draft/method", d.Method, "speculative decoding has a method")
	c.hex("/draft/revision", d.Revision, 40)
	c.tally("/draft/tokens_per_step", int64(d.TokensPerStep))
}

func (c *checker) server(b *Bundle) {
	s := b.Server
	c.required("/server/name", s.Name, "every bundle names the server")
	if s.ImageDigest != "" && (!strings.HasPrefix(s.ImageDigest, "sha256:") || !isHex(s.ImageDigest[len("sha256:"):], 64)) {
		c.faultf("/server/image_digest", "%q is not sha256: and 64 hex digits", s.ImageDigest)
	}
	c.settings("/server/env", s.Env, true)
	c.settings("/server/settings", s.Settings, true)
	if s.PrefixCachingVerified != "" && s.PrefixCaching == nil {
		c.missing("/server/prefix_caching", "it says how it was verified, but not what was found")
	}
	if b.Kind == Run {
		c.required("/server/version", s.Version, "a run pins it")
		if s.PrefixCaching == nil {
			c.missing("/server/prefix_caching", "a run states it")
		}
		c.required("/server/prefix_caching_verified", s.PrefixCachingVerified, "a run verifies it")
	}
}

// saysNoGPU reports whether notes say that nothing is known of a GPU, which is not
// the same as silence.
func saysNoGPU(notes []Note) bool {
	return slices.ContainsFunc(notes, func(n Note) bool { return n.Code == "gpu_not_found" || n.Code == "gpu_tool_missing" })
}

// host checks the machine. What only some machines have (VBIOS, CUDA, a
// container image) is never demanded.
func (c *checker) host(b *Bundle) {
	h := b.Host
	c.tally("/host/gpus", int64(h.GPUs))
	c.count("/host/memory_bytes", h.MemoryBytes)
	if b.Kind != Run {
		return
	}
	if !saysNoGPU(b.Notes) {
		c.required("/host/gpu", h.GPU, "a run states it")
		c.required("/host/driver", h.Driver, "a run states it")
	}
	c.required("/host/os", h.OS, "a run states it")
	c.required("/host/kernel", h.Kernel, "a run states it")
	if h.MemoryBytes == 0 {
		c.missing("/host/memory_bytes", "a run states it")
	}
}
