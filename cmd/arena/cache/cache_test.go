package cache

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"example.org/arena/site/chart"
	"github.com/andybalholm/brotli"
)

var _ chart.Cache = (*Folder)(nil)

func open(t *testing.T, dir, salt string) *Folder {
	t.Helper()
	f, err := Open(dir, salt)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestFolder(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "a/b")
	values := map[string]string{"empty": "", "../../x": "path", strings.Repeat("k", 5000): "long", "v": "value"}
	f := open(t, dir, "1")
	for key, value := range values {
		if _, ok := f.Get(key); ok {
			t.Errorf("%.10q is there before it was put", key)
		}
		f.Put(key, []byte("first"))
		f.Put(key, []byte(value))
	}
	again := open(t, dir, "1")
	for key, value := range values {
		if got, ok := again.Get(key); !ok || string(got) != value {
			t.Errorf("%.10q = %q, %v, want %q", key, got, ok, value)
		}
	}
	if _, ok := open(t, dir, "2").Get("v"); ok {
		t.Error("a value is found under another salt")
	}
	if err := again.Err(); err != nil {
		t.Error(err)
	}
}

// files lists all files below dir.
func files(t *testing.T, dir string) []string {
	t.Helper()
	var list []string
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			list = append(list, name)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func TestDamage(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	f := open(t, dir, "")
	f.Put("key", []byte("a value"))
	name := files(t, dir)[0]
	whole, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	damaged := [][]byte{nil, whole[:10], whole[:len(whole)-1], append(bytes.Clone(whole), 0)}
	for i := range whole {
		b := bytes.Clone(whole)
		b[i] ^= 1
		damaged = append(damaged, b)
	}
	for _, data := range damaged {
		if err := os.WriteFile(name, data, 0o644); err != nil {
			t.Fatal(err)
		}
		if got, ok := f.Get("key"); ok {
			t.Errorf("%q reads as %q", data, got)
		}
	}
	f.Put("key", []byte("mended"))
	if got, ok := f.Get("key"); !ok || string(got) != "mended" {
		t.Errorf("after mending: %q, %v", got, ok)
	}
	// A whole value in the place of another one is damage too.
	other, _ := f.place("other")
	if err := os.MkdirAll(filepath.Dir(other), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(name, other); err != nil {
		t.Fatal(err)
	}
	if got, ok := f.Get("other"); ok {
		t.Errorf("the value of another key reads as %q", got)
	}
	if n := len(files(t, dir)); n != 1 {
		t.Errorf("%d files, want 1", n)
	}
}

// Of many versions the last ones stay, and of one what is still of use.
func TestVersions(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for i, version := range []string{"a", "b", "c", "d", "e"} {
		f := OpenVersion(dir, version)
		f.Put("key", []byte(version))
		then := time.Now().Add(time.Duration(i-10) * time.Minute)
		if err := os.Chtimes(filepath.Join(dir, version), then, then); err != nil {
			t.Fatal(err)
		}
	}
	f := OpenVersion(dir, "c")
	for version, want := range map[string]bool{"a": false, "b": false, "c": true, "d": true, "e": true} {
		if _, err := os.Stat(filepath.Join(dir, version)); (err == nil) != want {
			t.Errorf("version %s is there: %v, want %v", version, err == nil, want)
		}
	}
	f.Put("new", nil)
	f.Put("used", nil)
	f.Put("unused", nil)
	f = OpenVersion(dir, "c")
	f.Get("key")
	f.Use("used")
	f.Put("new", []byte("newer"))
	OpenVersion(dir, "c").Put("of another program", nil)
	f.Sweep()
	for key, want := range map[string]bool{"key": true, "new": true, "used": true, "unused": false, "of another program": true} {
		if _, ok := f.Get(key); ok != want {
			t.Errorf("%s is there: %v, want %v", key, ok, want)
		}
	}
	if err := f.Err(); err != nil {
		t.Error(err)
	}
}

// What a program that was ended had begun to write goes when it is old: until then
// it may be another program's.
func TestBegun(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	open(t, dir, "").Put("key", []byte("value"))
	for name, age := range map[string]time.Duration{"ended": 2 * time.Hour, "at it": time.Minute} {
		name = filepath.Join(dir, begun, name)
		if err := os.WriteFile(name, []byte("val"), 0o644); err != nil {
			t.Fatal(err)
		}
		then := time.Now().Add(-age)
		if err := os.Chtimes(name, then, then); err != nil {
			t.Fatal(err)
		}
	}
	if _, ok := open(t, dir, "").Get("key"); !ok {
		t.Error("a value is gone")
	}
	for name, want := range map[string]bool{"ended": false, "at it": true} {
		if _, err := os.Stat(filepath.Join(dir, begun, name)); (err == nil) != want {
			t.Errorf("%s is there: %v, want %v", name, err == nil, want)
		}
	}
}

// A folder that cannot be made is a cache that holds nothing.
func TestVersionWithoutFolder(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(dir, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	f := OpenVersion(dir, "a")
	f.Put("key", nil)
	f.Sweep()
	if _, ok := f.Get("key"); ok || f.Err() == nil {
		t.Errorf("a value is in a folder that is not there, error %v", f.Err())
	}
}

func TestManyAtATime(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	var wg sync.WaitGroup
	for range 4 {
		f := open(t, dir, "")
		wg.Go(func() {
			for i := range 50 {
				key := fmt.Sprint("key ", i)
				want := strings.Repeat(key, 1000)
				f.Put(key, []byte(want))
				if got, ok := f.Get(key); !ok || string(got) != want {
					t.Errorf("%s: %v", key, ok)
				}
			}
			if err := f.Err(); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if n := len(files(t, dir)); n != 50 {
		t.Errorf("%d files, want 50", n)
	}
}

func TestBrokenFolder(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "file"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(filepath.Join(dir, "file"), ""); err == nil {
		t.Error("a file was opened as a folder")
	}
	f := open(t, filepath.Join(dir, "cache"), "")
	if err := os.RemoveAll(f.dir); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(f.dir, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	f.Put("key", []byte("value"))
	if _, ok := f.Get("key"); ok || f.Err() == nil {
		t.Errorf("a value is in a folder that is gone, error %v", f.Err())
	}
}

func TestCompressor(t *testing.T) {
	t.Parallel()
	text := []byte(strings.Repeat("tokens per second ", 200))
	m := chart.NewMemory()
	compress := Compressor(m)
	br, gz, err := compress(text, 11)
	if err != nil {
		t.Fatal(err)
	}
	z, err := gzip.NewReader(bytes.NewReader(gz))
	if err != nil {
		t.Fatal(err)
	}
	for name, r := range map[string]io.Reader{"brotli": brotli.NewReader(bytes.NewReader(br)), "gzip": z} {
		if got, err := io.ReadAll(r); err != nil || !bytes.Equal(got, text) {
			t.Errorf("%s gives %d bytes back, want %d: %v", name, len(got), len(text), err)
		}
	}
	br2, gz2, err := Compressor(silent{m, t})(text, 11)
	if err != nil || !bytes.Equal(br, br2) || !bytes.Equal(gz, gz2) {
		t.Errorf("kept results differ: %v", err)
	}
}

// silent fails when something is put.
type silent struct {
	Values
	t *testing.T
}

func (s silent) Put(key string, _ []byte) { s.t.Errorf("%s is computed again", key) }
