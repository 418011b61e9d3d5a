package runner

import (
	"context"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"
)

// sideTimeout bounds a command that prepares a measurement or cleans up after it.
const sideTimeout = 2 * time.Minute

// runInside runs a command in the container and returns what it printed.
func (r *toolRun) runInside(ctx context.Context, argv ...string) (stdout, stderr string, exit Exit, err error) {
	ctx, cancel := context.WithTimeout(ctx, sideTimeout)
	defer cancel()
	var mu sync.Mutex
	out, errs := &capture{mu: &mu, line: func(string) {}}, &capture{mu: &mu, line: func(string) {}}
	exit, err = r.exec(ctx, append([]string{"docker", "exec", containerOf(r.test)}, argv...), out, errs)
	return out.data.String(), errs.data.String(), exit, err
}

// prepare makes sure that the container is there, that no result of an earlier run
// can be taken for the coming one, and asks for the version of vllm.
func (r *toolRun) prepare(ctx context.Context) error {
	if containerOf(r.test) == "" {
		return nil
	}
	clear := []string{"true"}
	if p := r.resultPath(); p != "" {
		clear = []string{"rm", "-f", "--", p}
	}
	_, said, exit, err := r.runInside(ctx, clear...)
	if err != nil {
		return notStarted(r.test.Tool(), "docker", err)
	}
	if !exit.OK() {
		r.out.Exit = exit
		if err := ctx.Err(); err != nil {
			return interrupted(r.test.Tool(), exit, err)
		}
		said = r.scrub.clean(said)
		if e, ok := containerFault(r.test.Tool(), containerOf(r.test), exit, said); ok {
			return e
		}
		e := r.failed(r.test.Tool(), exit, said)
		e.Fault = ToolContainer
		e.Msg = "remove the result of an earlier run in the container: " + e.Msg
		return e
	}
	if err := r.refuseLeftOver(ctx); err != nil {
		return err
	}
	return r.askVersion(ctx)
}

var versionLine = regexp.MustCompile(`^(?:vllm(?:,? version)?[ :]+)?v?([0-9]+\.[0-9]+[0-9A-Za-z.+-]*)$`)

// askVersion asks for the version of vllm, once for each container. Without an
// answer the version stays unknown.
func (r *toolRun) askVersion(ctx context.Context) error {
	container := containerOf(r.test)
	r.mu.Lock()
	version, known := r.versions[container]
	r.mu.Unlock()
	if !known {
		out, _, exit, err := r.runInside(ctx, "vllm", "--version")
		if err := ctx.Err(); err != nil {
			return interrupted(r.test.Tool(), exit, err)
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

// fetch reads the result that the command saved in the container. Without one the
// printed block is read.
func (r *toolRun) fetch(ctx context.Context) {
	p := r.resultPath()
	if p == "" {
		return
	}
	if out, _, exit, err := r.runInside(ctx, "cat", p); err == nil && exit.OK() {
		r.saved = r.scrub.clean(out)
	}
}

// endScript looks for processes whose last arguments are the given ones: those of
// our command and nobody else's. With "end" before them it ends them, and says by
// its exit code whether they are gone; with "find" it exits with foundCode when
// there are any.
const endScript = `import os, signal, sys, time
want = [a.encode() for a in sys.argv[2:]]
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
if sys.argv[1] == 'find':
    sys.exit(3 if ours() else 0)
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

const foundCode = 3

// refuseLeftOver refuses to measure while the same command still runs in the container,
// as it does after this program was killed: both would load the server. Where the
// container has no Python it cannot be told.
func (r *toolRun) refuseLeftOver(ctx context.Context) error {
	if containerOf(r.test) == "" {
		return nil
	}
	_, _, exit, err := r.runInside(ctx, r.endArgv("find")...)
	if err == nil && exit.Code == foundCode {
		return &ToolError{
			Tool: r.test.Tool(), Fault: ToolContainer, Exit: exit,
			Msg:  "the same command still runs in the container, from an attempt that was killed",
			Hint: "wait until it has ended, or end it: docker top " + containerOf(r.test),
		}
	}
	return nil // where the search itself went wrong, the command will say why
}

// stopInside ends the tool in its container: docker exec passes no signal on, so
// that it would go on when its client is gone. It reports whether nothing of it is
// left.
func (r *toolRun) stopInside(ctx context.Context) bool {
	if containerOf(r.test) == "" {
		return true
	}
	_, _, exit, err := r.runInside(ctx, r.endArgv("end")...)
	return err == nil && exit.OK()
}

func (r *toolRun) endArgv(mode string) []string {
	ours := r.command.Argv[r.containerAt()+2:] // after "vllm"
	return append([]string{"python3", "-c", endScript, mode}, ours...)
}

// containerAt is the place of the container's name in the command.
func (r *toolRun) containerAt() int {
	if r.APIKey != "" {
		return 4
	}
	return 2
}
