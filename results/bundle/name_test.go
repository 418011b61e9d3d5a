package bundle

import (
	"slices"
	"strings"
	"testing"
)

func TestPath(t *testing.T) {
	t.Parallel()
	b := sample()
	data := []byte("abc")
	got, err := Path(b, data)
	const want = "dgx-spark/Example--Model-8B-NVFP4/nvfp4/20260814T101500Z-ba7816bf8f01.json"
	if err != nil || got != want {
		t.Errorf("Path = %q, %v, want %q", got, err, want)
	}
	if err := CheckPath(want, b, data); err != nil {
		t.Errorf("CheckPath = %v", err)
	}
	for _, wrong := range []string{
		"", "x/" + want, strings.Replace(want, "nvfp4/", "bf16/", 1), strings.Replace(want, "ba78", "BA78", 1),
		strings.Replace(want, "101500", "101501", 1), "dgx-spark/../" + want,
	} {
		if err := CheckPath(wrong, b, data); err == nil {
			t.Errorf("CheckPath(%q) = nil", wrong)
		}
	}
}

func TestFileNameCutsFraction(t *testing.T) {
	t.Parallel()
	b := sample()
	b.StartedAt = "2026-08-14T10:15:00.999Z"
	got, err := FileName(b, nil)
	if want := "20260814T101500Z-e3b0c44298fc.json"; err != nil || got != want {
		t.Errorf("FileName = %q, %v, want %q", got, err, want)
	}
}

func TestPathRefuses(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("a", 97)
	cases := []struct {
		name string
		edit func(*Bundle)
		want string
	}{
		{"model without an organisation", func(b *Bundle) { b.Model.ID = "gpt2" }, `"gpt2" is not of the form ORG/MODEL`},
		{"model with three parts", func(b *Bundle) { b.Model.ID = "a/b/c" }, `holds a character other than`},
		{"model leads up", func(b *Bundle) { b.Model.ID = "../etc" }, `starts or ends with '.'`},
		{"model leads up behind", func(b *Bundle) { b.Model.ID = "org/.." }, `starts or ends with '.'`},
		{"dots inside", func(b *Bundle) { b.Model.ID = "org/a..b" }, `two dots in a row`},
		{"backslash", func(b *Bundle) { b.Model.ID = `org/a\b` }, `holds a character other than`},
		{"two hyphens", func(b *Bundle) { b.Model.ID = "org/a--b" }, `two hyphens in a row`},
		{"empty half", func(b *Bundle) { b.Model.ID = "org/" }, `is empty`},
		{"NUL", func(b *Bundle) { b.Model.ID = "org/a\x00b" }, `holds a character other than`},
		{"mark-up", func(b *Bundle) { b.Model.ID = "org/<script>" }, `holds a character other than`},
		{"letter of another script", func(b *Bundle) { b.Model.ID = "оrg/model" }, `holds a character other than`},
		{"long model", func(b *Bundle) { b.Model.ID = "org/" + long }, `longer than 96 bytes`},
		{"option as platform", func(b *Bundle) { b.Platform = "-rf" }, `platform: "-rf" starts or ends with`},
		{"capitals in platform", func(b *Bundle) { b.Platform = "DGX" }, `platform: "DGX" holds a character`},
		{"empty platform", func(b *Bundle) { b.Platform = "" }, `platform: is empty`},
		{"folder in profile", func(b *Bundle) { b.Profile = "a/b" }, `profile: "a/b" holds a character`},
		{"hidden profile", func(b *Bundle) { b.Profile = ".git" }, `profile: ".git" starts or ends with`},
		{"device", func(b *Bundle) { b.Profile = "aux.x" }, `name of a device`},
		{"numbered device", func(b *Bundle) { b.Profile = "com1" }, `name of a device`},
		{"local time", func(b *Bundle) { b.StartedAt = "2026-08-14T10:15:00+02:00" }, `is not a UTC time`},
		{"no time", func(b *Bundle) { b.StartedAt = "" }, `is not a UTC time`},
		{"early time", func(b *Bundle) { b.StartedAt = "0001-08-14T10:15:00Z" }, `is not a UTC time`},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			b := sample()
			c.edit(b)
			got, err := Path(b, nil)
			if err == nil || !strings.Contains(err.Error(), c.want) || got != "" {
				t.Errorf("Path = %q, %v, want an error with %q", got, err, c.want)
			}
		})
	}
}

// Names of real models and configurations pass.
func TestPathAccepts(t *testing.T) {
	t.Parallel()
	for _, id := range []string{"Qwen/Qwen3.8-27B", "nvidia/NVIDIA-Nemotron-3-Nano-30B-A3B-NVFP4", "openai/gpt-oss-20b", "01-ai/Yi_1.5", "mistralai/Ministral-3-8B-Instruct-2512"} {
		if _, err := ModelSlug(id); err != nil {
			t.Errorf("ModelSlug(%q): %v", id, err)
		}
	}
	for _, slug := range []string{"bf16", "bf16-spec", "tp8_dspark", "comet", "console", "null"} {
		if err := checkSlug(slug); err != nil {
			t.Errorf("checkSlug(%q): %v", slug, err)
		}
	}
}

// Other bytes under a name are told as such: the name is not what is wrong.
func TestCheckPathOfChangedBytes(t *testing.T) {
	t.Parallel()
	b, data := sample(), read(t, "example.json")
	path, err := Path(b, data)
	if err != nil {
		t.Fatal(err)
	}
	if err := CheckPath(path, b, data); err != nil {
		t.Error(err)
	}
	changed := append(slices.Clip(data), '\n')
	err = CheckPath(path, b, changed)
	if err == nil || strings.Contains(err.Error(), "content says") || !strings.Contains(err.Error(), "its content does not match its name") ||
		!strings.Contains(err.Error(), "published bundles are never edited") {
		t.Errorf("error = %v", err)
	}
	if err = CheckPath("elsewhere/"+path, b, data); err == nil || !strings.Contains(err.Error(), "but its content says "+path) {
		t.Errorf("error = %v", err)
	}
}
