package runner

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os/exec"
	"slices"
	"strings"

	"example.org/arena/results/contract"
)

// A ToolFault says why a command measured nothing.
type ToolFault string

// The faults of tools.
const (
	ToolNotFound    ToolFault = "not_found"   // the program is not installed
	ToolContainer   ToolFault = "container"   // the container is not there, or Docker is not
	ToolExit        ToolFault = "exit"        // it ended with a code other than 0
	ToolKilled      ToolFault = "killed"      // a signal ended it that we did not send
	ToolUnreadable  ToolFault = "unreadable"  // its output cannot be read
	ToolInterrupted ToolFault = "interrupted" // we ended it
)

// A ToolError is a command that measured nothing. What it printed is in the
// ToolRun beside it.
type ToolError struct {
	Tool  contract.Tool
	Fault ToolFault
	Exit  Exit
	Msg   string // may have several lines
	Hint  string // what to do, without a line end; may be empty
	Err   error  // behind it: context.Canceled, or what the importer said
}

// Error returns the message, and the hint on its own line.
func (e *ToolError) Error() string {
	text := fmt.Sprintf("run %s: %s", e.Tool, e.Msg)
	if e.Hint != "" {
		text += "\nhint: " + e.Hint
	}
	return text
}

func (e *ToolError) Unwrap() error { return e.Err }

// installHint says how to get a program.
func installHint(program string) string {
	switch program {
	case "uvx":
		return "install uv, which brings uvx (https://docs.astral.sh/uv), or measure with --runner native"
	case "docker":
		return "install Docker and let this user run it, or measure with --runner native"
	}
	return "put " + program + " on the PATH"
}

// notStarted returns the error of a process that did not start.
func notStarted(tool contract.Tool, program string, err error) *ToolError {
	e := &ToolError{Tool: tool, Fault: ToolNotFound, Exit: Exit{Code: -1}, Err: err}
	switch {
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return interrupted(tool, e.Exit, err)
	case errors.Is(err, exec.ErrNotFound):
		e.Msg, e.Hint = program+" was not found", installHint(program)
	default:
		e.Msg = fmt.Sprintf("start %s: %v", program, withoutPath(err))
	}
	return e
}

// withoutPath returns what is behind an error about a file: the message ends up in
// a bundle, which holds no paths of a machine.
func withoutPath(err error) error {
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		return e.Err
	}
	return err
}

func interrupted(tool contract.Tool, exit Exit, err error) *ToolError {
	return &ToolError{
		Tool: tool, Fault: ToolInterrupted, Exit: exit, Err: err,
		Msg: "interrupted: what this command measured is lost, since the tool writes its figures when it ends",
	}
}

// containerFault tells a fault of Docker from one of the tool inside, by Docker's
// own words.
func containerFault(tool contract.Tool, container string, exit Exit, said string) (*ToolError, bool) {
	e := &ToolError{Tool: tool, Fault: ToolContainer, Exit: exit}
	lower := strings.ToLower(said)
	for _, c := range []struct{ words, msg, hint string }{
		{"no such container", "there is no container " + container, "start one with vLLM in it under this name, or name yours with --container"},
		{"is not running", "the container " + container + " is not running", "start it: docker start " + container},
		{"is paused", "the container " + container + " is paused", "docker unpause " + container},
		{"cannot connect to the docker daemon", "Docker does not answer", "start the Docker service"},
		{"permission denied while trying to connect to the docker", "this user may not use Docker", "add the user to the group docker, or measure with --runner native"},
		{"executable file not found", "the container " + container + " has no vllm", "use a container of an image with vLLM in it"},
	} {
		if strings.Contains(lower, c.words) {
			e.Msg, e.Hint = c.msg, c.hint
			return e, true
		}
	}
	return nil, false
}

// failed returns the error of a tool that ended with a code or by a signal.
func (x *Tools) failed(tool contract.Tool, exit Exit, said string) *ToolError {
	e := &ToolError{Tool: tool, Fault: ToolExit, Exit: exit, Msg: exit.String()}
	if exit.Signal != "" {
		e.Fault, e.Hint = ToolKilled, "the kernel kills what takes too much memory: see dmesg"
	}
	if line := lastLine(said); line != "" {
		e.Msg += ": " + line
	}
	if x.APIKey != "" && !tool.TakesKey() {
		e.Hint = "llama-benchy takes no key from its environment, and a command must not hold one: if the server wants a key, measure with --runner native"
	}
	return e
}

// lastLine returns the last line of a text that says something, cut to a length
// that fits a message.
func lastLine(text string) string {
	lines := strings.FieldsFunc(text, func(r rune) bool { return r == '\n' || r == '\r' })
	for _, line := range slices.Backward(lines) {
		if line = strings.TrimSpace(line); line != "" {
			if r := []rune(line); len(r) > 300 {
				line = string(r[:300]) + "…"
			}
			return line
		}
	}
	return ""
}
