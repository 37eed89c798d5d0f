package nodecmd

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"patina/ask/project"
	"patina/cmd/internal/cli"
	"patina/cmd/internal/dialect"
	"patina/cmd/internal/layout"
	"patina/scrape"
	"patina/wire/config"
	"patina/wire/pki"
)

// The folders that init makes, besides one for each process.
const (
	clusterFolder = "cluster" // nodes.toml and repositories.toml
	caFolder      = "ca"
	exampleFolder = "example"
)

// mostProcesses bounds the nodes and the fronts that init makes. A larger cluster is written by
// hand, or by a program.
const mostProcesses = 100

// An initialising is one run of "patina node init", with its flags.
type initialising struct {
	*app
	dir           string // the one to make
	nodes, fronts int
	replicas      int
	repositories  []string // addresses and paths; none means the examples
	address       string   // with {name} and {role}; "" means free ports of this machine
	hosts         []string // more names of the fronts
}

func (a *app) init() *cobra.Command {
	i := &initialising{app: a}
	c := &cobra.Command{
		Use:   "init DIR",
		Short: "Write all that a cluster needs, to try it on this machine",
		Long: `Write all that a cluster needs into a new folder: nodes.toml and
repositories.toml, a CA, and for each node and front a folder that is its
PATINA_HOME, with its certificate. "patina node up DIR" then starts it.

Without --repository it has three small repositories of an example. Paths and
addresses are taken. With --address, the processes are on other machines or in
containers: {name} and {role} stand for what differs, and each gets its folder.`,
		Example: `  patina node init try
  patina node init try --repository ~/src/app --repository git@example.org:lib
  patina node init out --address {name}.example.org:7470 --fronts 2`,
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error { return i.run(c.Context(), args[0]) },
	}
	f := c.Flags()
	f.IntVar(&i.nodes, "nodes", 3, "how many nodes")
	f.IntVar(&i.fronts, "fronts", 1, "how many fronts")
	f.IntVar(&i.replicas, "replicas", 2, "how many nodes host each repository")
	f.StringArrayVar(&i.repositories, "repository", nil, "`URL` or path of a repository; may be given several times")
	f.StringVar(&i.address, "address", "", "`host:port` of each process, with {name} and {role}")
	f.StringSliceVar(&i.hosts, "host", nil, "more `host` names and IP addresses of the fronts, for users")
	return c
}

func (i *initialising) run(ctx context.Context, dir string) (err error) {
	if err := i.checkGiven(); err != nil {
		return err
	}
	dir, err = filepath.Abs(dir)
	if err != nil {
		return err
	}
	if err := checkNew(dir); err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(dir), 0o755); err != nil {
		return err
	}
	// It gets its name when it is complete.
	if i.dir, err = os.MkdirTemp(filepath.Dir(dir), "."+filepath.Base(dir)+".*"); err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.RemoveAll(i.dir))
		}
	}()
	c, err := i.configuration(ctx)
	if err != nil {
		return err
	}
	if err := i.issueAll(c); err != nil {
		return err
	}
	if err := os.Rename(i.dir, dir); err != nil {
		return err
	}
	i.printMade(dir, c)
	return nil
}

func (i *initialising) checkGiven() error {
	for _, x := range []struct {
		flag string
		n    int
	}{{"--nodes", i.nodes}, {"--fronts", i.fronts}, {"--replicas", i.replicas}} {
		if x.n < 1 || x.n > mostProcesses {
			return fmt.Errorf("%s %d: give a number from 1 to %d", x.flag, x.n, mostProcesses)
		}
	}
	if i.address == "" {
		return nil
	}
	_, port, err := net.SplitHostPort(i.address)
	if _, portErr := strconv.ParseUint(port, 10, 16); err != nil || portErr != nil || !strings.Contains(i.address, "{name}") {
		return cli.Hint(fmt.Errorf("--address %.80q: each process must have its own host:port", i.address),
			"for example: --address {name}.example.org:7470")
	}
	return nil
}

