package bundle

import "example.org/arena/results/tomlfile"

// A Report is the result of verifying bundles, as arena verify --json prints it.
type Report struct {
	OK       bool             `json:"ok"`       // whether there is no fault
	Checked  int              `json:"checked"`  // bundles that were read
	Warnings []tomlfile.Fault `json:"warnings"` // what could not be checked, sorted by file and line
	Faults   []tomlfile.Fault `json:"faults"`   // what is wrong, sorted by file and line
}
