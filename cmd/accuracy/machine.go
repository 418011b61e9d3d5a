package main

import (
	"os"
	"runtime"
	"strings"
)

// machine says what the figures were measured on.
func (b *bench) machine() error {
	load := "unknown"
	if text, err := os.ReadFile("/proc/loadavg"); err == nil {
		load = strings.Join(strings.Fields(string(text))[:3], " ")
	}
	b.print("%s, %d processors (%s/%s), %s; load average before: %s.", processor(), runtime.NumCPU(), runtime.GOOS, runtime.GOARCH, runtime.Version(), load)
	return nil
}

// processor returns the name of the processor, as far as the system says.
func processor() string {
	text, err := os.ReadFile("/proc/cpuinfo")
	if err != nil {
		return "Unknown processor"
	}
	for line := range strings.Lines(string(text)) {
		if name, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(name) == "model name" {
			return strings.TrimSpace(value)
		}
	}
	return "Unknown processor"
}
