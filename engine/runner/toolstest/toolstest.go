// Package toolstest stands in for uvx and docker in tests: it reads a command as
// llama-benchy, `vllm bench serve` and the tools of a container do, and prints what
// they print.
//
// What it is to do otherwise stands in the environment variable TOOLSTEST; TOOLSTEST_DIR
// is its folder, and the file system of its container.
package toolstest

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"example.org/arena/results/contract"
)

// Found is the exit code with which the search for a process in the container says
// that it found one.
const Found = 3

// Run does what the tool argv[0], uvx or docker, does, and returns its exit code.
func Run(argv []string) int {
	s := fakeTool{mode: os.Getenv("TOOLSTEST"), dir: os.Getenv("TOOLSTEST_DIR"), argv: argv}
	record, err := json.Marshal(map[string]any{"argv": argv, "key": os.Getenv("OPENAI_API_KEY"), "unbuffered": os.Getenv("PYTHONUNBUFFERED")})
	if err != nil {
		return 99
	}
	log, err := os.OpenFile(filepath.Join(s.dir, "log"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return 99
	}
	fmt.Fprintf(log, "%s\n", record)
	log.Close()
	if argv[0] == "uvx" {
		return s.benchy()
	}
	return s.docker()
}

type fakeTool struct {
	mode string
	dir  string
	argv []string
}

// values returns the words after a flag.
func (s fakeTool) values(name string) []string {
	i := slices.Index(s.argv, name)
	if i < 0 {
		return nil
	}
	var list []string
	for _, w := range s.argv[i+1:] {
		if strings.HasPrefix(w, "--") {
			break
		}
		list = append(list, w)
	}
	return list
}

func (s fakeTool) value(name string) string { return strings.Join(s.values(name), " ") }

func (s fakeTool) number(name string) float64 {
	v, _ := strconv.ParseFloat(s.value(name), 64)
	return v
}

// hang waits for the signal that ends it, as Python does, or for ever.
func (s fakeTool) hang(deaf bool) int {
	if deaf {
		signal.Ignore(os.Interrupt)
	}
	fmt.Println("hanging")
	c := make(chan os.Signal, 1)
	if !deaf {
		signal.Notify(c, os.Interrupt)
	}
	select {
	case <-c:
		fmt.Fprintln(os.Stderr, "KeyboardInterrupt")
		return 1
	case <-time.After(time.Minute):
		return 98
	}
}

func (s fakeTool) benchy() int {
	version := "0.4.0"
	model, base := s.value("--model"), s.value("--base-url")
	fmt.Printf("llama-benchy (%s)\nDate: 2026-08-09 06:26:41\nBenchmarking model: %s at %s\n", version, model, base)
	fmt.Printf("Concurrency levels: [%s]\n", strings.Join(s.values("--concurrency"), ", "))
	fmt.Println("Loading text from cache: /home/anna/.cache/llama-benchy/cc6a.txt\nTotal tokens available in text corpus: 144494\nWarming up...")
	switch s.mode {
	case "exit":
		fmt.Fprintf(os.Stderr, "Traceback (most recent call last):\n  File \"/home/anna/x.py\", line 1\nRuntimeError: warm-up answered 401 to %s with sk-verysecretkey12345\n", base)
		return 1
	case "hang":
		return s.hang(false)
	case "deaf":
		// A grandchild keeps the output open, as a tool behind uvx does.
		child := exec.Command(os.Args[0], append([]string{"-test.run=^TestFakeTool$", "--"}, s.argv...)...)
		child.Env = append(os.Environ(), "TOOLSTEST=deafchild")
		child.Stdout, child.Stderr = os.Stdout, os.Stderr
		if child.Start() != nil {
			return 99
		}
		os.WriteFile(filepath.Join(s.dir, "child"), []byte(strconv.Itoa(child.Process.Pid)), 0o600)
		return s.hang(true)
	case "deafchild":
		return s.hang(true)
	case "die":
		p, _ := os.FindProcess(os.Getpid())
		p.Kill()
		select {}
	}
	fmt.Println("Running coherence test...\nCoherence test PASSED.\nMeasuring latency using mode: generation...\nAverage latency (generation): 44.50 ms")
	s.benchyCells()
	return 0
}

func (s fakeTool) benchyCells() {
	runs := s.value("--runs")
	concurrencies := s.values("--concurrency")
	many := slices.Max(ints(concurrencies)) > 1
	var rows []string
	row := func(test string, cells ...string) {
		rows = append(rows, "| "+s.value("--model")+" | "+test+" | "+strings.Join(cells, " | ")+" |")
	}
	for _, depth := range s.values("--depth") {
		for _, pp := range s.values("--pp") {
			for _, tg := range s.values("--tg") {
				for i, c := range concurrencies {
					fmt.Printf("Running test: pp=%s, tg=%s, depth=%s, concurrency=%s\n  Warmup (batch size %s)...\n", pp, tg, depth, c, c)
					for r := range ints([]string{runs})[0] {
						fmt.Printf("  Run %d/%s (batch size %s)...\n", r+1, runs, c)
					}
					if s.mode == "fewer" && i > 0 {
						continue
					}
					suffix := ""
					if depth != "0" {
						suffix += " @ d" + depth
					}
					if many {
						suffix += " (c" + c + ")"
						row("pp"+pp+suffix, "3351.07 ± 57.36", "1506.12 ± 1345.33", "", "", "1080.69 ± 391.11", "926.22 ± 391.11", "1080.69 ± 391.11")
						row("tg"+tg+suffix, "39.69 ± 4.79", "12.52 ± 0.25", "70.00 ± 0.00", "14.00 ± 0.00", "", "", "")
						continue
					}
					row("pp"+pp+suffix, "2942.64 ± 802.37", "", "492.78 ± 102.07", "338.31 ± 102.07", "492.78 ± 102.07")
					row("tg"+tg+suffix, "12.26 ± 0.10", "13.00 ± 0.00", "", "", "")
				}
			}
		}
	}
	if s.mode == "empty" {
		fmt.Println("No results collected. Check if the model is generating tokens.")
		return
	}
	fmt.Print("Printing results in MD format:\n\n\n\n")
	columns := 7
	if many {
		fmt.Println("| model | test | t/s (total) | t/s (req) | peak t/s | peak t/s (req) | ttfr (ms) | est_ppt (ms) | e2e_ttft (ms) |")
		columns = 9
	} else {
		fmt.Println("| model | test | t/s | peak t/s | ttfr (ms) | est_ppt (ms) | e2e_ttft (ms) |")
	}
	fmt.Println("|:-----|" + strings.Repeat("-----:|", columns-1))
	if s.mode == "garbled" {
		rows[0] = strings.Replace(rows[0], "3351.07 ± 57.36", "three thousand", 1)
	}
	fmt.Println(strings.Join(rows, "\n"))
	fmt.Print("\nllama-benchy (0.4.0)\ndate: 2026-08-09 06:26:41 | latency mode: generation\n")
}

func ints(words []string) []int {
	list := make([]int, len(words))
	for i, w := range words {
		list[i], _ = strconv.Atoi(w) // the commands of contracts have numbers there
	}
	return list
}

// docker stands in for docker exec: the container has rm, cat, python3 and vllm.
func (s fakeTool) docker() int {
	if s.mode == "no-container" {
		fmt.Fprintln(os.Stderr, "Error response from daemon: No such container: vllm-bench")
		return 1
	}
	if s.mode == "stopped-container" {
		fmt.Fprintln(os.Stderr, "Error response from daemon: container 0123456789ab is not running")
		return 126
	}
	inside := s.argv[2:]
	if inside[0] == "-e" {
		inside = inside[2:]
	}
	inside = inside[1:]
	at := func(p string) string { return filepath.Join(s.dir, "container", filepath.FromSlash(p)) }
	switch inside[0] {
	case "rm":
		os.Remove(at(inside[len(inside)-1]))
		return 0
	case "cat":
		data, err := os.ReadFile(at(inside[1]))
		if err != nil {
			fmt.Fprintf(os.Stderr, "cat: %s: No such file or directory\n", inside[1])
			return 1
		}
		os.Stdout.Write(data)
		return 0
	case "python3":
		if s.mode == "left-over" && inside[3] == "find" {
			return Found
		}
		return 0
	case "vllm":
		if inside[1] == "--version" {
			fmt.Println("INFO 08-09 06:26:41 [__init__.py:1] Automatically detected platform cuda.\n0.26.0")
			return 0
		}
	}
	return s.vllm(at)
}

func (s fakeTool) vllm(at func(string) string) int {
	fmt.Printf("Namespace(subparser='bench', base_url='%s', seed=42)\n", s.value("--base-url"))
	switch s.mode {
	case "hang":
		return s.hang(false)
	case "exit":
		fmt.Fprintln(os.Stderr, "ValueError: Initial test run failed")
		return 1
	}
	rate, prompts := s.number("--request-rate"), int(s.number("--num-prompts"))
	if s.mode == "other-rate" {
		rate = 9
	}
	var limit any
	fmt.Printf("Starting main benchmark run...\nTraffic request rate: %g\nBurstiness factor: %s (Gamma distribution)\n", rate, s.value("--burstiness"))
	if v := s.value("--max-concurrency"); v != "" {
		limit = int(s.number("--max-concurrency"))
		fmt.Printf("Maximum request concurrency: %s\n", v)
	} else {
		fmt.Println("Maximum request concurrency: None")
	}
	fmt.Fprintf(os.Stderr, "\r  0%%|          | 0/%d\r100%%|##########| %d/%d\n", prompts, prompts, prompts)
	s.block(rate, prompts, limit)
	if s.mode == "no-file" {
		return 0
	}
	result := s.result(rate, prompts, limit)
	if s.mode == "cut" {
		result = result[:len(result)/2]
	}
	os.MkdirAll(filepath.Dir(at("/tmp/x")), 0o700)
	if os.WriteFile(at(s.value("--result-dir")+"/"+s.value("--result-filename")), []byte(result), 0o600) != nil {
		return 99
	}
	return 0
}

// series are the latencies that the result states: mean, median, deviation and
// percentiles, ms.
var series = []struct {
	name, title, word string
	numbers           []float64
}{
	{"ttft", "Time to First Token", "TTFT", []float64{812.5, 640.25, 410.125, 640.25, 1300.5, 1500.75, 2100.5}},
	{"tpot", "Time per Output Token (excl. 1st token)", "TPOT", []float64{81.5, 80.25, 9.125, 80.25, 92.5, 95.75, 99.5}},
	{"itl", "Inter-token Latency", "ITL", []float64{80.5, 79.25, 30.125, 79.25, 99.5, 120.75, 200.5}},
	{"e2el", "End-to-end Latency", "E2EL", []float64{41812.5, 40640.25, 20410.125, 40640.25, 71300.5, 78500.75, 89100.5}},
}

func (s fakeTool) result(rate float64, prompts int, limit any) string {
	capText := "null"
	if limit != nil {
		capText = fmt.Sprint(limit)
	}
	var b strings.Builder
	fmt.Fprintf(&b, `{"date": "20260809-062641", "endpoint_type": "openai-chat", "backend": "openai-chat", "label": null, `+
		`"model_id": %q, "tokenizer_id": %q, "num_prompts": %d, "request_rate": %g, "burstiness": %s, "max_concurrency": %s, `+
		`"duration": 700.5, "completed": %d, "failed": 0, "total_input_tokens": 812735, "total_output_tokens": %d, `+
		`"request_throughput": 0.285510, "request_goodput": null, "output_throughput": 138.603854, "total_token_throughput": 1298.825124, `+
		`"max_output_tokens_per_s": 260.0, "max_concurrent_requests": 27, "rtfx": 0.0`,
		s.value("--model"), s.value("--tokenizer"), prompts, rate, s.value("--burstiness"), capText, prompts, s.outputTokens(prompts))
	for _, x := range series {
		fmt.Fprintf(&b, `, "mean_%[1]s_ms": %[2]g, "median_%[1]s_ms": %[3]g, "std_%[1]s_ms": %[4]g`, x.name, x.numbers[0], x.numbers[1], x.numbers[2])
		for i, p := range strings.Split(s.value("--metric-percentiles"), ",") {
			fmt.Fprintf(&b, `, "p%s_%s_ms": %g`, p, x.name, x.numbers[3+i])
		}
	}
	return b.String() + "}"
}

// outputTokens returns how many tokens the answers of a run have: those that its seed
// fixes, or any number where the model decides.
func (s fakeTool) outputTokens(prompts int) int {
	if s.value("--dataset-name") != "random" {
		return 97092
	}
	lengths, err := contract.Lengths{
		Seed: uint64(s.number("--seed")), Input: int(s.number("--random-input-len")),
		Output: int(s.number("--random-output-len")), RangeRatio: s.number("--random-range-ratio"),
	}.Draw(prompts)
	if err != nil {
		return 0
	}
	sum := 0
	for _, l := range lengths {
		sum += l.Output
	}
	return sum
}

func (s fakeTool) block(rate float64, prompts int, limit any) {
	line := func(name, format string, v any) { fmt.Printf("%-40s %-10s\n", name+":", fmt.Sprintf(format, v)) }
	fmt.Println("============ Serving Benchmark Result ============")
	line("Successful requests", "%d", prompts)
	line("Failed requests", "%d", 0)
	if limit != nil {
		line("Maximum request concurrency", "%d", limit)
	}
	line("Request rate configured (RPS)", "%.2f", rate)
	line("Benchmark duration (s)", "%.2f", 700.5)
	line("Total input tokens", "%d", 812735)
	line("Total generated tokens", "%d", s.outputTokens(prompts))
	line("Request throughput (req/s)", "%.2f", 0.285510)
	line("Output token throughput (tok/s)", "%.2f", 138.603854)
	line("Peak output token throughput (tok/s)", "%.2f", 260.0)
	line("Peak concurrent requests", "%.2f", 27.0)
	line("Total token throughput (tok/s)", "%.2f", 1298.825124)
	for _, x := range series {
		fmt.Printf("---------------%s----------------\n", x.title)
		line("Mean "+x.word+" (ms)", "%.2f", x.numbers[0])
		line("Median "+x.word+" (ms)", "%.2f", x.numbers[1])
		for i, p := range strings.Split(s.value("--metric-percentiles"), ",") {
			line("P"+p+" "+x.word+" (ms)", "%.2f", x.numbers[3+i])
		}
	}
	fmt.Println("==================================================")
}
