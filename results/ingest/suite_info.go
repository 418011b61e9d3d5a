package ingest

import (
	"path"
	"regexp"
	"strings"
	"time"

	"example.org/arena/results/bundle"
	"example.org/arena/results/privacy"
)

// suiteInfo is what meta.json says and tests need.
type suiteInfo struct {
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
	f := faultList{file: in.Name}
	defer func() { s.f.list = append(s.f.list, f.list...) }()
	objects := readObjects(in.Data, &f)
	if len(f.list) > 0 {
		return
	}
	if len(objects) != 1 {
		f.add(0, "", "", "want one JSON object, found %d", len(objects))
		return
	}
	r := infoReader{f: &f, server: &s.b.Server}
	for _, m := range objects[0].members {
		r.member(s, m)
	}
	s.settle(&f)
	if len(r.leftOut) > 0 {
		s.note(bundle.NoteKeysLeftOut, "keys", strings.Join(r.leftOut, " "))
	}
}

// An infoReader collects what meta.json has beyond the keys that it reads.
type infoReader struct {
	f       *faultList
	server  *bundle.Server
	leftOut []string
}

// member takes in one key of meta.json.
func (r *infoReader) member(s *suite, m jsonMember) {
	f, b := r.f, s.b
	said := path.Base(f.file)
	switch m.key {
	case "profile":
		s.info.profile = r.text(m)
		b.Profile = agree(f, "profile", b.Profile, s.meta.File, s.info.profile, said)
	case "model":
		s.info.model = r.text(m)
		if _, err := bundle.ModelSlug(s.info.model); err != nil { // a name, or the path of a copy
			s.note(bundle.NoteModelNotID)
			return
		}
		b.Model.ID = agree(f, "model", b.Model.ID, s.meta.File, s.info.model, said)
	case "served_name":
		s.info.served = r.text(m)
		b.Model.ServedName = agree(f, "served_name", b.Model.ServedName, s.meta.File, privacy.Clean(s.info.served), said)
	case "vllm_image":
		r.server.Name = agree(f, "server.name", r.server.Name, s.meta.File, "vllm", said)
		r.server.Image = agree(f, "vllm_image", r.server.Image, s.meta.File, privacy.Clean(r.text(m)), said)
	case "vllm_version_reported":
		r.server.Name = agree(f, "server.name", r.server.Name, s.meta.File, "vllm", said)
		r.server.Version = agree(f, "vllm_version_reported", r.server.Version, s.meta.File, privacy.Clean(r.text(m)), said)
	case "llama_benchy_version":
		s.info.benchy = r.text(m)
	case "hardware":
		s.info.hardware = r.text(m)
		b.Host.Description = agree(f, "hardware", b.Host.Description, s.meta.File, privacy.Clean(s.info.hardware), said)
	case "driver_version":
		b.Host.Driver = agree(f, "driver_version", b.Host.Driver, s.meta.File, privacy.Clean(r.text(m)), said)
	case "vbios_version":
		b.Host.VBIOS = agree(f, "vbios_version", b.Host.VBIOS, s.meta.File, privacy.Clean(r.text(m)), said)
	case "generated_at":
		r.time(m, &s.info.generatedAt)
	case "server_config":
		for _, c := range objectOf(m, r.f) {
			r.serverConfig(s, c)
		}
	default:
		r.unknown(m)
	}
}

// serverConfig takes in one key of the server's settings.
func (r *infoReader) serverConfig(s *suite, m jsonMember) {
	switch m.key {
	case "enable_prefix_caching":
		on := m.value.Kind() == 't'
		if !on && m.value.Kind() != 'f' {
			r.f.add(m.line, m.key, "", "want true or false, found %s", shown(m.value))
			return
		}
		if have := r.server.PrefixCaching; have != nil && *have != on {
			r.f.add(m.line, m.key, "", "is %v, but %s says %v", on, s.meta.File, *have)
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
func (r *infoReader) setting(m jsonMember) {
	value := string(m.value)
	if m.value.Kind() == '"' {
		value = unquote(m.value)
	}
	if !plainSetting.MatchString(value) || privacy.SecretName(m.key) || m.value.Kind() == 'n' {
		r.unknown(m)
		return
	}
	r.server.Settings = append(r.server.Settings, bundle.Setting{Name: printable(m.key), Value: value})
	r.server.Settings = sortedSettings(r.server.Settings)
}

// environment keeps allow-listed variables of "A=1 B=2".
func (r *infoReader) environment(s *suite, text string) {
	var withheld []string
	for _, word := range splitArgs(text) {
		name, value, ok := strings.Cut(word, "=")
		if !ok || !privacy.PublicVariable(name) {
			withheld = append(withheld, printable(name))
			continue
		}
		r.server.Env = append(r.server.Env, bundle.Setting{Name: name, Value: privacy.Clean(value)})
	}
	r.server.Env = sortedSettings(r.server.Env)
	if len(withheld) > 0 {
		s.note(bundle.NoteEnvWithheld, "names", strings.Join(withheld, " "))
	}
}

// text reads a string.
func (r *infoReader) text(m jsonMember) string {
	switch m.value.Kind() {
	case '"':
		return unquote(m.value)
	case 'n':
		return ""
	}
	r.f.add(m.line, m.key, "", "want a text, found %s", shown(m.value))
	return ""
}

// time reads a time with its offset.
func (r *infoReader) time(m jsonMember, at *time.Time) {
	text := r.text(m)
	if text == "" {
		return
	}
	t, err := time.Parse(time.RFC3339, text)
	if err != nil {
		r.f.add(m.line, m.key, "", "want a time like 2026-08-14T11:45:36+02:00, found %q", text)
		return
	}
	*at = t
}

// unknown notes a key that is not read.
func (r *infoReader) unknown(m jsonMember) {
	if m.value.Kind() != 'n' {
		r.leftOut = append(r.leftOut, printable(m.key))
	}
}

// settle derives the precision from the profile, and the zone from the time.
func (s *suite) settle(f *faultList) {
	profile, model := precisionIn(s.info.profile), precisionIn(s.info.model)
	if profile != "" && model != "" && profile != model {
		f.add(0, "profile", "", "is %q, but the model is %q: the precision is said twice and differently", s.info.profile, s.info.model)
	}
	s.b.Model.Quantisation = agree(f, "quantisation", s.b.Model.Quantisation, s.meta.File, firstNonEmpty(profile, model), "meta.json")
	s.zone = s.meta.Zone
	if !s.info.generatedAt.IsZero() {
		s.zone = s.info.generatedAt.Location()
	}
	if strings.Contains(strings.ToLower(s.info.hardware), "unified") {
		s.note(bundle.NoteSharedMemory)
	}
}

func firstNonEmpty(values ...string) string {
	for _, v := range values {
		if v != "" {
			return v
		}
	}
	return ""
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

// objectOf returns the members of a value that is an object, with lines counted
// from the file's first.
func objectOf(m jsonMember, f *faultList) []jsonMember {
	if m.value.Kind() != '{' {
		f.add(m.line, m.key, "", "want an object, found %s", kindName(m.value.Kind()))
		return nil
	}
	var inner faultList
	objects := readObjects(m.value, &inner)
	if len(objects) != 1 {
		f.add(m.line, m.key, "", "want an object")
		return nil
	}
	members := objects[0].members
	for i := range members {
		members[i].line += m.line - 1
	}
	return members
}
