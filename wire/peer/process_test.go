package peer

import (
	"bufio"
	"fmt"
	"net"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"patina/actors"
	"patina/wire/config"
	"patina/wire/serve"
)

// nodeOf is the variable that makes of this test's binary a node: its value is the folders of the
// project, one a line.
const nodeOf = "PATINA_TEST_NODE_OF"

// TestProcessOfNode is a node, in a process of its own. It ends with its input.
func TestProcessOfNode(t *testing.T) {
	root, storeDir, ok := strings.Cut(os.Getenv(nodeOf), "\n")
	if !ok {
		t.Skip("only a process of another test")
	}
	e := newEngine(t, actors.Options{Projects: []actors.Project{projectIn(root, storeDir)}})
	s := serve.New(serve.Options{Backend: hosting(t, e)})
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	fmt.Printf("listens on %s\n", l.Addr())
	go func() {
		_, _ = bufio.NewReader(os.Stdin).ReadString('\n')
		s.Stop()
	}()
	if err := s.Serve(l); err != nil {
		t.Error(err)
	}
}

// A process is a node with a pid of its own.
type process struct {
	*exec.Cmd
	address string
}

func startProcess(t *testing.T, p actors.Project) process {
	t.Helper()
	c := exec.Command(os.Args[0], "-test.run", "^TestProcessOfNode$")
	c.Env = append(os.Environ(), nodeOf+"="+p.Root+"\n"+p.StoreDir)
	c.Stderr = os.Stderr
	_, err := c.StdinPipe() // closed with this process
	if err != nil {
		t.Fatal(err)
	}
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = c.Process.Kill()
		_ = c.Wait()
	})
	line, err := bufio.NewReader(out).ReadString('\n')
	address, ok := strings.CutPrefix(strings.TrimSpace(line), "listens on ")
	if !ok {
		t.Fatalf("%q, %v", line, err)
	}
	return process{c, address}
}

func (p process) signal(t *testing.T, s syscall.Signal) {
	if err := p.Process.Signal(s); err != nil {
		t.Error(err)
	}
}

// Of two replicas in processes of their own one is stopped, continued, and killed, always under
// load: every question is answered, whole and described.
func TestStoppedAndKilledProcess(t *testing.T) {
	p := newProject(t)
	a, b := startProcess(t, p), startProcess(t, p)
	s, err := New(Options{Nodes: []config.Node{{Name: "node-a", Address: a.address}, {Name: "node-b", Address: b.address}}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	if err := s.Wait(t.Context()); err != nil {
		t.Fatal(err)
	}
	e := asking(t, s)
	load(t, e, 40, func() { a.signal(t, syscall.SIGSTOP) })
	await(is(s, "node-a", Down))
	boot := bootOf(s, "node-a")
	load(t, e, 40, func() { a.signal(t, syscall.SIGCONT) })
	await(is(s, "node-a", Up))
	if got := bootOf(s, "node-a"); got != boot {
		t.Errorf("boot %q, before %q", got, boot)
	}
	await(is(s, "node-b", Up))
	load(t, e, 40, func() { a.signal(t, syscall.SIGKILL) })
	await(is(s, "node-a", Down))
	t.Logf("%+v", s.Counts())
}

func bootOf(s *Set, name string) string {
	for _, n := range s.States() {
		if n.Name == name {
			return n.Boot
		}
	}
	return ""
}
