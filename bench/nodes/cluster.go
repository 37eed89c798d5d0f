package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"google.golang.org/grpc/credentials"

	"patina/wire/config"
	"patina/wire/peer"
	"patina/wire/pki"
)

// A cluster is processes of the command that know each other by one configuration and one CA.
type cluster struct {
	bench  *bench
	dir    string
	ca     *pki.CA
	nodes  []*process
	front  *process
	repos  []config.Repository
	others []config.Node // nodes that are children of this program
	spaces *spaces       // network namespaces of the processes; nil: all are on loopback
	list   string        // repositories.toml as it is instead of repos, if not ""
}

// newCluster returns a cluster without processes.
func newCluster(b *bench, name string) (*cluster, error) {
	dir, err := b.folder(name)
	if err != nil {
		return nil, err
	}
	c := &cluster{bench: b, dir: dir}
	if c.ca, err = pki.InitCA(filepath.Join(dir, "ca")); err != nil {
		return nil, err
	}
	return c, os.Mkdir(c.config(), 0o700)
}

func (c *cluster) config() string { return filepath.Join(c.dir, "cluster") }

// certify makes a folder with a certificate, and returns it.
func (c *cluster) certify(dir string, role pki.Role, name string, hosts ...string) (string, error) {
	csr, err := pki.NewRequest(dir)
	if err != nil {
		return "", err
	}
	chain, err := c.ca.Sign(pki.Invitation{Name: name, Role: role, Hosts: hosts}, csr)
	if err != nil {
		return "", err
	}
	return dir, pki.SaveJoined(dir, chain, c.ca.PEM(), c.ca.Fingerprint())
}

// write writes the configuration, each file at once.
func (c *cluster) write() error {
	var nodes, repos strings.Builder
	for _, n := range c.declared() {
		fmt.Fprintf(&nodes, "[[node]]\nname = %q\naddress = %q\n", n.Name, n.Address)
	}
	if c.front != nil {
		fmt.Fprintf(&nodes, "[[front]]\nname = %q\naddress = %q\n", c.front.name, c.front.address)
	}
	for _, r := range c.repos {
		fmt.Fprintf(&repos, "[[repo]]\nurl = %q\nname = %q\nreplicas = %d\n", r.URL, r.Name, max(1, r.Replicas))
		if len(r.Nodes) > 0 {
			fmt.Fprintf(&repos, "nodes = [%q]\n", strings.Join(r.Nodes, `", "`))
		}
	}
	repos.WriteString(c.list)
	for name, text := range map[string]string{config.RepositoriesFile: repos.String(), config.NodesFile: nodes.String()} {
		next := filepath.Join(c.config(), "next")
		if err := os.WriteFile(next, []byte(text), 0o600); err != nil {
			return err
		}
		if err := os.Rename(next, filepath.Join(c.config(), name)); err != nil {
			return err
		}
	}
	return nil
}

// declared returns the nodes of the configuration.
func (c *cluster) declared() []config.Node {
	var nodes []config.Node
	for _, n := range c.nodes {
		nodes = append(nodes, config.Node{Name: n.name, Address: n.address})
	}
	return append(nodes, c.others...)
}

// A process is a node or a front, which may be started again.
type process struct {
	cluster *cluster
	name    string
	role    pki.Role
	home    string
	address string
	space   string // network namespace; "" is that of this program
	command string // of patina
	status  string // address of its metrics; "" for none

	mu   sync.Mutex
	cmd  *exec.Cmd
	done chan struct{} // closed when it has ended
	log  *os.File
}

// add declares a process that is not started.
func (c *cluster) add(role pki.Role, name string) (*process, error) {
	p := &process{cluster: c, name: name, role: role, home: filepath.Join(c.dir, name), command: c.bench.patina}
	host := "127.0.0.1"
	if c.spaces != nil {
		p.space, host = c.spaces.spaceOf(name)
	}
	if _, err := c.certify(filepath.Join(p.home, "certificates"), role, name, host); err != nil {
		return nil, err
	}
	var err error
	if p.address, err = freeAddress(host, c.spaces != nil); err != nil {
		return nil, err
	}
	if role == pki.Front {
		c.front = p
	} else {
		c.nodes = append(c.nodes, p)
	}
	return p, nil
}

