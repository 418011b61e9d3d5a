package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
)

// The exit codes. They are an interface: scripts branch on them.
const (
	exitOK          = 0
	exitFailure     = 1
	exitUsage       = 2
	exitBreaks      = 3
	exitInvalid     = 4
	exitInterrupted = 130
)

// exitMeaning says in the help what an exit code stands for.
func exitMeaning(code int) string {
	switch code {
	case exitOK:
		return "success"
	case exitFailure:
		return "failure"
	case exitUsage:
		return "wrong usage"
	case exitBreaks:
		return "valid run that breaks its contract"
	case exitInvalid:
		return "invalid run"
	case exitInterrupted:
		return "interrupted"
	}
	return ""
}

// A codedError ends the program with a code other than exitFailure.
type codedError struct {
	code int
	err  error
}

func (e *codedError) Error() string { return e.err.Error() }
func (e *codedError) Unwrap() error { return e.err }

// withCode makes err end the program with the given exit code.
func withCode(code int, err error) error { return &codedError{code, err} }

// usagef returns an error about how the program was called.
func usagef(format string, args ...any) error {
	return withCode(exitUsage, fmt.Errorf(format, args...))
}

// A hintedError carries advice that is printed on a line of its own.
type hintedError struct {
	err  error
	hint string
}

func (e *hintedError) Error() string { return e.err.Error() }
func (e *hintedError) Unwrap() error { return e.err }

// withHint adds advice to err: what the user can do about it.
func withHint(err error, hint string) error { return &hintedError{err, hint} }

// exitCode returns the exit code that err asks for.
func exitCode(err error) int {
	var coded *codedError
	switch {
	case err == nil:
		return exitOK
	case errors.Is(err, context.Canceled):
		return exitInterrupted
	case errors.As(err, &coded):
		return coded.code
	}
	return exitFailure
}

// printError writes err to w, every line of it as "arena: …", and its hint.
//
// Errors may repeat what a server or a file said: nothing in them reaches the
// terminal but text.
func printError(w io.Writer, err error) {
	for line := range strings.Lines(err.Error()) {
		fmt.Fprintf(w, "arena: %s\n", plain(strings.TrimRight(line, "\n"), '\t'))
	}
	if hinted, ok := errors.AsType[*hintedError](err); ok {
		fmt.Fprintf(w, "hint: %s\n", plain(hinted.hint, '\t'))
	}
}
