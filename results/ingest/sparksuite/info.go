package sparksuite

import (
	"cmp"
	"path"
	"regexp"
	"strings"
	"time"

	"example.org/arena/results/bundle"
	"example.org/arena/results/ingest"
	"example.org/arena/results/ingest/scan"
	"example.org/arena/results/privacy"
)

// info is what meta.json says and tests need.
type info struct {
	model       string
	profile     string
	served      string
	hardware    string
	benchy      string // version of llama-benchy
	generatedAt time.Time
}

// readInfo reads meta.json into the bundle.
func (s *suite) readInfo() {
	in, ok := s.take("meta.json")
	if !ok {
		return
	}
	f := scan.Faults{File: in.Name}
	defer func() { s.f.List = append(s.f.List, f.List...) }()
	objects := scan.Objects(in.Data, &f)
	if len(f.List) > 0 {
		return
	}
	if len(objects) != 1 {
		f.Add(0, "", "", "want one JSON object, found %d", len(objects))
		return
	}
	r := infoReader{f: &f, server: &s.b.Server}
	for _, m := range objects[0].Members {
		r.member(s, m)
	}
	s.settle(&f)
	if len(r.leftOut) > 0 {
		s.note(bundle.NoteKeysLeftOut, "keys", strings.Join(r.leftOut, " "))
	}
}

// An infoReader collects what meta.json has beyond the keys that it reads.
type infoReader struct {
	f       *scan.Faults
	server  *bundle.Server
	leftOut []string
}

// member takes in one key of meta.json.
func (r *infoReader) member(s *suite, m scan.Member) {
	f, b := r.f, s.b
	said := path.Base(f.File)
	switch m.Key {
	case "profile":
		s.info.profile = r.text(m)
		b.Profile = ingest.Agree(f, "profile", b.Profile, s.meta.File, s.info.profile, said)
	case "model":
		s.info.model = r.text(m)
		if _, err := bundle.ModelSlug(s.info.model); err != nil { // a name, or the path of a copy
			s.note(bundle.NoteModelNotID)
			return
		}
		b.Model.ID = ingest.Agree(f, "model", b.Model.ID, s.meta.File, s.info.model, said)
	case "served_name":
		s.info.served = r.text(m)
		b.Model.ServedName = ingest.Agree(f, "served_name", b.Model.ServedName, s.meta.File, privacy.Clean(s.info.served), said)
	case "vllm_image":
		r.server.Name = ingest.Agree(f, "server.name", r.server.Name, s.meta.File, "vllm", said)
		r.server.Image = ingest.Agree(f, "vllm_image", r.server.Image, s.meta.File, privacy.Clean(r.text(m)), said)
	case "vllm_version_reported":
		r.server.Name = ingest.Agree(f, "server.name", r.server.Name, s.meta.File, "vllm", said)
		r.server.Version = ingest.Agree(f, "vllm_version_reported", r.server.Version, s.meta.File, privacy.Clean(r.text(m)), said)
	case "llama_benchy_version":
		s.info.benchy = r.text(m)
	case "hardware":
		s.info.hardware = r.text(m)
		b.Host.Description = ingest.Agree(f, "hardware", b.Host.Description, s.meta.File, privacy.Clean(s.info.hardware), said)
	case "driver_version":
		b.Host.Driver = ingest.Agree(f, "driver_version", b.Host.Driver, s.meta.File, privacy.Clean(r.text(m)), said)
	case "vbios_version":
		b.Host.VBIOS = ingest.Agree(f, "vbios_version", b.Host.VBIOS, s.meta.File, privacy.Clean(r.text(m)), said)
	case "generated_at":
		r.time(m, &s.info.generatedAt)
	case "server_config":
		for _, c := range scan.MembersOf(m, r.f) {
			r.serverConfig(s, c)
		}
	default:
		r.unknown(m)
	}
}

