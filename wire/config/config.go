// Package config reads nodes.toml and repositories.toml: which nodes and fronts there are, which
// repositories they host, and who may ask which.
//
// The two files are the whole truth about a cluster. Nothing is elected or stored anywhere else, so
// they belong under version control. Every node and front reads them, and reads them again when
// they change (live.go). The package knows no network.
package config

import (
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"patina/internal/lazyregexp"
	"patina/internal/safeio"
	"patina/store/doc"
	"patina/wire/placement"
)

// The files of a configuration folder.
const (
	NodesFile        = "nodes.toml"
	RepositoriesFile = "repositories.toml"
)

// maxFile bounds each file, in bytes: 10,000 repositories are some 2 MB.
const maxFile = 16 << 20

// A Config is the content of both files. It must not be changed once read.
type Config struct {
	Nodes        []Node
	Fronts       []Node
	Groups       map[string]Group // by name
	Revoked      Revoked
	Repositories []Repository
	HintSecret   string // signs hints to fetch; "" refuses them

	byName map[string]*Repository
}

// A Node is a process that others can reach.
type Node struct {
	Name    string `toml:"name"`
	Address string `toml:"address"` // host:port
}

// A Group is users and, by their groups, the repositories that they may ask.
type Group struct {
	Users []string `toml:"users"` // names in certificates; "*" means every user
}

// Revoked lists certificates that are refused from the next call on, also on open connections.
type Revoked struct {
	Names   []string `toml:"names"`
	Serials []string `toml:"serials"` // hexadecimal, in lower case
}

// A Repository is one that the nodes host.
type Repository struct {
	URL      string   `toml:"url"`      // where git fetches it
	Name     string   `toml:"name"`     // on the wire; "" means host/org/name of the URL
	Replicas int      `toml:"replicas"` // how many nodes host it; 0 means 1
	Groups   []string `toml:"groups"`   // who may ask it; empty means every user
	Kinds    []string `toml:"kinds"`    // of documents that are answered; empty means all
	Nodes    []string `toml:"nodes"`    // hosts it here and nowhere else; empty means any
}

type nodesFile struct {
	Nodes      []Node           `toml:"node"`
	Fronts     []Node           `toml:"front"`
	Groups     map[string]Group `toml:"groups"`
	Revoked    Revoked          `toml:"revoked"`
	HintSecret string           `toml:"hint_secret"`
}

type repositoriesFile struct {
	Repositories []Repository `toml:"repo"`
}

// Read reads and checks both files of a folder. A missing repositories.toml means that no
// repository is hosted. It returns an error that names the file and the entry if something is
// unknown, missing or given twice.
func Read(dir string) (*Config, error) {
	var nodes nodesFile
	var repositories repositoriesFile
	err := readFile(filepath.Join(dir, NodesFile), &nodes)
	if err != nil {
		return nil, err
	}
	if err := readFile(filepath.Join(dir, RepositoriesFile), &repositories); err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	c := &Config{
		Nodes: nodes.Nodes, Fronts: nodes.Fronts, Groups: nodes.Groups, Revoked: nodes.Revoked,
		HintSecret: nodes.HintSecret, Repositories: repositories.Repositories,
	}
	if err := c.validate(); err != nil {
		return nil, fmt.Errorf("read configuration of nodes in %s: %w", dir, err)
	}
	return c, nil
}

// readFile reads a file into a value. It follows links, because Kubernetes mounts each file as a
// link into a folder that it swaps.
func readFile(name string, into any) error {
	target, err := filepath.EvalSymlinks(name)
	if err != nil {
		return fmt.Errorf("read configuration of nodes: %w", err)
	}
	content, err := safeio.ReadFile(target, maxFile)
	if err != nil {
		return fmt.Errorf("read configuration of nodes: %w", err)
	}
	d := toml.NewDecoder(strings.NewReader(string(content))).DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		return fmt.Errorf("read configuration of nodes: %s: %w", name, tomlError(err))
	}
	return nil
}

// tomlError names the line and the key of an error, which the library keeps for those who ask.
func tomlError(err error) error {
	var unknown *toml.StrictMissingError
	if errors.As(err, &unknown) && len(unknown.Errors) > 0 {
		line, _ := unknown.Errors[0].Position()
		return fmt.Errorf("line %d: unknown key %q", line, strings.Join(unknown.Errors[0].Key(), "."))
	}
	var bad *toml.DecodeError
	if errors.As(err, &bad) {
		line, _ := bad.Position()
		return fmt.Errorf("line %d: %w", line, err)
	}
	return err
}

// nodeName matches names of nodes, fronts, users and groups, which stand in certificates.
var nodeName = lazyregexp.New(`^[A-Za-z0-9]([A-Za-z0-9._@-]{0,62}[A-Za-z0-9])?$`)

// CheckName returns an error unless a text can be the name of a node, a front, a user or a group.
func CheckName(name string) error {
	if !nodeName().MatchString(name) {
		return fmt.Errorf("name %.80q: use 1 to 64 letters, digits, dots, dashes, underscores and @, and begin and end with a letter or digit", name)
	}
	return nil
}