// freeAddress returns an address that nothing listens on. The system does not give its port to
// connections, because one of these could have it while the process is down. In a namespace every
// port is free.
func freeAddress(host string, alone bool) (string, error) {
	if alone {
		return net.JoinHostPort(host, "7470"), nil
	}
	for range 100 {
		l, err := net.Listen("tcp", net.JoinHostPort(host, strconv.Itoa(20_000+rand.IntN(12_000))))
		if err == nil {
			defer func() { _ = l.Close() }()
			return l.Addr().String(), nil
		}
	}
	return "", errors.New("no free port between 20,000 and 32,000")
}

// start starts a process. Its output goes into a file.
func (p *process) start() error {
	args := []string{p.command, "node", map[pki.Role]string{pki.Node: "serve", pki.Front: "front"}[p.role]}
	args = append(args, "--config", p.cluster.config())
	if p.status != "" {
		args = append(args, "--status", p.status)
	}
	if p.space != "" {
		args = append([]string{"ip", "netns", "exec", p.space}, args...)
	}
	log, err := os.OpenFile(filepath.Join(p.cluster.dir, p.name+".log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Env = homeEnv(p.home)
	cmd.Stdout, cmd.Stderr = log, log
	cmd.Dir = p.home
	cmd.SysProcAttr = dieWithParent()
	if err := cmd.Start(); err != nil {
		return err
	}
	done := make(chan struct{})
	p.mu.Lock()
	p.cmd, p.done, p.log = cmd, done, log
	p.mu.Unlock()
	go func() {
		defer close(done)
		_ = cmd.Wait()
		_ = log.Close()
	}()
	return nil
}

// homeEnv is the environment of a process with a home of its own.
func homeEnv(home string) []string {
	env := slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, "PATINA_") })
	return append(env, "PATINA_HOME="+home, "GIT_CONFIG_GLOBAL=/dev/null")
}

// pid is the number of the process while it runs. "ip netns exec" becomes what it starts.
func (p *process) pid() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.cmd.Process.Pid
}

func (p *process) signal(s syscall.Signal) error { return syscall.Kill(p.pid(), s) }

// kill kills the process and waits for its end.
func (p *process) kill() {
	if p.cmd == nil {
		return
	}
	_ = p.signal(syscall.SIGCONT)
	_ = p.signal(syscall.SIGKILL)
	<-p.done
}

// hasEnded reports whether the process has ended.
func (p *process) hasEnded() bool {
	select {
	case <-p.done:
		return true
	default:
		return false
	}
}

// metric returns a metric of a process that has a status.
func (p *process) metric(ctx context.Context, name string) (string, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+p.status+"/metrics", nil)
	if err != nil {
		return "", err
	}
	reply, err := http.DefaultClient.Do(r)
	if err != nil {
		return "", err
	}
	defer func() { _ = reply.Body.Close() }()
	text, err := io.ReadAll(reply.Body)
	if err != nil {
		return "", err
	}
	for line := range strings.Lines(string(text)) {
		if value, ok := strings.CutPrefix(line, name+" "); ok {
			return strings.TrimSpace(value), nil
		}
	}
	return "", fmt.Errorf("%s has no metric %s", p.name, name)
}

// lastLines returns the end of the log of a process.
func (p *process) lastLines() string {
	b, _ := os.ReadFile(filepath.Join(p.cluster.dir, p.name+".log"))
	lines := bytes.Split(bytes.TrimSpace(b), []byte("\n"))
	return string(bytes.Join(lines[max(0, len(lines)-5):], []byte("\n")))
}

// awaitListening waits until somebody listens on the address of a process, and returns when.
func (p *process) awaitListening(ctx context.Context) (time.Time, error) {
	for ctx.Err() == nil {
		conn, err := net.DialTimeout("tcp", p.address, time.Second)
		if err == nil {
			_ = conn.Close()
			return time.Now(), nil
		}
		if p.hasEnded() {
			return time.Time{}, fmt.Errorf("%s has ended:\n%s", p.name, p.lastLines())
		}
		time.Sleep(2 * time.Millisecond)
	}
	return time.Time{}, ctx.Err()
}

