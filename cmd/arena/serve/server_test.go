package serve

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"
	"testing/synctest"
	"time"
)

func listen(t *testing.T) net.Listener {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	return l
}

// An answer that is under way when the server ends is finished.
func TestRunEndsGently(t *testing.T) {
	t.Parallel()
	l := listen(t)
	ctx, cancel := context.WithCancel(t.Context())
	begun, goOn := make(chan struct{}), make(chan struct{})
	slow := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		close(begun)
		<-goOn
		io.WriteString(w, "finished")
	})
	ended := make(chan error)
	go func() { ended <- Run(ctx, l, slow, nil) }()
	got := make(chan string)
	go func() {
		res, err := http.Get("http://" + l.Addr().String())
		if err != nil {
			got <- err.Error()
			return
		}
		defer res.Body.Close()
		body, _ := io.ReadAll(res.Body)
		got <- string(body)
	}()
	<-begun
	cancel()
	close(goOn)
	if body := <-got; body != "finished" {
		t.Errorf("got %q", body)
	}
	if err := <-ended; err != nil {
		t.Errorf("ended with %v", err)
	}
}

func TestRunFails(t *testing.T) {
	t.Parallel()
	l := listen(t)
	l.Close()
	if err := Run(t.Context(), l, http.NotFoundHandler(), nil); !errors.Is(err, net.ErrClosed) {
		t.Errorf("ended with %v", err)
	}
}

// A watched script of what look answers, one word per second, and when changed is
// called.
func TestWatch(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		looks []string
		want  []string
	}{
		"nothing changes":           {[]string{"a", "a", "a"}, nil},
		"a change that stands":      {[]string{"a", "b", "b", "b"}, []string{"b at 3"}},
		"a change that goes on":     {[]string{"b", "c", "d", "d"}, []string{"d at 4"}},
		"a change that is undone":   {[]string{"b", "a", "a"}, nil},
		"two changes":               {[]string{"b", "b", "a", "a"}, []string{"b at 2", "a at 4"}},
		"a change while it is busy": {[]string{"b", "b", "c", "c"}, []string{"b at 2", "c at 4"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithCancel(t.Context())
				at := 0
				var got []string
				Watch(ctx, time.Second, "a", func() string {
					at++
					if at == len(c.looks) {
						cancel()
					}
					return c.looks[at-1]
				}, func(context.Context) { got = append(got, c.looks[at-1]+" at "+strconv.Itoa(at)) })
				if !slices.Equal(got, c.want) {
					t.Errorf("changed is called for %v, want %v", got, c.want)
				}
			})
		})
	}
}

func TestFingerprint(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	seen := map[string]string{}
	note := func(what string) {
		t.Helper()
		print := Fingerprint(dir, filepath.Join(dir, "a"))
		if before, ok := seen[print]; ok {
			t.Errorf("after %s nothing differs from %s", what, before)
		}
		if again := Fingerprint(dir, filepath.Join(dir, "a")); again != print {
			t.Errorf("after %s: %s, then %s", what, print, again)
		}
		seen[print] = what
	}
	note("nothing")
	must(t, os.MkdirAll(filepath.Join(dir, "a/b"), 0o755))
	note("making folders")
	must(t, os.WriteFile(filepath.Join(dir, "a/b/x"), []byte("1"), 0o644))
	note("making a file")
	must(t, os.WriteFile(filepath.Join(dir, "a/b/x"), []byte("12"), 0o644))
	note("writing more")
	must(t, os.Chtimes(filepath.Join(dir, "a/b/x"), time.Time{}, time.Unix(1, 0)))
	note("changing the time")
	must(t, os.Rename(filepath.Join(dir, "a/b/x"), filepath.Join(dir, "a/b/y")))
	note("renaming")
	must(t, os.Remove(filepath.Join(dir, "a/b/y")))
	must(t, os.RemoveAll(filepath.Join(dir, "a")))
	if _, ok := seen[Fingerprint(dir, filepath.Join(dir, "a"))]; !ok {
		t.Error("undoing everything leaves a difference")
	}
}
