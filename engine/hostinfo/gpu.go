package hostinfo

import (
	"context"
	"errors"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"example.org/arena/results/bundle"
)

// gpuTool reports on GPUs. It is run as a program: one that is linked to its library
// does not start on a machine without a driver.
const gpuTool = "nvidia-smi"

var (
	// makers write names in words with a capital or a digit first
	gpuForm    = regexp.MustCompile(`^[A-Z][A-Za-z0-9+./-]{0,19}(?: \(?[A-Z0-9][A-Za-z0-9+./-]{0,19}\)?){0,9}(?: \(nvgpu\))?$`)
	driverForm = regexp.MustCompile(`^[0-9]{3,4}(?:\.[0-9]{1,4}){1,2}$`)
	vbiosForm  = regexp.MustCompile(`^[0-9A-Fa-f]{2}(?:\.[0-9A-Fa-f]{2}){3,5}$`)
	cudaForm   = regexp.MustCompile(`^[0-9]{1,2}\.[0-9]{1,2}$`)
	// chips with CPU and GPU on one memory, of which the program tells nothing
	sharesMemory = regexp.MustCompile(`\b(?:GB10|Thor|Orin)\b`)
	// newer programs say which of two versions they mean
	cudaLine = regexp.MustCompile(`CUDA (?:UMD |Driver )?Version\s*:\s*([0-9]+\.[0-9]+)`)
)

// gpus asks for the models, the number and the versions of the GPUs.
func (f *finder) gpus(ctx context.Context) {
	out, err := f.sys.run(ctx, gpuTool, "--query-gpu=name,driver_version,vbios_version,memory.total", "--format=csv,noheader,nounits")
	if err != nil {
		f.notes = append(f.notes, toolFailure(f.sys, out, err))
		return
	}
	var names, drivers, bioses []string
	for _, row := range csvRows(string(out), 4) {
		if !driverForm.MatchString(row[1]) { // every GPU that answers has a driver
			continue
		}
		names, drivers, bioses = append(names, row[0]), append(drivers, row[1]), append(bioses, row[2])
		if row[3] == "" && sharesMemory.MatchString(row[0]) {
			f.notes = []bundle.Note{bundle.NewNote(bundle.NoteSharedMemory)}
		}
	}
	if f.host.GPUs = len(names); f.host.GPUs == 0 {
		f.notes = append(f.notes, bundle.NewNote(NoteGPUToolFailed, "tool", gpuTool))
		return
	}
	f.models(names)
	f.set("driver", &f.host.Driver, onlyValue(drivers), driverForm)
	f.vbios(bioses)
	f.set("cuda", &f.host.CUDA, f.cuda(ctx), cudaForm)
}

// models keeps the model of the GPUs; of several, each once.
func (f *finder) models(names []string) {
	models := distinct(names)
	for _, m := range models {
		if !gpuForm.MatchString(m) || f.private.text(m) {
			f.withheld = append(f.withheld, "gpu")
			return
		}
	}
	if len(models) == 0 {
		f.unknown = append(f.unknown, "gpu")
		return
	}
	f.host.GPU = strings.Join(models, " + ")
	if len(models) > 1 {
		f.notes = append(f.notes, bundle.NewNote(NoteGPUsDiffer, "gpus", f.host.GPU))
	}
}

// vbios keeps the version of the firmware; of several, each once.
func (f *finder) vbios(bioses []string) {
	versions := distinct(bioses)
	for _, v := range versions {
		if !vbiosForm.MatchString(v) {
			f.withheld = append(f.withheld, "vbios")
			return
		}
	}
	if len(versions) == 0 {
		f.unknown = append(f.unknown, "vbios")
		return
	}
	slices.Sort(versions)
	f.host.VBIOS = strings.Join(versions, " + ")
}

// cuda asks for the version of CUDA that the driver brings. It stands in the heads
// of answers only, not among the fields.
func (f *finder) cuda(ctx context.Context) string {
	for _, args := range [][]string{{"-q", "-d", "COMPUTE"}, {}} {
		out, err := f.sys.run(ctx, gpuTool, args...)
		if m := cudaLine.FindSubmatch(out); m != nil && err == nil {
			return string(m[1])
		}
		if errors.Is(err, context.DeadlineExceeded) {
			break
		}
	}
	return ""
}

// toolFailure says why the program gave nothing.
func toolFailure(sys System, out []byte, err error) bundle.Note {
	switch {
	case absent(err):
		return bundle.NewNote(NoteGPUToolMissing, "tool", gpuTool)
	case errors.Is(err, context.DeadlineExceeded):
		return bundle.NewNote(NoteGPUToolSilent, "tool", gpuTool, "limit_s", strconv.FormatFloat(sys.Timeout.Seconds(), 'f', -1, 64))
	case strings.Contains(string(out), "No devices were found"):
		return bundle.NewNote(NoteGPUNotFound, "tool", gpuTool)
	}
	return bundle.NewNote(NoteGPUToolFailed, "tool", gpuTool)
}

// csvRows returns the rows of an answer that have n fields. What says that there
// is no value is empty.
func csvRows(text string, n int) [][]string {
	var rows [][]string
	for line := range strings.Lines(text) {
		fields := strings.Split(strings.TrimSpace(line), ",")
		if len(fields) != n {
			continue
		}
		for i := range fields {
			fields[i] = value(fields[i])
		}
		rows = append(rows, fields)
	}
	return rows
}

// value returns a field of an answer, empty for the words that stand for no value.
func value(field string) string {
	field = strings.TrimSpace(field)
	switch strings.ToLower(strings.Trim(field, "[]")) {
	case "n/a", "not supported", "unknown error", "insufficient permissions", "gpu is lost", "not found", "gpu requires reset":
		return ""
	}
	return field
}

// distinct returns the values of a list, each once, in order, without empty ones.
func distinct(list []string) []string {
	var out []string
	for _, v := range list {
		if v != "" && !slices.Contains(out, v) {
			out = append(out, v)
		}
	}
	return out
}

// onlyValue returns the value that all agree on, else none.
func onlyValue(list []string) string {
	if d := distinct(list); len(d) == 1 {
		return d[0]
	}
	return ""
}