// checkNew returns an error unless a folder does not exist or is empty, because keys in it would be
// lost.
func checkNew(dir string) error {
	entries, err := os.ReadDir(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case len(entries) == 0:
		return nil
	}
	hints := []string{"name a new folder"}
	if _, err := os.Stat(filepath.Join(dir, clusterFolder, config.NodesFile)); err == nil {
		hints = append(hints, "or start what is there: "+dialect.Command("node", "up", dir))
	}
	return cli.Hint(fmt.Errorf("%s is not empty", dir), hints...)
}

// configuration writes nodes.toml and repositories.toml, and the example if it is wanted. It
// returns what they say.
func (i *initialising) configuration(ctx context.Context) (*config.Config, error) {
	addresses, err := i.addresses()
	if err != nil {
		return nil, err
	}
	var text strings.Builder
	text.WriteString(nodesComment)
	for n, address := range addresses {
		role, number := pki.Node, n
		if n >= i.nodes {
			role, number = pki.Front, n-i.nodes
		}
		fmt.Fprintf(&text, "\n[[%s]]\nname = %s\naddress = %s\n", role, tomlText(processName(role, number)), tomlText(address))
	}
	text.WriteString(groupsText)
	dir := filepath.Join(i.dir, clusterFolder)
	if err := os.Mkdir(dir, 0o755); err != nil {
		return nil, err
	}
	if err := os.WriteFile(filepath.Join(dir, config.NodesFile), []byte(text.String()), 0o644); err != nil {
		return nil, err
	}
	repositories, err := i.listRepositories(ctx)
	if err != nil {
		return nil, err
	}
	if err := os.WriteFile(filepath.Join(dir, config.RepositoriesFile), []byte(repositories), 0o644); err != nil {
		return nil, err
	}
	return config.Read(dir)
}

func processName(role pki.Role, n int) string { return fmt.Sprintf("%s-%d", role, n) }

const nodesComment = `# The processes of the cluster. Each reads this file again when it changes.
`

const groupsText = `
# Who may ask what: a repository with groups = ["backend"] is shown to the users of this group alone.
# A user is a name in a certificate, as in "patina node invite anna --groups backend".
[groups.everyone]
users = ["*"]

[groups.backend]
users = []
`

// addresses returns those of the nodes and then of the fronts.
func (i *initialising) addresses() (all []string, err error) {
	if i.address == "" {
		return freeAddresses(i.nodes + i.fronts)
	}
	for _, x := range []struct {
		role pki.Role
		n    int
	}{{pki.Node, i.nodes}, {pki.Front, i.fronts}} {
		for n := range x.n {
			all = append(all, strings.NewReplacer("{name}", processName(x.role, n), "{role}", string(x.role)).Replace(i.address))
		}
	}
	return all, nil
}

// freeAddresses returns addresses of this machine that nobody listens on. All are held until the
// last is known, so that they differ.
func freeAddresses(n int) (all []string, err error) {
	for range n {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return nil, err
		}
		defer func() { _ = l.Close() }()
		all = append(all, l.Addr().String())
	}
	return all, nil
}

// tomlText returns a text as a string of TOML.
func tomlText(s string) string {
	b, err := json.Marshal(s) // JSON's escapes are all TOML's
	if err != nil {
		panic(err) // a text has a form in JSON
	}
	return string(b)
}

// listRepositories returns the content of repositories.toml, and makes the example if no repository
// is named.
func (i *initialising) listRepositories(ctx context.Context) (string, error) {
	var text strings.Builder
	text.WriteString("# What the nodes host. git fetches each every minute.\n")
	entry := func(url, name string) {
		fmt.Fprintf(&text, "\n[[repo]]\nurl = %s\n", tomlText(url))
		if name != "" {
			fmt.Fprintf(&text, "name = %s\n", tomlText(name))
		}
		fmt.Fprintf(&text, "replicas = %d\ngroups = [\"everyone\"]\n", min(i.replicas, i.nodes))
	}
	if len(i.repositories) == 0 {
		if err := writeExample(ctx, filepath.Join(i.dir, exampleFolder)); err != nil {
			return "", fmt.Errorf("make the example: %w", err)
		}
		for _, name := range exampleHosted {
			// Relative, so that the folder can be moved, or mounted elsewhere.
			entry("../"+path.Join(exampleFolder, name), exampleName(name))
		}
	}
	for _, r := range i.repositories {
		if scrape.IsURL(r) {
			entry(r, "")
			continue
		}
		root, name, err := localRepository(r)
		if err != nil {
			return "", err
		}
		entry(root, name)
	}
	return text.String(), nil
}

