package main

import (
	"bufio"
	"context"
	"crypto/sha1"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"sync/atomic"
	"syscall"
	"time"

	"google.golang.org/grpc/credentials"

	"patina/actors"
	"patina/actors/api"
	"patina/registry/route"
	"patina/wire/nodepb"
	"patina/wire/pki"
	"patina/wire/serve"
)

// childMark is the first argument of a child of this program, and its kind the second.
const childMark = "child"

// child runs one of the helpers that a part starts as processes of their own.
func child(ctx context.Context, args []string) error {
	var o childOptions
	if len(args) > 1 {
		if err := json.Unmarshal([]byte(args[1]), &o); err != nil {
			return err
		}
	}
	switch args[0] {
	case "server":
		return serveChild(o)
	case "frames":
		return frameChild(o)
	case "burn":
		burn(ctx)
		return nil
	}
	return fmt.Errorf("no child %q", args[0])
}

// childOptions say what a child does.
type childOptions struct {
	Name         string
	Certificates string          // folder
	Folder       string          // nodes.toml and repositories.toml; "" for one that answers everybody
	Projects     []storedProject // answered by an engine
	Slow         float64         // share of the questions that wait
	SlowFor      time.Duration   // how long these wait
	Prepared     []string        // repositories that answer with prepared lists
	Bytes        int             // of a prepared reply
	Words        int             // of the sketches of prepared repositories
}

// A storedProject is a scraped repository.
type storedProject struct{ Repository, Root, Store string }

// stats are what a child has counted.
type stats struct {
	Asks       int64
	Canceled   int64 // of the Asks
	Running    int
	Goroutines int
	Processor  time.Duration
	Resident   int64
}

// A helper is a running child.
type helper struct {
	cmd     *exec.Cmd
	in      io.WriteCloser
	out     *bufio.Reader
	address string
}

// startChild starts a child and waits until it listens.
func (b *bench) startChild(kind string, o childOptions) (*helper, error) {
	text, err := json.Marshal(o)
	if err != nil {
		return nil, err
	}
	h := &helper{cmd: exec.Command(b.self, childMark, kind, string(text))}
	h.cmd.Stderr = os.Stderr
	h.cmd.SysProcAttr = dieWithParent()
	if h.in, err = h.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := h.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	h.out = bufio.NewReader(out)
	if err := h.cmd.Start(); err != nil {
		return nil, err
	}
	line, err := h.out.ReadString('\n')
	if err == nil {
		_, err = fmt.Sscanf(line, "listening %s", &h.address)
	}
	if err != nil {
		h.end()
		return nil, fmt.Errorf("start child %s: %q: %w", kind, line, err)
	}
	return h, nil
}

// stats asks a child what it has counted.
func (h *helper) stats() (s stats, err error) {
	if _, err := fmt.Fprintln(h.in, "stats"); err != nil {
		return s, err
	}
	line, err := h.out.ReadBytes('\n')
	if err != nil {
		return s, err
	}
	return s, json.Unmarshal(line, &s)
}

func (h *helper) end() {
	_ = h.cmd.Process.Kill()
	_ = h.cmd.Wait()
}

// reportStats answers "stats" on standard input until that ends.
func reportStats(look func() stats) {
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		s := look()
		s.Goroutines, s.Processor, s.Resident = runtime.NumGoroutine(), ownTime(), resident(os.Getpid())
		_ = json.NewEncoder(os.Stdout).Encode(s)
	}
}

// burn keeps all processors busy until ctx ends.
func burn(ctx context.Context) {
	fmt.Println("listening nowhere")
	for range runtime.NumCPU() {
		go func() {
			for x := uint64(1); ; x = x*6364136223846793005 + 1442695040888963407 {
				if x == 0 {
					return
				}
			}
		}()
	}
	<-ctx.Done()
}

