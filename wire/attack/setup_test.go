package attack

import (
	"bytes"
	"context"
	"crypto/tls"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/status"

	"patina/scrape/scrapetest"
	"patina/wire/nodepb"
	"patina/wire/pki"
	"patina/wire/pki/pkitest"
)

const loopback = "127.0.0.1"

// The repositories: all users may ask open and shared, and only anna hidden. Nobody has none.
const (
	open   = "open"
	shared = "shared"
	hidden = "hidden"
	none   = "none"
)

// binary is the command, built once.
var binary = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "patina-attack-*")
	if err != nil {
		return "", err
	}
	built = dir
	name := filepath.Join(dir, "patina")
	out, err := exec.Command("go", "build", "-tags", "sqlite_fts5,sqlite_omit_load_extension", "-buildvcs=false", "-o", name,
		"../../cmd/patina").CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("%w\n%s", err, out)
	}
	return name, nil
})

var built string // the folder of binary

func TestMain(m *testing.M) {
	code := m.Run()
	if built != "" {
		_ = os.RemoveAll(built)
	}
	os.Exit(code)
}

// A cluster is a node and a front as people start them: processes of their own with certificates of
// one CA.
type cluster struct {
	t           *testing.T
	dir         string
	node, front *process
	ca          *pkitest.CA
	hints       string // the address
}

