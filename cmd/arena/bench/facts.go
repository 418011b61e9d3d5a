package bench

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"

	"example.org/arena/cmd/arena/exit"
	"example.org/arena/cmd/arena/store"
	"example.org/arena/content"
	"example.org/arena/loadgen/simserver"
	"example.org/arena/results/bundle"
	"example.org/arena/results/contract"
	"example.org/arena/results/facts"
	"example.org/arena/results/ingest"
	"example.org/arena/results/tomlfile"
)

// statedBundle puts together what is known before the server is asked: the metadata
// file, the flags, and what the project knows of the model and the platform.
func (j *job) statedBundle(k *contract.Contract, host bundle.Host) (bundle.Bundle, error) {
	meta, err := store.ReadMetadata(j.Metadata)
	if err != nil {
		return bundle.Bundle{}, err
	}
	simulated := strings.HasPrefix(cmp.Or(j.ServedName, j.Model), simserver.Prefix)
	b := bundle.Bundle{
		Format:   bundle.Format,
		Kind:     bundle.Run,
		Contract: &bundle.ContractPin{Version: k.Version, SHA256: k.Digest},
		Engine:   j.program.Engine,
		Draft:    meta.Draft,
		Server:   meta.Server,
		Host:     meta.Host,
		Notes:    meta.Notes,
	}
	if err := j.nameSubject(&b, meta); err != nil {
		return b, err
	}
	known, err := j.loadContent()
	if err != nil {
		return b, err
	}
	addKnown(&b, known, host)
	if simulated {
		addSimulated(&b)
	}
	if err := errors.Join(j.checkStated(b, known), checkRequired(b)); err != nil {
		return b, err
	}
	if strings.HasSuffix(j.Contract, ".toml") {
		if !simulated {
			return b, exit.WithHint(exit.Usagef("a contract from a file is tried out on the simulated server only: no revision of it can be pinned in a bundle"),
				"start arena sim, or commit the contract to content/contracts and build the program again")
		}
		return b, nil
	}
	pin, err := j.program.Pin(k)
	if err == nil {
		b.Contract = pin
	} else if !simulated {
		return b, err
	}
	return b, nil
}

// loadContent returns what the project knows of models and platforms, or what is being
// written about others.
func (j *job) loadContent() (*content.Content, error) {
	if j.Content == "" {
		return content.Load(content.FS)
	}
	if info, err := os.Stat(j.Content); err != nil || !info.IsDir() {
		return nil, exit.Usagef("--content %s is not a folder", j.Content)
	}
	return content.Load(os.DirFS(j.Content))
}

// nameSubject takes what is said by flag or file; a thing that both say differently is
// an error.
func (j *job) nameSubject(b *bundle.Bundle, meta ingest.Metadata) error {
	b.Model = meta.Model
	var faults []error
	for _, s := range []struct {
		flag, key, said, stated string
		into                    *string
	}{
		{"model", "model.id", j.Model, meta.Model.ID, &b.Model.ID},
		{"served-model-name", "model.served_name", j.ServedName, meta.Model.ServedName, &b.Model.ServedName},
		{"platform", "platform", j.Platform, meta.Platform, &b.Platform},
		{"profile", "profile", j.Profile, meta.Profile, &b.Profile},
		{"licence", "licence", j.Licence, meta.Licence, &b.Licence},
		{"credit", "credit", j.Credit, meta.Credit, &b.Credit},
		{"contract", "contract", j.Contract, meta.Contract, new(string)},
	} {
		if s.said != "" && s.stated != "" && s.said != s.stated {
			faults = append(faults, fmt.Errorf("%s: %s is %q, but --%s says %q", j.Metadata, s.key, s.stated, s.flag, s.said))
		}
		*s.into = cmp.Or(s.said, s.stated)
	}
	if len(faults) > 0 {
		return exit.WithCode(exit.Usage, errors.Join(faults...))
	}
	return nil
}

