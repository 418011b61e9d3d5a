package contract_test

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"example.org/arena/results/contract"
)

// contents is the folder of the published contracts and errata.
const contents = "../../content"

// published pins the digests: the bytes of a published contract never change.
var published = map[string]string{
	"v1": "53563a9acfefa957a1a1a17f55f5757b74f353f6b11f6c1a6670342c62f89ccf",
	"v2": "5087eda354bd8809a2f7478ddb7532e60ceeb4aabf09a6a863766d26c3e6f7d1",
	"v3": "28fdbd43e3dec010ede392c002fc44ca9ae9f4d902d860f2fbc71f643ee372c2",
}

func readFile(t testing.TB, elem ...string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(elem...))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// load reads and checks a published contract.
func load(t testing.TB, version string) *contract.Contract {
	t.Helper()
	c, err := contract.Parse(version+".toml", readFile(t, contents, "contracts", version+".toml"))
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Validate(); err != nil {
		t.Fatal(err)
	}
	return c
}

// test returns one of a contract's tests.
func test(t testing.TB, c *contract.Contract, slug string) contract.Test {
	t.Helper()
	found, ok := c.Test(slug)
	if !ok {
		t.Fatalf("contract %s has no test %q", c.Version, slug)
	}
	return found
}

func TestPublishedContractsNeverChange(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob(filepath.Join(contents, "contracts", "*.toml"))
	if err != nil || len(files) == 0 {
		t.Fatalf("find contracts: %v, %v", files, err)
	}
	for _, file := range files {
		version := strings.TrimSuffix(filepath.Base(file), ".toml")
		c := load(t, version)
		sum := sha256.Sum256(readFile(t, file))
		if c.Version != version || c.Digest != hex.EncodeToString(sum[:]) || c.Digest != published[version] {
			t.Errorf("%s: version %s with digest %s, want %s", file, c.Version, c.Digest, published[version])
		}
	}
}

func TestPublishedTests(t *testing.T) {
	t.Parallel()
	for version, want := range map[string][]string{
		"v1": {"chat", "rag-8k", "long-output", "big-context", "multi-turn", "office-baseline", "sharegpt", "monday-peak", "reasoning"},
		"v2": {"chat", "rag-8k", "long-output", "multi-turn", "big-context", "concurrency-stress", "office-baseline", "sharegpt", "reasoning", "monday-peak", "rate-sweep"},
	} {
		var got []string
		for i, tt := range load(t, version).Tests {
			got = append(got, tt.Slug)
			if tt.Number != i+1 {
				t.Errorf("%s: test %s has number %d at place %d", version, tt.Slug, tt.Number, i+1)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s:\n got %v\nwant %v", version, got, want)
		}
	}
}

func TestPublishedErrata(t *testing.T) {
	t.Parallel()
	for version, want := range map[string][]string{
		"v1": {"decimal_commas", "reasoning_lengths", "depth_is_tokens"},
		"v2": {"depth_is_tokens"},
	} {
		e, err := contract.ParseErrata(version+".toml", readFile(t, contents, "errata", version+".toml"))
		if err != nil {
			t.Fatal(err)
		}
		if err := e.Validate(load(t, version)); err != nil {
			t.Error(err)
		}
		var got []string
		for _, erratum := range e.List {
			got = append(got, erratum.Code)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: got errata %v, want %v", version, got, want)
		}
	}
}

func TestCellsInOrder(t *testing.T) {
	t.Parallel()
	c := load(t, "v2")
	want := []contract.Cell{}
	for _, prompt := range []int{4096, 8192, 16384, 25000} {
		for _, users := range []int{1, 5, 10} {
			want = append(want, contract.Cell{PromptTokens: prompt, OutputTokens: 256, Concurrency: users})
		}
	}
	if got := test(t, c, "big-context").Cells(); !slices.Equal(got, want) {
		t.Errorf("big-context:\n got %v\nwant %v", got, want)
	}
	if got, want := test(t, c, "sharegpt").Cells(), []contract.Cell{{RequestRate: 0.3, Prompts: 250}}; !slices.Equal(got, want) {
		t.Errorf("sharegpt: got %v, want %v", got, want)
	}
	sweep := test(t, c, "rate-sweep").Cells()
	if last := (contract.Cell{PromptTokens: 4000, OutputTokens: 500, RequestRate: 1, Prompts: 250}); len(sweep) != 6 || sweep[5] != last {
		t.Errorf("rate-sweep: got %v, want six ending in %v", sweep, last)
	}
	if got := (contract.Test{}).Cells(); got != nil {
		t.Errorf("test without parameters: got cells %v", got)
	}
}
