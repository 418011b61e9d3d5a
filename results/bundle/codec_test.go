package bundle

import (
	"errors"
	"math"
	"reflect"
	"strings"
	"testing"

	"example.org/arena/results/tomlfile"
)

func TestEncodeGolden(t *testing.T) {
	t.Parallel()
	data, err := Encode(sample())
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "example.json", data)
	back, err := Decode("example.json", data)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(back, sample()) {
		t.Error("decoding the encoded bundle gives another one")
	}
	if _, faults := Check("example.json", data); faults != nil {
		t.Errorf("the example is invalid:\n%v", faults)
	}
}

// A bundle that was published in format 1 decodes, and encodes to the same
// bytes, whatever formats come later. The fixture never changes.
func TestFormat1(t *testing.T) {
	t.Parallel()
	data := read(t, "format-1.json")
	if got, want := ID(data), "ae29fdf0dec47e04b7631dc994fb6a3b64d9d86d03712425d37e948304ae861d"; got != want {
		t.Fatalf("testdata/format-1.json was changed: its SHA-256 is %s, want %s", got, want)
	}
	b, faults := Check("format-1.json", data)
	if faults != nil {
		t.Fatal(faults)
	}
	again, err := Encode(b)
	if err != nil {
		t.Fatal(err)
	}
	if string(again) != string(data) {
		t.Error("format 1 encodes to other bytes than before")
	}
	if got := float64(*b.Tests[1].Cells[1].RequestRate); !math.IsInf(got, 1) {
		t.Errorf("request rate = %v, want +Inf", got)
	}
	if b.Tests[0].Command != nil || b.Tests[0].Telemetry.PowerW[1] != nil {
		t.Error("a null of the file is not nil")
	}
}

func TestEncodeRefuses(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name string
		edit func(*Bundle)
		want string
	}{
		{"NaN", func(b *Bundle) { b.Tests[0].Cells[0].Reported[0].Mean = new(math.NaN()) }, "/tests/0/cells/0/reported/0/mean"},
		{"infinity", func(b *Bundle) { b.Tests[0].Telemetry.OffsetS[1] = math.Inf(1) }, "/tests/0/telemetry/offset_s/1"},
		{"NaN rate", func(b *Bundle) { b.Tests[1].Cells[0].RequestRate = new(Rate(math.NaN())) }, "/tests/1/cells/0/request_rate_per_s"},
		{"minus infinite rate", func(b *Bundle) { b.Tests[1].Cells[0].RequestRate = new(Rate(math.Inf(-1))) }, "/tests/1/cells/0/request_rate_per_s"},
		{"invalid UTF-8", func(b *Bundle) { b.Credit = "caf\xe9" }, "/credit"},
		{"unknown format", func(b *Bundle) { b.Format = 2 }, "format 2 is not known"},
		{"no format", func(b *Bundle) { b.Format = 0 }, "format 0 is not known"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			b := sample()
			c.edit(b)
			data, err := Encode(b)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("Encode = %d bytes, %v, want an error with %q", len(data), err, c.want)
			}
			if data != nil {
				t.Error("Encode returned bytes beside an error")
			}
		})
	}
}

