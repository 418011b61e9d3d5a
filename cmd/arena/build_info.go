package main

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"strings"
	"time"

	"example.org/arena/cmd/arena/exit"
	"example.org/arena/results/bundle"
	"example.org/arena/results/contract"
)

// What the linker stamps into the program (-ldflags "-X main.revision=…"). They
// are variables because the linker can set nothing else; no code assigns them.
var (
	version           string // "v0.1.0"
	revision          string // Git revision of the source, 40 hex digits
	dirty             string // "true" when files outside results/bundles differed from it, or were not in it, else "false"
	code              string // SHA-256 of the names and contents of all sources but the bundles; empty when they differ from what Git has
	contractRevisions string // "v1=<40 hex>,v2=<40 hex>": the revision that last touched each contract
)

// A build says what the program was built from.
type build struct {
	version  string
	revision string // empty when unknown
	dirty    bool
}

// readBuild returns the stamps, or what the Go tool recorded where there are
// none. The Go tool calls a tree dirty for any change, also below
// results/bundles: without stamps a build is dirty more often than it need be.
func readBuild() build {
	b := build{version: version, revision: revision, dirty: dirty == "true"}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return b
	}
	if b.version == "" {
		b.version = info.Main.Version
	}
	if b.version == "" {
		b.version = "(devel)"
	}
	if b.revision == "" {
		for _, s := range info.Settings {
			switch s.Key {
			case "vcs.revision":
				b.revision = s.Value
			case "vcs.modified":
				b.dirty = s.Value == "true"
			}
		}
	}
	return b
}

// codeDigest names everything that the program is made of: what is stamped, or the
// digest of the program's own file, which changes with every revision. Empty when
// neither is known.
func codeDigest() string {
	if code != "" {
		return code
	}
	name, err := os.Executable()
	if err != nil {
		return ""
	}
	data, err := os.ReadFile(name)
	if err != nil {
		return ""
	}
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// enginePin returns the pin of this program for a bundle that it writes. The
// runner is "native", "tools" or "import/<format>". Its revision is empty when
// the build carries none.
func enginePin(runner string) bundle.EnginePin {
	b := readBuild()
	return bundle.EnginePin{
		Version:  b.version,
		Revision: b.revision,
		Dirty:    b.dirty,
		Runner:   runner,
		Go:       runtime.Version(),
	}
}

// contractPin returns the pin of a contract for a bundle that this program writes. A
// program without stamps cannot know the contract's revision and refuses.
func contractPin(k *contract.Contract) (*bundle.ContractPin, error) {
	return pinContract(contractRevisions, k.Version, k.Digest)
}

// pinContract looks the revision up in a stamp "v1=<40 hex>,v2=<40 hex>".
func pinContract(stamp, version, sha256 string) (*bundle.ContractPin, error) {
	for pair := range strings.SplitSeq(stamp, ",") {
		v, rev, _ := strings.Cut(pair, "=")
		if v == version && len(rev) == 40 {
			return &bundle.ContractPin{Version: version, SHA256: sha256, Revision: rev}, nil
		}
	}
	return nil, exit.WithHint(
		fmt.Errorf("pin contract %s: this program was built without the revision of the contract", version),
		"build it with make build, in a clone with full history")
}

// builtAt returns the time of the revision that the program was built from, zero
// when it does not know.
func builtAt() time.Time {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return time.Time{}
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.time" {
			if t, err := time.Parse(time.RFC3339, s.Value); err == nil {
				return t
			}
		}
	}
	return time.Time{}
}

// privateWords returns what outputs of tools must not keep: the name of this machine
// and the user's home folder.
func privateWords() []string {
	var words []string
	if name, err := os.Hostname(); err == nil && len(name) > 2 {
		words = append(words, name)
	}
	if home, err := os.UserHomeDir(); err == nil && len(home) > 1 {
		words = append(words, home)
	}
	return words
}
