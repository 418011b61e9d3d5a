package engine

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/go-json-experiment/json"

	"example.org/arena/results/bundle"
)

// journalFormat is the version of journals. A program reads its own only: a run is
// continued by the program that began it.
const journalFormat = 1

// A Journal is what a run has measured so far: a file of lines, each a JSON object,
// a tab, and the CRC-32 of the object in eight hex digits. A last line that is cut
// off or damaged was being written when the run ended, and does not count.
type Journal struct {
	Path  string
	Start Start
	Units []Unit // in the order in which they were measured

	Calibrations []bundle.Calibration

	size int64 // of the lines that count
}

// A Start is the first line of a journal: what the run is.
type Start struct {
	Format   int           `json:"arena_journal"`
	Contract string        `json:"contract"` // version
	Only     []string      `json:"only,omitempty"`
	Salt     string        `json:"salt"`
	Plan     string        `json:"plan"` // digest
	Limits   Limits        `json:"limits"`
	Facts    bundle.Bundle `json:"facts"`             // everything but tests
	Found    server        `json:"found"`             // how requests are made
	File     string        `json:"sharegpt,omitzero"` // SHA-256 of the file of conversations
}

// Limits are what a user may set about a run without changing what it sends.
type Limits struct {
	TestSeconds    float64 `json:"test_s,omitzero"`
	RequestSeconds float64 `json:"request_s,omitzero"`
}

// A Unit is what is measured as a whole: a cell, or all that one command of a tool
// measures.
type Unit struct {
	Test      string            `json:"test"`
	ID        string            `json:"id"` // of the cell in the plan, or "<slug>#<number of the command>"
	Cells     []bundle.Cell     `json:"cells,omitempty"`
	Telemetry *bundle.Telemetry `json:"telemetry,omitzero"` // offsets from Began
	Began     string            `json:"began"`
	Tool      *bundle.Tool      `json:"tool,omitzero"`
	Command   *bundle.Command   `json:"command,omitzero"`
	LatencyMS *float64          `json:"latency_ms,omitzero"`
	Files     []bundle.File     `json:"files,omitempty"`
	Notes     []bundle.Note     `json:"notes,omitempty"`
	Stop      *bundle.Stop      `json:"stop,omitzero"` // the test ends here, and why
}

// An entry is a line of a journal after the first.
type entry struct {
	Unit        *Unit               `json:"unit,omitzero"`
	Calibration *bundle.Calibration `json:"calibration,omitzero"`
}

// DecodeJournal reads a journal. Path is where it lies, which messages name and a
// continued run writes to.
func DecodeJournal(path string, data []byte) (*Journal, error) {
	j := &Journal{Path: path}
	for number := 1; ; number++ {
		line, rest, whole := bytes.Cut(data[j.size:], []byte("\n"))
		text, err := unseal(line)
		if !whole || err != nil {
			if len(bytes.TrimSpace(rest)) > 0 {
				return nil, fmt.Errorf("%s:%d: %w, and other lines follow: this is no journal, or it was changed", path, number, cmp.Or(err, io.ErrUnexpectedEOF))
			}
			break // being written when the run ended
		}
		if err := j.readLine(number, text); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", path, number, err)
		}
		j.size += int64(len(line)) + 1
	}
	if j.Start.Format == 0 {
		return nil, fmt.Errorf("%s:1: no first line: the run ended before it began; delete the file and start again", path)
	}
	return j, nil
}

// readLine adds what a line holds: the start, a unit or a calibration.
func (j *Journal) readLine(number int, text []byte) error {
	if number == 1 {
		if err := unmarshalStrict(text, &j.Start); err != nil {
			return err
		}
		if j.Start.Format != journalFormat {
			return fmt.Errorf("a journal of format %d, which another version of the program wrote: this one continues format %d", j.Start.Format, journalFormat)
		}
		return nil
	}
	var e entry
	if err := unmarshalStrict(text, &e); err != nil {
		return err
	}
	switch {
	case e.Unit != nil:
		if j.Unit(e.Unit.ID) != nil {
			return fmt.Errorf("%s stands twice", e.Unit.ID)
		}
		j.Units = append(j.Units, *e.Unit)
	case e.Calibration != nil:
		j.Calibrations = append(j.Calibrations, *e.Calibration)
	default:
		return errors.New("a line that says nothing")
	}
	return nil
}