// addKnown fills in what the project knows of the model and the platform.
func addKnown(b *bundle.Bundle, known *content.Content, host bundle.Host) {
	if m, c, ok := known.Catalog.Checkpoint(b.Model.ID); ok {
		b.Model.Quantisation = cmp.Or(b.Model.Quantisation, c.Precision)
		if m.Licence != nil {
			b.Model.Licence = cmp.Or(b.Model.Licence, m.Licence.Value)
		}
	}
	if b.Platform == "" {
		b.Platform = platformOf(known.Catalog.Platforms, host)
	}
	b.Profile = cmp.Or(b.Profile, strings.ToLower(b.Model.Quantisation))
	b.Licence = cmp.Or(b.Licence, resultsLicence)
}

// resultsLicence is the licence of results in this project.
const resultsLicence = "CC-BY-4.0"

// platformOf returns the only platform that has the machine's GPUs, or nothing.
func platformOf(platforms []facts.Platform, host bundle.Host) string {
	found := ""
	for _, p := range platforms {
		if p.Accelerator != host.GPU || p.Accelerators != host.GPUs {
			continue
		}
		if found != "" {
			return ""
		}
		found = p.ID
	}
	return found
}

// addSimulated fills in what a simulated model has no one to state.
func addSimulated(b *bundle.Bundle) {
	b.Kind = bundle.Simulated
	b.Model.ID = cmp.Or(b.Model.ID, b.Model.ServedName)
	b.Platform, b.Profile = cmp.Or(b.Platform, "simulated"), cmp.Or(b.Profile, "simulated")
	b.Credit = cmp.Or(b.Credit, "Arena's simulated server")
}

// stateable are the parts of a bundle that a user states, by their keys.
var stateable = []string{"/platform", "/profile", "/licence", "/credit", "/model/", "/draft/", "/server/", "/host/"}

// quantisationForm is what the name of a quantisation looks like.
var quantisationForm = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._+-]{0,39}$`)

// checkStated lists what is stated and cannot be right: better now than after hours.
func (j *job) checkStated(b bundle.Bundle, known *content.Content) error {
	var faults []error
	add := func(format string, args ...any) {
		faults = append(faults, fmt.Errorf("%s: "+format, append([]any{cmp.Or(j.Metadata, "flags")}, args...)...))
	}
	if invalid, ok := errors.AsType[tomlfile.Faults](bundle.Validate(&b)); ok {
		for _, fault := range invalid {
			stated := slices.ContainsFunc(stateable, func(key string) bool { return strings.HasPrefix(fault.Key, key) })
			if stated && fault.Code == bundle.CodeValue {
				add("%s: %s", strings.ReplaceAll(strings.TrimPrefix(fault.Key, "/"), "/", "."), fault.Message)
			}
		}
	}
	if q := b.Model.Quantisation; q != "" && !quantisationForm.MatchString(q) {
		add("model.quantisation: %q is no name of one, like nvfp4 or q4_k_m", q)
	}
	if _, ok := known.Catalog.Platform(b.Platform); b.Platform != "" && !ok && b.Kind != bundle.Simulated {
		var ids []string
		for _, p := range known.Catalog.Platforms {
			ids = append(ids, p.ID)
		}
		add("platform: there is no platform %q; known are %s, and a new one is a file in content/platforms: name your content folder with --content", b.Platform, strings.Join(ids, ", "))
	}
	if len(faults) == 0 {
		return nil
	}
	return exit.WithCode(exit.Usage, errors.Join(faults...))
}

// checkRequired lists what has to be stated before a server is asked.
func checkRequired(b bundle.Bundle) error {
	var lines []string
	for _, s := range []struct{ value, how string }{
		{b.Model.ID, `the checkpoint: --model ORG/MODEL, or [model] id = "ORG/MODEL"`},
		{b.Platform, `the platform: --platform dgx-spark, or platform = "dgx-spark"`},
		{b.Profile, `the configuration's name: --profile nvfp4, or profile = "nvfp4"`},
		{b.Credit, `whom to name when the results are used: --credit NAME, or credit = "NAME"`},
	} {
		if s.value == "" {
			lines = append(lines, "  "+s.how)
		}
	}
	if len(lines) == 0 {
		return nil
	}
	return exit.WithHint(exit.Usagef("state, by flag or in the file of --metadata:\n%s", strings.Join(lines, "\n")), "docs/measuring.md explains them")
}