// up writes the configuration, starts all processes, and waits until each repository is hosted by
// as many nodes as it should have.
func (c *cluster) up(ctx context.Context) error {
	if err := c.write(); err != nil {
		return err
	}
	for _, p := range c.all() {
		if err := p.start(); err != nil {
			return err
		}
	}
	for _, p := range c.all() {
		if _, err := p.awaitListening(ctx); err != nil {
			return err
		}
	}
	s, err := c.watch()
	if err != nil {
		return err
	}
	defer s.Close()
	return c.awaitHosted(ctx, s)
}

func (c *cluster) all() []*process {
	all := slices.Clone(c.nodes)
	if c.front != nil {
		all = append(all, c.front)
	}
	return all
}

// awaitHosted waits until each repository is hosted by as many nodes as it should have.
func (c *cluster) awaitHosted(ctx context.Context, s *peer.Set) error {
	limit := time.After(10 * time.Minute)
	for {
		replicas := map[string]int{}
		for _, n := range s.States() {
			for _, h := range n.Hosted {
				replicas[h.GetRepository()]++
			}
		}
		lacks := slices.IndexFunc(c.repos, func(r config.Repository) bool {
			return replicas[r.Name] < min(max(1, r.Replicas), len(c.nodes))
		})
		if lacks < 0 {
			return nil
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-limit:
			return fmt.Errorf("%s is hosted by %d nodes; the log of %s:\n%s",
				c.repos[lacks].Name, replicas[c.repos[lacks].Name], c.nodes[0].name, c.nodes[0].lastLines())
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// down ends all processes.
func (c *cluster) down() {
	for _, p := range c.all() {
		p.kill()
	}
}

// credentialsOf returns the credentials of a client with the certificate in a folder.
func credentialsOf(dir string, role pki.Role) (func(config.Node) credentials.TransportCredentials, error) {
	f, err := pki.OpenFolder(dir)
	if err != nil {
		return nil, err
	}
	return func(n config.Node) credentials.TransportCredentials {
		settings, err := f.ClientTLS(pki.Expected{Role: role, Name: n.Name})
		if err != nil {
			panic(err) // n has a name
		}
		return credentials.NewTLS(settings)
	}, nil
}

// watch returns a set that sees the nodes as a front does.
func (c *cluster) watch() (*peer.Set, error) {
	dir, err := c.bench.folder("watcher")
	if err != nil {
		return nil, err
	}
	if dir, err = c.certify(filepath.Join(dir, "certificates"), pki.Front, "watcher", "127.0.0.1"); err != nil {
		return nil, err
	}
	creds, err := credentialsOf(dir, pki.Node)
	if err != nil {
		return nil, err
	}
	return c.setOf(peer.Options{Nodes: c.declared(), Credentials: creds})
}

func (c *cluster) setOf(o peer.Options) (*peer.Set, error) {
	s, err := peer.New(o)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	if err := s.Wait(ctx); err != nil {
		return nil, errors.Join(err, errors.New("wait for nodes"))
	}
	return s, nil
}

// direct returns a set by which a user asks the nodes without a front.
func (c *cluster) direct(user string, beat time.Duration) (*peer.Set, error) {
	return c.as(user, pki.Node, c.declared(), beat)
}

// throughFront returns a set by which a user asks the front.
func (c *cluster) throughFront(user string, beat time.Duration) (*peer.Set, error) {
	return c.as(user, pki.Front, []config.Node{{Name: c.front.name, Address: c.front.address}}, beat)
}

func (c *cluster) as(user string, asked pki.Role, nodes []config.Node, beat time.Duration) (*peer.Set, error) {
	dir, err := c.user(user)
	if err != nil {
		return nil, err
	}
	creds, err := credentialsOf(dir, asked)
	if err != nil {
		return nil, err
	}
	return c.setOf(peer.Options{Nodes: nodes, Credentials: creds, Beat: beat})
}

// user returns the folder of a user's certificate.
func (c *cluster) user(name string) (string, error) {
	dir := filepath.Join(c.dir, "users", name, "certificates")
	if _, err := os.Stat(filepath.Join(dir, "tls.crt")); err == nil {
		return dir, nil
	}
	return c.certify(dir, pki.User, name)
}