func (c *Config) validate() error {
	seen := map[string]bool{}
	for _, n := range slices.Concat(c.Nodes, c.Fronts) {
		if err := CheckName(n.Name); err != nil {
			return fmt.Errorf("%s: %w", NodesFile, err)
		}
		if seen[n.Name] {
			return fmt.Errorf("%s: %q is declared twice", NodesFile, n.Name)
		}
		seen[n.Name] = true
		if _, _, err := net.SplitHostPort(n.Address); err != nil {
			return fmt.Errorf("%s: address %.80q of %q: it must be host:port", NodesFile, n.Address, n.Name)
		}
	}
	for name := range c.Groups {
		if err := CheckName(name); err != nil {
			return fmt.Errorf("%s: group: %w", NodesFile, err)
		}
	}
	c.byName = make(map[string]*Repository, len(c.Repositories))
	for i := range c.Repositories {
		r := &c.Repositories[i]
		if r.Name == "" {
			r.Name = NameOfURL(r.URL)
		}
		if r.Name == "" {
			return fmt.Errorf("%s: url %.200q is no address of a repository, and it has no name", RepositoriesFile, r.URL)
		}
		if c.byName[r.Name] != nil {
			return fmt.Errorf("%s: %q is listed twice", RepositoriesFile, r.Name)
		}
		c.byName[r.Name] = r
		for _, g := range r.Groups {
			if _, ok := c.Groups[g]; !ok {
				return fmt.Errorf("%s: group %q of %q is not in %s", RepositoriesFile, g, r.Name, NodesFile)
			}
		}
		for _, k := range r.Kinds {
			if _, ok := doc.KindNamed(k); !ok {
				return fmt.Errorf("%s: kind %q of %q: there are %s", RepositoriesFile, k, r.Name, kindNames())
			}
		}
		if r.Replicas < 0 {
			return fmt.Errorf("%s: replicas %d of %q: it may not be negative", RepositoriesFile, r.Replicas, r.Name)
		}
	}
	if len(c.Repositories) > 0 {
		if _, err := c.Plan(); err != nil {
			return fmt.Errorf("%s: %w", RepositoriesFile, err)
		}
	}
	return nil
}

func kindNames() string {
	var names []string
	for _, k := range doc.Kinds() {
		names = append(names, k.Traits().Plural)
	}
	return strings.Join(names, ", ")
}

// Node returns the node with a name, or nil.
func (c *Config) Node(name string) *Node { return findNode(c.Nodes, name) }

// Front returns the front with a name, or nil.
func (c *Config) Front(name string) *Node { return findNode(c.Fronts, name) }

func findNode(all []Node, name string) *Node {
	i := slices.IndexFunc(all, func(n Node) bool { return n.Name == name })
	if i < 0 {
		return nil
	}
	return &all[i]
}

// Trusted returns the nodes whose names are not revoked. The others stay declared, so that nothing
// moves, and are not asked.
func (c *Config) Trusted() []Node {
	return slices.DeleteFunc(slices.Clone(c.Nodes), func(n Node) bool { return c.IsRevoked(n.Name, "") })
}

// Plan places the repositories on the declared nodes.
func (c *Config) Plan() (placement.Plan, error) {
	var names []string
	for _, n := range c.Nodes {
		names = append(names, n.Name)
	}
	var all []placement.Repository
	for _, r := range c.Repositories {
		all = append(all, placement.Repository{Name: r.Name, Replicas: r.Replicas, Nodes: r.Nodes})
	}
	return placement.NewPlan(names, all)
}

// Repository returns the entry with a name on the wire, or nil.
func (c *Config) Repository(name string) *Repository { return c.byName[name] }

// May reports whether a user may ask a repository: it has no groups, or the user is in one of them.
// It is false for a repository that is not listed, because hidden and unknown must be alike.
func (c *Config) May(user, repository string) bool {
	r := c.byName[repository]
	if r == nil || user == "" {
		return false
	}
	return len(r.Groups) == 0 || slices.ContainsFunc(r.Groups, func(g string) bool { return c.isMember(user, g) })
}

func (c *Config) isMember(user, group string) bool {
	g, ok := c.Groups[group]
	return ok && (slices.Contains(g.Users, user) || slices.Contains(g.Users, "*"))
}

// RightsOf returns a key that is equal for users who may ask the same groups of repositories: their
// groups, sorted. A front keeps one merged count of words for each.
func (c *Config) RightsOf(user string) string {
	var in []string
	for name := range c.Groups {
		if c.isMember(user, name) {
			in = append(in, name)
		}
	}
	slices.Sort(in)
	return strings.Join(in, "\x00")
}

// MayRights reports whether users whose key (RightsOf) is rights may ask a repository. It is what
// May reports for each of them.
func (c *Config) MayRights(rights, repository string) bool {
	r := c.byName[repository]
	if r == nil {
		return false
	}
	groups := strings.Split(rights, "\x00")
	return len(r.Groups) == 0 || slices.ContainsFunc(r.Groups, func(g string) bool { return slices.Contains(groups, g) })
}

// IsRevoked reports whether a certificate is refused, by its name or by its serial number in
// hexadecimal digits.
func (c *Config) IsRevoked(name, serial string) bool {
	return slices.Contains(c.Revoked.Names, name) ||
		slices.ContainsFunc(c.Revoked.Serials, func(s string) bool { return strings.EqualFold(strings.TrimLeft(s, "0"), strings.TrimLeft(serial, "0")) })
}

// CheckListen returns an error for an address that others can reach, unless there are certificates:
// without them anybody could ask.
func CheckListen(address string, certificates bool) error {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return fmt.Errorf("listen on %.80q: it must be host:port: %w", address, err)
	}
	if certificates || host == "localhost" {
		return nil
	}
	if ip := net.ParseIP(host); ip != nil && ip.IsLoopback() {
		return nil
	}
	return fmt.Errorf("listen on %s: without certificates only a loopback address such as 127.0.0.1 may be used; make certificates with \"patina node ca init\" and \"patina node join\"", address)
}
