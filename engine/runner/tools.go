package runner

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"example.org/arena/results/bundle"
	"example.org/arena/results/contract"
)

// Tools measures by running the commands of a contract as they are written, and
// reads what they print. The unit is the command: one that is interrupted or fails
// has measured nothing. The value must not be copied.
type Tools struct {
	Names     contract.Names
	BaseURL   string   // of the server, with or without its version path; empty is the contract's
	Container string   // that vllm bench serve runs in; empty is the contract's
	Dir       string   // where the tools run and their outputs are written, scrubbed; empty is the present folder, and nothing is written
	APIKey    string   // handed to the tools as OPENAI_API_KEY in their environment, and nowhere else
	Private   []string // further words that outputs must not keep, such as the name of the machine

	Grace time.Duration                                      // from asking an interrupted tool to end until it is killed; 0 is 15 s
	Exec  func(ctx context.Context, p Process) (Exit, error) // nil is [Execute]

	mu       sync.Mutex
	versions map[string]string // of vllm, by container
}

// A ToolRun is what one command did.
type ToolRun struct {
	Test    bundle.Test // what the command measured of its test; after a failure, cells that say why they have no figures
	Files   []RawFile   // the files that Test.Files names, to be kept beside the bundle
	Exit    Exit
	Started time.Time // of the command
	Ended   time.Time
}

// A RawFile is an output of a tool, scrubbed.
type RawFile struct {
	Name string
	Data []byte
}

// The codes of the notes that a run of tools has. Arguments, in this order, stand
// behind each.
const (
	NoteContainerDiffers = "container_differs"     // contract: the tool ran in another container than the contract names
	NoteAddressWithheld  = "address_withheld"      // placeholder: stands for the address of the server in the command
	NoteCellsWithout     = "cells_without_figures" // measured, planned: the tool printed figures of fewer cells than it was asked for
	NoteCommandFailed    = "command_failed"        // what: not_found, container, exit, killed, unreadable or interrupted; exit: its code
)

// ContainerPlaceholder stands in recorded commands for a container that the
// contract does not name.
const ContainerPlaceholder = "CONTAINER"

// keyVariable is the environment variable from which vllm bench serve takes the key.
const keyVariable = "OPENAI_API_KEY"

// Commands lists what is run for a test, in order.
func (x *Tools) Commands(c *contract.Contract, t contract.Test) ([]contract.Command, error) {
	if t.Own() {
		return nil, fmt.Errorf("test %s has no command of a tool: it is measured by %s", t.Slug, t.Tool())
	}
	t, err := x.override(t)
	if err != nil {
		return nil, err
	}
	commands := c.Commands(t, x.Names)
	if x.APIKey != "" && containerOf(t) != "" {
		for i := range commands {
			// Without a value docker takes it from its own environment.
			commands[i].Argv = slices.Insert(commands[i].Argv, 2, "-e", keyVariable)
		}
	}
	return commands, nil
}

// containerName is what Docker takes as the name or id of a container.
var containerName = regexp.MustCompile(`^[a-zA-Z0-9][a-zA-Z0-9_.-]*$`)

// override returns the test with another address and container.
func (x *Tools) override(t contract.Test) (contract.Test, error) {
	if x.Container != "" && !containerName.MatchString(x.Container) {
		return t, fmt.Errorf("%q is not the name of a container", x.Container)
	}
	if err := checkKey(x.APIKey); err != nil {
		return t, err
	}
	var err error
	switch k := t.Kind.(type) {
	case contract.Batches:
		k.BaseURL, err = x.base(k.BaseURL)
		t.Kind = k
	case contract.VLLMServe:
		k.BaseURL, err = x.base(k.BaseURL)
		k.Container = cmp.Or(x.Container, k.Container)
		t.Kind = k
	case contract.Own:
	}
	return t, err
}

// containerOf names the container that a test's commands run in, empty when they
// run on this machine.
func containerOf(t contract.Test) string {
	k, _ := t.Kind.(contract.VLLMServe)
	return k.Container
}

// checkKey refuses a key that cannot be told from a number in an output.
func checkKey(key string) error {
	if key != "" && len(key) < 8 && strings.Trim(key, "0123456789.") == "" {
		return errors.New("the API key is a short number: it could not be kept out of outputs that are full of numbers")
	}
	return nil
}

// base returns the address that takes the place of the contract's: with the
// version path where the contract's has one.
func (x *Tools) base(ofContract string) (string, error) {
	if x.BaseURL == "" {
		return ofContract, nil
	}
	u, err := url.Parse(x.BaseURL)
	switch {
	case err != nil:
		return "", errors.New("the base URL is not an address") // the parser's own words would repeat it
	case u.User != nil:
		return "", errors.New("the base URL holds a name or a password\nhint: give the key in an environment variable: it never belongs in a command")
	case u.Scheme != "http" && u.Scheme != "https", u.Host == "", u.RawQuery != "", u.Fragment != "":
		return "", errors.New("the base URL is not an address like http://localhost:8000/v1")
	}
	const version = "/v1"
	root := strings.TrimSuffix(strings.TrimRight(u.String(), "/"), version)
	if strings.HasSuffix(ofContract, version) {
		root += version
	}
	return root, nil
}