// localRepository returns the root of the repository in a folder of this machine, and its name on
// the wire: that of its origin, or else that of its folder.
func localRepository(dir string) (root, name string, err error) {
	p, err := project.At(dir, "")
	if err != nil {
		return "", "", fmt.Errorf("--repository %.200q: %w", dir, err)
	}
	if t, err := p.Repository(); err != nil || t == nil {
		return "", "", cli.Hint(errors.Join(fmt.Errorf("--repository %.200q is no repository of git", dir), err),
			"give the folder of one, or an address: https://…, ssh://…, git@host:path")
	}
	if name = p.RepositoryName(); name == "" {
		name = filepath.Base(p.Root)
	}
	return p.Root, name, nil
}

// issueAll makes the CA, and for each process its folder with a certificate.
func (i *initialising) issueAll(c *config.Config) error {
	ca, err := pki.InitCA(filepath.Join(i.dir, caFolder))
	if err != nil {
		return err
	}
	for _, x := range []struct {
		role  pki.Role
		all   []config.Node
		hosts []string
	}{{pki.Node, c.Nodes, nil}, {pki.Front, c.Fronts, i.frontHosts()}} {
		for _, p := range x.all {
			host, _, err := net.SplitHostPort(p.Address)
			if err != nil {
				return err
			}
			home := filepath.Join(i.dir, p.Name)
			if err := os.Mkdir(home, 0o700); err != nil {
				return err
			}
			in := pki.Invitation{Name: p.Name, Role: x.role, Hosts: append([]string{host}, x.hosts...)}
			if _, err := issue(ca, in, filepath.Join(home, "certificates")); err != nil {
				return err
			}
		}
	}
	return nil
}

// frontHosts returns more names of the fronts: those that are given, and this machine's own if the
// processes are elsewhere, because a port of a container is reached by it.
func (i *initialising) frontHosts() []string {
	if i.address == "" {
		return i.hosts
	}
	return append([]string{"localhost", "127.0.0.1"}, i.hosts...)
}

func (i *initialising) printMade(dir string, c *config.Config) {
	shown := func(names ...string) string { return layout.Plain(filepath.Join(append([]string{dir}, names...)...)) }
	fmt.Fprintf(i.Out, "made %s:\n", shown())
	fmt.Fprintf(i.Out, "  %s/  nodes.toml and repositories.toml: keep them under version control\n", clusterFolder)
	fmt.Fprintf(i.Out, "  %s/  the key that signs certificates: whoever has it can join\n", caFolder)
	var names []string
	for _, p := range append(append([]config.Node{}, c.Nodes...), c.Fronts...) {
		names = append(names, p.Name+"/")
	}
	fmt.Fprintf(i.Out, "  %s  a PATINA_HOME each, with a certificate\n", strings.Join(names, " "))
	if len(i.repositories) == 0 {
		fmt.Fprintf(i.Out, "  %s/  the repositories %s, and %s, which is no node's\n",
			exampleFolder, strings.Join(exampleHosted, ", "), exampleHome)
	}
	for _, r := range c.Repositories {
		fmt.Fprintf(i.Out, "hosted: %s\n", layout.Plain(r.Name))
	}
	if i.address == "" {
		fmt.Fprintf(i.Out, "next: %s\n", dialect.Command("node", "up", dir))
		return
	}
	fmt.Fprintf(i.Out, "next: bring each folder to its machine, and start it there: patina node serve, patina node front\n")
	fmt.Fprintf(i.Out, "a user joins with what this prints: %s\n",
		dialect.Command("node", "invite", "NAME", "--config", filepath.Join(dir, clusterFolder), "--ca", filepath.Join(dir, caFolder)))
}