// serveChild is a node on the same packages as the command's, with answers that wait or that are
// prepared.
func serveChild(o childOptions) error {
	f, err := pki.OpenFolder(o.Certificates)
	if err != nil {
		return err
	}
	settings, err := f.ServerTLS()
	if err != nil {
		return err
	}
	n := &slowNode{options: o, prepared: map[string]api.Target{}, sketches: map[string]*route.Sketch{}}
	if err := n.open(); err != nil {
		return err
	}
	options := serve.Options{Backend: n, Credentials: credentials.NewTLS(settings), Version: "bench"}
	if o.Words > 0 {
		options.Sketch = func(name string) *route.Sketch { return n.sketches[name] }
	}
	s := serve.New(options)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	fmt.Println("listening", l.Addr())
	go func() {
		reportStats(func() stats {
			return stats{Asks: n.asks.Load(), Canceled: n.canceled.Load(), Running: s.Running()}
		})
		s.Stop()
	}()
	return s.Serve(l)
}

// A slowNode is a serve.Backend.
type slowNode struct {
	options        childOptions
	engine         *serve.Engine
	prepared       map[string]api.Target
	hosted         []*nodepb.Hosted
	sketches       map[string]*route.Sketch
	asks, canceled atomic.Int64
}

func (n *slowNode) open() error {
	var projects []actors.Project
	for _, p := range n.options.Projects {
		projects = append(projects, actors.Project{ID: p.Repository, Name: p.Repository, Root: p.Root, StoreDir: p.Store})
	}
	e, err := actors.Open(actors.Options{Projects: projects, Lazy: true})
	if err != nil {
		return err
	}
	n.engine = serve.NewEngine(e)
	for _, p := range n.options.Projects {
		t, err := e.Target(p.Repository)
		if err != nil {
			return err
		}
		h := &nodepb.Hosted{Repository: p.Repository, Head: "1", ScrapedAtUnix: 1, Channels: t.Channels()}
		if err := n.engine.Host(h, p.Repository); err != nil {
			return err
		}
		n.hosted = append(n.hosted, h)
	}
	for _, name := range n.options.Prepared {
		n.prepared[name] = &preparedTarget{lists: preparedLists(name, n.options.Bytes)}
		h := &nodepb.Hosted{
			Repository: name, Head: fmt.Sprintf("%x", sha1.Sum([]byte(name))), ScrapedAtUnix: time.Now().Unix(),
			Channels: []string{"lexical", "semantic", "temporal", "belief"},
		}
		if n.options.Words > 0 {
			h.SketchHash = []byte(name)
			n.sketches[name] = sketchOf(name, n.options.Words)
		}
		n.hosted = append(n.hosted, h)
	}
	return nil
}

// Repositories implements serve.Backend.
func (n *slowNode) Repositories() []*nodepb.Hosted { return n.hosted }

// Beat implements serve.Backend.
func (n *slowNode) Beat(ctx context.Context) error { return n.engine.Beat(ctx) }

// Target implements serve.Backend.
func (n *slowNode) Target(name string) (api.Target, bool) {
	t, ok := n.prepared[name]
	if !ok {
		t, ok = n.engine.Target(name)
	}
	return slowTarget{t, n}, ok
}

// A slowTarget counts questions, and lets some wait.
type slowTarget struct {
	api.Target
	node *slowNode
}

// Ask implements api.Target.
func (t slowTarget) Ask(ctx context.Context, m *api.Ask) (l *api.Lists, err error) {
	t.node.asks.Add(1)
	defer func() {
		if errors.Is(err, context.Canceled) {
			t.node.canceled.Add(1)
		}
	}()
	if rand.Float64() < t.node.options.Slow {
		if err := sleep(ctx, t.node.options.SlowFor); err != nil {
			return nil, err
		}
	}
	return t.Target.Ask(ctx, m)
}

// A preparedTarget answers with the same lists each time.
type preparedTarget struct {
	api.Target // nil: what is not asked
	lists      *api.Lists
}

// Ask implements api.Target.
func (t *preparedTarget) Ask(_ context.Context, m *api.Ask) (*api.Lists, error) {
	l := *t.lists
	l.Query = m.Query
	return &l, nil
}

// Describe implements api.Target.
func (t *preparedTarget) Describe(_ context.Context, m *api.Describe) (*api.Descriptions, error) {
	return &api.Descriptions{Query: m.Query}, nil
}

// ownTime returns the processor time of this process.
func ownTime() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// certifyChild makes the certificate of a child that is a node.
func (c *cluster) certifyChild(name string) (string, error) {
	return c.certify(filepath.Join(c.dir, name, "certificates"), pki.Node, name, "127.0.0.1")
}