// Unit returns the unit with an id, or nil.
func (j *Journal) Unit(id string) *Unit {
	if i := slices.IndexFunc(j.Units, func(u Unit) bool { return u.ID == id }); i >= 0 {
		return &j.Units[i]
	}
	return nil
}

// unmarshalStrict decodes a line and refuses unknown keys, which would be lost when the
// bundle is put together.
func unmarshalStrict(text []byte, into any) error {
	return json.Unmarshal(text, into, json.RejectUnknownMembers(true))
}

var errSeal = errors.New("a line whose checksum is wrong")

// seal returns a value as a line of a journal.
func seal(v any) ([]byte, error) {
	text, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	return withChecksum(text), nil
}

// withChecksum returns an object as a line with its checksum.
func withChecksum(text []byte) []byte {
	return fmt.Appendf(slices.Clip(text), "\t%08x\n", crc32.ChecksumIEEE(text))
}

// unseal returns the object of a line without its end.
func unseal(line []byte) ([]byte, error) {
	i := bytes.LastIndexByte(line, '\t')
	if i < 0 || string(line[i+1:]) != fmt.Sprintf("%08x", crc32.ChecksumIEEE(line[:i])) {
		return nil, errSeal
	}
	return line[:i], nil
}

// A journalFile is a journal that is being written. Only one process writes it.
type journalFile struct {
	Journal
	file store
}

// A store is what a journal needs of its file.
type store interface {
	io.WriteSeeker
	io.Closer
	Sync() error
	Truncate(size int64) error
}

// createJournal begins a journal. A file that is there already is not touched.
func createJournal(path string, s Start) (*journalFile, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return nil, err
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if errors.Is(err, fs.ErrExist) {
		return nil, &Refusal{
			"journal_exists", fmt.Sprintf("%s is there already: an earlier run was not finished", path),
			"continue it with --resume " + path + ", or delete it",
		}
	}
	if err != nil {
		return nil, err
	}
	j := &journalFile{Journal: Journal{Path: path, Start: s}, file: f}
	if err := lock(f); err != nil {
		j.discard()
		return nil, err
	}
	if err := j.write(s); err != nil {
		j.discard()
		return nil, err
	}
	return j, nil
}

// continueJournal opens a journal to add to it. What its last line left half
// written is cut off.
func continueJournal(old *Journal) (*journalFile, error) {
	f, err := os.OpenFile(old.Path, os.O_RDWR, 0)
	if err != nil {
		return nil, err
	}
	if err := lock(f); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	if err := f.Truncate(old.size); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	if _, err := f.Seek(old.size, io.SeekStart); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return &journalFile{Journal: *old, file: f}, nil
}

// add writes a unit.
func (j *journalFile) add(u Unit) error {
	if err := j.write(entry{Unit: &u}); err != nil {
		return err
	}
	j.Units = append(j.Units, u)
	return nil
}

// addCalibration writes a calibration.
func (j *journalFile) addCalibration(k bundle.Calibration) error {
	if err := j.write(entry{Calibration: &k}); err != nil {
		return err
	}
	j.Calibrations = append(j.Calibrations, k)
	return nil
}

// write appends a line and syncs the file. When that fails the line is cut off again,
// as far as the file system allows.
func (j *journalFile) write(v any) error {
	line, err := seal(v)
	if err != nil {
		return fmt.Errorf("journal: %w", err)
	}
	if _, err = j.file.Write(line); err == nil {
		err = j.file.Sync()
	}
	if err != nil {
		_ = j.file.Truncate(j.size)
		_, _ = j.file.Seek(j.size, io.SeekStart)
		return fmt.Errorf("journal: %w", err)
	}
	j.size += int64(len(line))
	return nil
}

// close closes the journal, which stays.
func (j *journalFile) close() { _ = j.file.Close() } // every line is on the disk already

// discard removes the journal.
func (j *journalFile) discard() {
	j.close()
	_ = os.Remove(j.Path) // the error that led here says more
}