func TestDecodeRefuses(t *testing.T) {
	t.Parallel()
	example := string(read(t, "example.json"))
	edit := func(old, new string) string {
		if !strings.Contains(example, old) {
			t.Fatalf("the example does not hold %q", old)
		}
		return strings.Replace(example, old, new, 1)
	}
	cases := []struct {
		name, data string
		want       string // line, key and message
		code       string
	}{
		{"empty", "", "x.json:1: is empty", CodeSyntax},
		{"only space", " \n\n", "x.json:1: is empty", CodeSyntax},
		{"byte order mark", "\ufeff" + example, "x.json:1: starts with a byte order mark", CodeSyntax},
		{"not UTF-8", edit("Ada Example", "Ad\xe4 Example"), "x.json:8: byte 0xe4 is not UTF-8", CodeSyntax},
		{"array", "[]", "x.json:1: is not a JSON object", CodeType},
		{"empty object", "{}\n", `x.json:1: the first key is not "format"`, CodeFormat},
		{"format not first", `{"kind": "run", "format": 1}`, `x.json:1: the first key is not "format"`, CodeFormat},
		{"later format", edit(`"format": 1`, `"format": 2`), "x.json:2: /format: format 2 is not known: this program reads 1 to 1", CodeFormat},
		{"format as text", edit(`"format": 1`, `"format": "1"`), `x.json:2: /format: the format is "1", want a whole number`, CodeFormat},
		{"unknown key", edit(`"kind"`, `"kynd"`), "x.json:3: /kynd: the format has no such key", CodeUnknownKey},
		{"case of a key", edit(`"credit"`, `"Credit"`), "x.json:8: /Credit: the format has no such key", CodeUnknownKey},
		{"unknown key inside", edit(`"served_name"`, `"servedName"`), "/model/servedName: the format has no such key", CodeUnknownKey},
		{"repeated key", edit(`"kind": "import"`, `"kind": "import",`+"\n"+`  "kind": "import"`), "x.json:4: /kind: this key stands twice", CodeDuplicateKey},
		{"NaN", edit("38.25", "NaN"), "/tests/0/cells/0/reported/0/mean: invalid character 'N'", CodeSyntax},
		{"Infinity", edit(`"inf"`, "Infinity"), "/tests/1/cells/1/request_rate_per_s: invalid character 'I'", CodeSyntax},
		{"rate in words", edit(`"inf"`, `"infinite"`), "/tests/1/cells/1/request_rate_per_s: does not fit", CodeType},
		{"rate out of range", edit(`"inf"`, `1e999`), "/tests/1/cells/1/request_rate_per_s: does not fit", CodeType},
		{"number as text", edit(`"gpus": 1`, `"gpus": "1"`), `/host/gpus: does not fit`, CodeType},
		{"fraction", edit(`"gpus": 1`, `"gpus": 1.5`), `/host/gpus: does not fit: 1.5, want int`, CodeType},
		{"number out of range", edit("38.25", "1e999"), "/tests/0/cells/0/reported/0/mean: does not fit", CodeType},
		{"trailing data", example + "{}\n", "invalid character '{' after top-level value", CodeSyntax},
		{"cut off", example[:len(example)/2], "unexpected EOF", CodeSyntax},
		{"no final newline", strings.TrimSuffix(example, "\n"), `not the canonical bytes: found the end where "\n" belongs`, CodeNotCanonical},
		{"blank line at the end", example + "\n", `not the canonical bytes: found "\n" where the end belongs`, CodeNotCanonical},
		{"CRLF", strings.ReplaceAll(example, "\n", "\r\n"), `x.json:1: /format: not the canonical bytes: found "\r\n"`, CodeNotCanonical},
		{"tab", edit("  \"kind\"", "\t\"kind\""), "x.json:3: /kind: not the canonical bytes", CodeNotCanonical},
		{"order of keys", edit("  \"platform\": \"dgx-spark\",\n  \"profile\": \"nvfp4\",", "  \"profile\": \"nvfp4\",\n  \"platform\": \"dgx-spark\","), "x.json:5: /profile: not the canonical bytes", CodeNotCanonical},
		{"long number", edit("38.25", "38.250"), "/tests/0/cells/0/reported/0/mean: not the canonical bytes", CodeNotCanonical},
		{"zero instead of absent", edit(`"gpus": 1`, `"gpus": 0`), "not the canonical bytes", CodeNotCanonical},
		{"null instead of absent", edit(`"gpus": 1`, `"gpus": null`), "not the canonical bytes", CodeNotCanonical},
		{"escape that is not needed", edit("Ada", `\u0041da`), "/credit: not the canonical bytes", CodeNotCanonical},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			b, err := Decode("x.json", []byte(c.data))
			var faults tomlfile.Faults
			if !errors.As(err, &faults) {
				t.Fatalf("Decode = %v, %v, want Faults", b, err)
			}
			if got := err.Error(); !strings.Contains(got, c.want) {
				t.Errorf("error = %s\nwant it to hold %s", got, c.want)
			}
			if f := faults[0]; f.Code != c.code || f.Line < 1 || f.File != "x.json" {
				t.Errorf("code %s, line %d, file %s; want code %s and a position", f.Code, f.Line, f.File, c.code)
			}
		})
	}
}

func TestDecodeRefusesTooLarge(t *testing.T) {
	t.Parallel()
	_, err := Decode("x.json", make([]byte, MaxBytes+1))
	if err == nil || !strings.Contains(err.Error(), "more than 67108864") {
		t.Errorf("error = %v, want the limit", err)
	}
}

func FuzzDecode(f *testing.F) {
	// Small seeds: the fuzzer spends its time on shrinking large ones.
	for _, tests := range [][]Test{{{Slug: "chat"}}, {sampleChat()}, {sampleSweep()}} {
		b := sample()
		b.Source, b.Draft, b.Sanity, b.Notes, b.Host, b.Server = nil, nil, nil, nil, Host{}, Server{Name: "vllm"}
		b.Tests = tests
		data, err := Encode(b)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
		f.Add([]byte(strings.Replace(string(data), "38.25", "1e-300", 1)))
		f.Add([]byte(strings.Replace(string(data), "38.25", "-0", 1)))
	}
	f.Add([]byte(`{"format": 1}`))
	f.Add([]byte("{\n  \"format\": 1,\n  \"kind\": \"run\"\n}\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		b, err := Decode("x.json", data)
		if err != nil {
			var faults tomlfile.Faults
			if !errors.As(err, &faults) || len(faults) == 0 || faults[0].Line < 1 {
				t.Fatalf("error without a position: %v", err)
			}
			return
		}
		again, err := Encode(b)
		if err != nil {
			t.Fatalf("what decodes does not encode: %v", err)
		}
		if string(again) != string(data) {
			t.Fatal("what decodes encodes to other bytes")
		}
		_, faults := Check("x.json", data)
		for _, f := range faults {
			if f.Line < 1 || f.File != "x.json" {
				t.Fatalf("fault without a position: %v", f)
			}
		}
		_, _ = Path(b, data)
	})
}

func BenchmarkCheck(b *testing.B) {
	data := read(b, "example.json")
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		if _, faults := Check("example.json", data); faults != nil {
			b.Fatal(faults)
		}
	}
}