// serverConfig takes in one key of the server's settings.
func (r *infoReader) serverConfig(s *suite, m scan.Member) {
	switch m.Key {
	case "enable_prefix_caching":
		on := m.Value.Kind() == 't'
		if !on && m.Value.Kind() != 'f' {
			r.f.Add(m.Line, m.Key, "", "want true or false, found %s", scan.Shown(m.Value))
			return
		}
		if have := r.server.PrefixCaching; have != nil && *have != on {
			r.f.Add(m.Line, m.Key, "", "is %v, but %s says %v", on, s.meta.File, *have)
			return
		}
		r.server.PrefixCaching = &on
	case "extra_vllm_args":
		r.server.Argv = append(r.server.Argv, privacy.CleanArgv(splitArgs(r.text(m)))...)
		s.readDraft(m, r.f)
	case "profile_env_vars":
		r.environment(s, r.text(m))
	default:
		r.setting(m)
	}
}

// plainSetting matches values that can be nothing but a setting.
var plainSetting = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._+-]{0,39}$`)

// setting keeps one setting as text, as it was written.
func (r *infoReader) setting(m scan.Member) {
	value := string(m.Value)
	if m.Value.Kind() == '"' {
		value = scan.Unquote(m.Value)
	}
	if !plainSetting.MatchString(value) || privacy.SecretName(m.Key) || m.Value.Kind() == 'n' {
		r.unknown(m)
		return
	}
	r.server.Settings = append(r.server.Settings, bundle.Setting{Name: scan.Printable(m.Key), Value: value})
	r.server.Settings = ingest.SortedSettings(r.server.Settings)
}

// environment keeps allow-listed variables of "A=1 B=2".
func (r *infoReader) environment(s *suite, text string) {
	var withheld []string
	for _, word := range splitArgs(text) {
		name, value, ok := strings.Cut(word, "=")
		if !ok || !privacy.PublicVariable(name) {
			withheld = append(withheld, scan.Printable(name))
			continue
		}
		r.server.Env = append(r.server.Env, bundle.Setting{Name: name, Value: privacy.Clean(value)})
	}
	r.server.Env = ingest.SortedSettings(r.server.Env)
	if len(withheld) > 0 {
		s.note(bundle.NoteEnvWithheld, "names", strings.Join(withheld, " "))
	}
}

// text reads a string.
func (r *infoReader) text(m scan.Member) string {
	switch m.Value.Kind() {
	case '"':
		return scan.Unquote(m.Value)
	case 'n':
		return ""
	default:
	}
	r.f.Add(m.Line, m.Key, "", "want a text, found %s", scan.Shown(m.Value))
	return ""
}

// time reads a time with its offset.
func (r *infoReader) time(m scan.Member, at *time.Time) {
	text := r.text(m)
	if text == "" {
		return
	}
	t, err := time.Parse(time.RFC3339, text)
	if err != nil {
		r.f.Add(m.Line, m.Key, "", "want a time like 2026-08-14T11:45:36+02:00, found %q", text)
		return
	}
	*at = t
}

// unknown notes a key that is not read.
func (r *infoReader) unknown(m scan.Member) {
	if m.Value.Kind() != 'n' {
		r.leftOut = append(r.leftOut, scan.Printable(m.Key))
	}
}

// settle derives the precision from the profile, and the zone from the time.
func (s *suite) settle(f *scan.Faults) {
	profile, model := precisionIn(s.info.profile), precisionIn(s.info.model)
	if profile != "" && model != "" && profile != model {
		f.Add(0, "profile", "", "is %q, but the model is %q: the precision is said twice and differently", s.info.profile, s.info.model)
	}
	s.b.Model.Quantisation = ingest.Agree(f, "quantisation", s.b.Model.Quantisation, s.meta.File, cmp.Or(profile, model), "meta.json")
	s.zone = s.meta.Zone
	if !s.info.generatedAt.IsZero() {
		s.zone = s.info.generatedAt.Location()
	}
	if strings.Contains(strings.ToLower(s.info.hardware), "unified") {
		s.note(bundle.NoteSharedMemory)
	}
}

// precisionWord finds a precision in a name, between separators.
var precisionWord = regexp.MustCompile(`(?i)(?:^|[-_/.])(bf16|fp16|fp32|fp8|nvfp4|mxfp4|mxfp8|int8|int4|awq|gptq|q[2-8]_[0k](?:_[sml])?)(?:$|[-_/.])`)

// precisionIn returns the precision that a name carries, in lower case.
func precisionIn(name string) string {
	m := precisionWord.FindStringSubmatch(name)
	if m == nil {
		return ""
	}
	return strings.ToLower(m[1])
}
