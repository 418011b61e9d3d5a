package hostinfo

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"example.org/arena/results/bundle"
)

// fakeSystem is a machine whose programs and files are the test's.
type fakeSystem struct {
	answers map[string]string // by a part of the command line
	errs    map[string]error  // by a part of the command line
	files   map[string]string
	names   []string
}

func (f fakeSystem) system() System {
	return System{
		Run: func(ctx context.Context, name string, args ...string) ([]byte, error) {
			line := strings.Join(append([]string{name}, args...), " ")
			var found string
			for part, err := range f.errs {
				if strings.Contains(line, part) {
					return []byte(f.answers[part]), err
				}
			}
			for part := range f.answers {
				if strings.Contains(line, part) && len(part) > len(found) {
					found = part
				}
			}
			if found == "" {
				return nil, fmt.Errorf("%s: %w", name, exec.ErrNotFound)
			}
			return []byte(f.answers[found]), nil
		},
		Read: func(name string) ([]byte, error) {
			text, ok := f.files[name]
			if !ok {
				return nil, os.ErrNotExist
			}
			return []byte(text), nil
		},
		Names: func() []string { return f.names },
	}
}

// machine is a fakeSystem with the files of a folder of testdata.
func machine(t *testing.T, folder string) fakeSystem {
	t.Helper()
	file := func(name string) string {
		data, err := os.ReadFile(filepath.Join("testdata", folder, name))
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	return fakeSystem{
		answers: map[string]string{"--query-gpu=name,": file("query.csv"), "-d COMPUTE": file("compute.txt")},
		files: map[string]string{
			"/etc/os-release": file("os-release"), "/proc/sys/kernel/osrelease": file("osrelease"), "/proc/meminfo": file("meminfo"),
		},
	}
}

func codes(notes []bundle.Note) string {
	var list []string
	for _, n := range notes {
		text := n.Code
		for _, a := range n.Args {
			text += " " + a.Name + "=" + a.Value
		}
		list = append(list, text)
	}
	return strings.Join(list, "; ")
}

func settingsText(list []bundle.Setting) string {
	var out []string
	for _, s := range list {
		out = append(out, s.Name+"="+s.Value)
	}
	return strings.Join(out, " ")
}

var errExit = errors.New("exit status 9")
