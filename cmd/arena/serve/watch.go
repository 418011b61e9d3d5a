package serve

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"io/fs"
	"os"
	"time"
)

// Watch calls changed whenever look answers something new and then the same twice
// in a row, so that a file is not read while it is being written. It looks once
// per interval, until ctx ends; last is the answer that is known already.
//
// It asks again and again instead of listening to the system: a few hundred files
// take less than a millisecond, and asking also sees changes on network and
// container mounts, in new folders, and by editors that write a file beside the
// old one.
func Watch(ctx context.Context, interval time.Duration, last string, look func() string, changed func(context.Context)) {
	tick := time.NewTicker(interval)
	defer tick.Stop()
	before := last
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		now := look()
		if now != last && now == before {
			last = now
			changed(ctx)
		}
		before = now
	}
}

// Fingerprint returns a text that changes when a file below one of the folders is
// made, deleted, renamed, or gets another size or time. What cannot be read is
// part of it too.
func Fingerprint(dirs ...string) string {
	sum := sha256.New()
	for _, dir := range dirs {
		fmt.Fprintf(sum, "%q\n", dir)
		addFolder(sum, os.DirFS(dir))
	}
	return hex.EncodeToString(sum.Sum(nil))
}

func addFolder(sum hash.Hash, fsys fs.FS) {
	err := fs.WalkDir(fsys, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			fmt.Fprintf(sum, "%q %v\n", name, err)
			return nil
		}
		info, err := d.Info()
		if err != nil {
			fmt.Fprintf(sum, "%q %v\n", name, err)
			return nil
		}
		// The time of a folder changes with files that nobody reads.
		if !d.IsDir() {
			fmt.Fprintf(sum, "%q %d %d %v\n", name, info.Size(), info.ModTime().UnixNano(), info.Mode())
		}
		return nil
	})
	if err != nil {
		fmt.Fprintln(sum, err)
	}
}
