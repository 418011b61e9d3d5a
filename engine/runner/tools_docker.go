package runner

import (
	"context"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"
)

// aside bounds a command beside the measurement.
const aside = 2 * time.Minute

// inside runs a command in the container and returns what it printed.
func (r *toolRun) inside(ctx context.Context, argv ...string) (stdout, stderr string, exit Exit, err error) {
	ctx, cancel := context.WithTimeout(ctx, aside)
	defer cancel()
	var mu sync.Mutex
	out, errs := &capture{mu: &mu, line: func(string) {}}, &capture{mu: &mu, line: func(string) {}}
	exit, err = r.exec(ctx, append([]string{"docker", "exec", r.test.OpenLoop.Container}, argv...), out, errs)
	return out.data.String(), errs.data.String(), exit, err
}

// prepare makes sure that the container is there, that no result of an earlier run
// can be taken for the coming one, and asks for the version of vllm.
func (r *toolRun) prepare(ctx context.Context) error {
	if r.test.OpenLoop == nil {
		return nil
	}
	clear := []string{"true"}
	if p := r.resultPath(); p != "" {
		clear = []string{"rm", "-f", "--", p}
	}
	_, said, exit, err := r.inside(ctx, clear...)
	if err != nil {
		return notStarted(r.test.Tool, "docker", err)
	}
	if !exit.OK() {
		r.out.Exit = exit
		if err := ctx.Err(); err != nil {
			return interrupted(r.test.Tool, exit, err)
		}
		said = r.scrub.clean(said)
		if e, ok := containerFault(r.test.Tool, r.test.OpenLoop.Container, exit, said); ok {
			return e
		}
		e := r.failed(r.test.Tool, exit, said)
		e.Fault = ToolContainer
		e.Msg = "remove the result of an earlier run in the container: " + e.Msg
		return e
	}
	return r.askVersion(ctx)
}

var versionLine = regexp.MustCompile(`^(?:vllm(?:,? version)?[ :]+)?v?([0-9]+\.[0-9]+[0-9A-Za-z.+-]*)$`)

// askVersion asks for the version of vllm, once for each container. Without an
// answer the version stays unknown.
func (r *toolRun) askVersion(ctx context.Context) error {
	container := r.test.OpenLoop.Container
	r.mu.Lock()
	version, known := r.versions[container]
	r.mu.Unlock()
	if !known {
		out, _, exit, err := r.inside(ctx, "vllm", "--version")
		if err := ctx.Err(); err != nil {
			return interrupted(r.test.Tool, exit, err)
		}
		if err == nil && exit.OK() {
			lines := strings.Split(strings.TrimSpace(out), "\n")
			for _, line := range slices.Backward(lines) {
				if m := versionLine.FindStringSubmatch(strings.TrimSpace(line)); m != nil {
					version = m[1]
					break
				}
			}
		}
		r.mu.Lock()
		if r.versions == nil {
			r.versions = map[string]string{}
		}
		r.versions[container] = version
		r.mu.Unlock()
	}
	r.version = version
	return nil
}

// fetch reads the result that the command saved. Without one, the printed block
// has to do.
func (r *toolRun) fetch(ctx context.Context) {
	p := r.resultPath()
	if p == "" {
		return
	}
	if out, _, exit, err := r.inside(ctx, "cat", p); err == nil && exit.OK() {
		r.saved = r.scrub.clean(out)
	}
}

// stopScript ends processes whose last arguments are the given ones: those of our
// command and nobody else's. It says by its exit code whether they are gone.
const stopScript = `import os, signal, sys, time
want = [a.encode() for a in sys.argv[1:]]
def ours():
    found = []
    for pid in os.listdir('/proc'):
        if pid.isdigit() and int(pid) != os.getpid():
            try:
                argv = open('/proc/' + pid + '/cmdline', 'rb').read().split(b'\0')[:-1]
            except OSError:
                continue
            if argv[-len(want):] == want:
                found.append(int(pid))
    return found
for sig, tries in ((signal.SIGINT, 50), (signal.SIGKILL, 10)):
    for i in range(tries):
        pids = ours()
        if not pids:
            sys.exit(0)
        for pid in pids if i == 0 else []:
            try:
                os.kill(pid, sig)
            except OSError:
                pass
        time.sleep(0.2)
sys.exit(1)`

// stopInside ends the tool in its container: docker exec passes no signal on, so
// that it would go on when its client is gone. It reports whether nothing of it is
// left.
func (r *toolRun) stopInside(ctx context.Context) bool {
	if r.test.OpenLoop == nil {
		return true
	}
	ours := r.command.Argv[r.containerAt()+2:] // after "vllm"
	_, _, exit, err := r.inside(ctx, append([]string{"python3", "-c", stopScript}, ours...)...)
	return err == nil && exit.OK()
}

// containerAt is the place of the container's name in the command.
func (r *toolRun) containerAt() int {
	if r.APIKey != "" {
		return 4
	}
	return 2
}
