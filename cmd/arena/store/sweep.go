package store

import (
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// tempPrefix begins the name of a file that is being written. The id of the
// process that writes it follows.
const tempPrefix = ".arena-"

// Sweep removes the unfinished files that an import left below out when it was
// killed: those whose process is gone, and those too old to be still written to.
func Sweep(out string) {
	out = EscapeGlob(out)
	for _, place := range []string{"*/*/*", "*/*/*/raw"} {
		paths, err := filepath.Glob(filepath.Join(out, filepath.FromSlash(place), tempPrefix+"*"))
		if err != nil {
			return // out is no pattern; nothing is lost but the cleaning
		}
		for _, path := range paths {
			if info, err := os.Lstat(path); err == nil && info.Mode().IsRegular() && (!inUse(path) || time.Since(info.ModTime()) > time.Hour) {
				_ = os.Remove(path) // the next run tries again
			}
		}
	}
}

// inUse reports whether the process that an unfinished file names still runs.
func inUse(path string) bool {
	id, _, _ := strings.Cut(strings.TrimPrefix(filepath.Base(path), tempPrefix), "-")
	pid, err := strconv.Atoi(id)
	if err != nil || pid <= 0 {
		return false
	}
	process, err := os.FindProcess(pid)
	if err != nil {
		return false
	}
	defer process.Release() //nolint:errcheck // there is nothing to do about it
	err = process.Signal(syscall.Signal(0))
	return !errors.Is(err, os.ErrProcessDone) && !errors.Is(err, syscall.ESRCH)
}

// EscapeGlob makes a path match only itself in a pattern.
func EscapeGlob(path string) string {
	if filepath.Separator == '\\' {
		return path // where backslashes separate, nothing can be escaped
	}
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(path)
}
