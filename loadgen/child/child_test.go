package child

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// role is the variable that makes this program a server of the test.
const role = "ARENA_CHILD_ROLE"

func TestMain(m *testing.M) {
	switch os.Getenv(role) {
	case "server":
		fmt.Println("http://127.0.0.1:1")
		_, _ = io.Copy(io.Discard, bufio.NewReader(os.Stdin))
	case "broken":
		fmt.Fprintln(os.Stderr, "there is no port")
		os.Exit(3)
	default:
		os.Exit(m.Run())
	}
}

// this returns a command that runs this program in a role.
func this(t *testing.T, as string) *exec.Cmd {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), os.Args[0])
	cmd.Env = append(os.Environ(), role+"="+as)
	return cmd
}

func TestServer(t *testing.T) {
	t.Parallel()
	s, err := Start(this(t, "server"))
	if err != nil {
		t.Fatal(err)
	}
	if s.URL != "http://127.0.0.1:1" {
		t.Errorf("the address is %q", s.URL)
	}
	if err := s.Stop(); err != nil {
		t.Error(err)
	}
}

// A server that ends without an address says why.
func TestServerFails(t *testing.T) {
	t.Parallel()
	_, err := Start(this(t, "broken"))
	if err == nil || !strings.Contains(err.Error(), "start the server") || !strings.Contains(err.Error(), "there is no port") {
		t.Errorf("got %v", err)
	}
}