func check(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func startCluster(t *testing.T) *cluster {
	t.Helper()
	if testing.Short() {
		t.Skip("builds the command and starts processes")
	}
	c := &cluster{t: t, dir: t.TempDir()}
	for _, name := range []string{open, hidden, shared} {
		c.commit(name, "cache.go", "package cache\n\n// Evict drops the oldest entry of "+name+".\nfunc Evict() {}\n")
		c.commit(name, "layer/sessions/20240101-120000.md", "# Session: Walrus\n\n## Log\n\n### 10:00 - Walrus\n\nThe walrus moved.\n")
	}
	c.commit(shared, ".patina.toml", "share = \"code,docs,commits,beliefs,sessions\"\n")
	addresses := freeAddresses(t, 3)
	c.hints = addresses[2]
	// node-1 is declared where node-0 answers, as if somebody had taken its address.
	c.write("cluster/nodes.toml", fmt.Sprintf(`hint_secret = "known to the forge"
[[node]]
name = "node-0"
address = %[1]q
[[node]]
name = "node-1"
address = %[1]q
[[front]]
name = "front-0"
address = %[2]q
[groups.all]
users = ["anna", "ben", "carl", "dora", "emil"]
[groups.few]
users = ["anna"]
`, addresses[0], addresses[1]))
	var list strings.Builder
	for name, group := range map[string]string{open: "all", hidden: "few", shared: "all"} {
		fmt.Fprintf(&list, "[[repo]]\nurl = %q\nname = %q\ngroups = [%q]\nnodes = [\"node-0\"]\n", c.path("git", name), name, group)
	}
	c.write("cluster/repositories.toml", list.String())
	// The CA and the certificates are old, so that both processes renew theirs when they start.
	c.ca = pkitest.NewCA(t, 60*24*time.Hour)
	for name, role := range map[string]pki.Role{"node-0": pki.Node, "front-0": pki.Front} {
		check(t, os.MkdirAll(c.path("certificates"), 0o700))
		check(t, os.Rename(pkitest.Sign(t, c.ca.At(t, 20*24*time.Hour), role, name), c.path("certificates", name)))
	}
	c.front = c.start(addresses[1], "front", "front-0", "--ca", c.ca.Dir)
	c.node = c.start(addresses[0], "serve", "node-0", "--hints", c.hints)
	c.awaitHead(hidden, c.head(hidden))
	c.awaitHead(open, c.head(open))
	c.awaitHead(shared, c.head(shared))
	return c
}

func (c *cluster) path(parts ...string) string {
	return filepath.Join(append([]string{c.dir}, parts...)...)
}

func (c *cluster) write(name, content string) {
	c.t.Helper()
	check(c.t, os.MkdirAll(filepath.Dir(c.path(name)), 0o700))
	check(c.t, os.WriteFile(c.path(name), []byte(content), 0o600))
}

// commit writes a file of a repository and commits it.
func (c *cluster) commit(repository, name, content string) {
	c.t.Helper()
	c.write(filepath.Join("git", repository, name), content)
	dir := c.path("git", repository)
	if _, err := os.Stat(filepath.Join(dir, ".git")); err != nil {
		scrapetest.Git(c.t, dir, "init", "-q")
	}
	scrapetest.Git(c.t, dir, "add", ".")
	scrapetest.Git(c.t, dir, "-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "write "+name)
}

func (c *cluster) head(repository string) string {
	c.t.Helper()
	out, err := exec.Command("git", "-C", c.path("git", repository), "rev-parse", "HEAD").Output()
	check(c.t, err)
	return strings.TrimSpace(string(out))
}

// command returns a call of patina by a user of this machine with a home of their own.
func (c *cluster) command(home string, args ...string) *exec.Cmd {
	c.t.Helper()
	name, err := binary()
	check(c.t, err)
	cmd := exec.Command(name, args...)
	cmd.Env = append(os.Environ(), "HOME="+c.dir, "PATINA_HOME="+c.path("home", home), "PATINA_MOTHER=")
	return cmd
}

// run calls patina and returns what it prints. It must succeed.
func (c *cluster) run(args ...string) string {
	c.t.Helper()
	out, err := c.command("admin", args...).CombinedOutput()
	if err != nil {
		c.t.Fatalf("patina %q: %v\n%s", args, err, out)
	}
	return string(out)
}

// issue writes a certificate.
func (c *cluster) issue(role, name, folder string) {
	c.t.Helper()
	args := []string{"node", "ca", "issue", name, "--role", role, "--ca", c.ca.Dir, "--certificates", folder}
	if role != "user" {
		args = append(args, "--host", loopback)
	}
	c.run(args...)
}

// certificates returns a folder with a certificate.
func (c *cluster) certificates(role, name string) string {
	c.t.Helper()
	dir := filepath.Join(c.t.TempDir(), name)
	c.issue(role, name, dir)
	return dir
}

// signed returns a folder with a certificate that the CA would have signed some time ago.
func (c *cluster) signed(role pki.Role, name string, ago time.Duration) string {
	c.t.Helper()
	return pkitest.Sign(c.t, c.ca.At(c.t, ago), role, name)
}

// A process is a node or a front.
type process struct {
	*exec.Cmd
	address string
	out     *output
}

// output may be read while it is written.
type output struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (o *output) Write(b []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.b.Write(b)
}

func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.b.String()
}

func (c *cluster) start(address, role, name string, more ...string) *process {
	c.t.Helper()
	args := append([]string{"node", role, "--config", c.path("cluster"), "--certificates", c.path("certificates", name)}, more...)
	p := &process{c.command(name, args...), address, &output{}}
	p.Stderr, p.Stdout = p.out, p.out
	check(c.t, p.Start())
	ended := make(chan error, 1)
	go func() { ended <- p.Wait() }()
	c.t.Cleanup(func() {
		_ = p.Process.Signal(syscall.SIGTERM)
		select {
		case err := <-ended:
			if err != nil {
				c.t.Errorf("%s: %v\n%s", name, err, p.out)
			}
		case <-time.After(20 * time.Second):
			_ = p.Process.Kill()
			c.t.Errorf("%s did not end:\n%s", name, p.out)
		}
	})
	for !strings.Contains(p.out.String(), "serving") {
		select {
		case err := <-ended:
			ended <- err
			c.t.Fatalf("%s: %v\n%s", name, err, p.out)
		case <-time.After(5 * time.Millisecond):
		}
	}
	return p
}

// freeAddresses returns addresses that nobody listens on.
func freeAddresses(t *testing.T, n int) (all []string) {
	t.Helper()
	for range n {
		l, err := net.Listen("tcp", loopback+":0")
		check(t, err)
		defer func() { _ = l.Close() }()
		all = append(all, l.Addr().String())
	}
	return all
}

// awaitHead waits until a repository is answered for at a commit.
func (c *cluster) awaitHead(repository, head string) {
	c.t.Helper()
	conn := c.front.connect(c.t, c.certificates("front", "watcher"))
	for range 2000 {
		r, err := nodepb.NewFrontClient(conn).Repositories(c.t.Context(), &nodepb.RepositoriesRequest{})
		if err == nil {
			for _, h := range r.GetRepositories() {
				if h.GetRepository() == repository && h.GetHead() == head {
					return
				}
			}
		}
		time.Sleep(20 * time.Millisecond)
	}
	c.t.Fatalf("%s is not at %s:\n%s\n%s", repository, head, c.node.out, c.front.out)
}

// settings returns those of a client with the certificate of a folder that takes any server of the
// CA, because an attacker does not look.
func settings(t testing.TB, folder string) *tls.Config {
	t.Helper()
	f, err := pki.OpenFolder(folder)
	check(t, err)
	c, err := f.ClientTLS(pki.Expected{Role: pki.Node, Host: loopback})
	check(t, err)
	c.VerifyConnection = nil
	return c
}

// connect returns a connection with the certificate of a folder.
func (p *process) connect(t testing.TB, folder string) *grpc.ClientConn {
	t.Helper()
	return p.connectAs(t, credentials.NewTLS(settings(t, folder)))
}

func (p *process) connectAs(t testing.TB, creds credentials.TransportCredentials) *grpc.ClientConn {
	t.Helper()
	conn, err := grpc.NewClient("passthrough:///"+p.address, grpc.WithTransportCredentials(creds), grpc.WithDisableRetry())
	check(t, err)
	t.Cleanup(func() { _ = conn.Close() })
	return conn
}

// textOf returns the code and the text of the error of a call.
func textOf(err error) string {
	if err == nil {
		return "OK"
	}
	return status.Code(err).String() + ": " + status.Convert(err).Message()
}

// read asks for the packages of a repository.
func read(ctx context.Context, c grpc.ClientConnInterface, repository string) string {
	_, err := nodepb.NewNodeClient(c).Read(ctx, &nodepb.ReadRequest{Repository: repository, Verb: "packages"})
	return textOf(err)
}

// query asks a question, and returns the stream after the lists.
func query(ctx context.Context, c grpc.ClientConnInterface, m *nodepb.AskRequest) (nodepb.Node_QueryClient, *nodepb.Lists, error) {
	st, err := nodepb.NewNodeClient(c).Query(ctx)
	if err != nil {
		return nil, nil, err
	}
	_ = st.Send(&nodepb.ToRepository{Of: &nodepb.ToRepository_Ask{Ask: m}})
	out, err := st.Recv()
	return st, out.GetLists(), err
}
