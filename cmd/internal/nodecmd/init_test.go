package nodecmd

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"patina/cmd/internal/cli"
	"patina/wire/config"
	"patina/wire/pki"
)

// run runs a subcommand of node, and returns what it printed.
func run(t *testing.T, args ...string) (string, error) {
	t.Helper()
	var out bytes.Buffer
	c := Node(&cli.App{Out: &out, Errs: &out})
	c.SilenceErrors, c.SilenceUsage = true, true
	c.SetArgs(args)
	c.SetOut(&out)
	err := c.ExecuteContext(context.Background())
	return out.String(), err
}

// What init writes can be read: the plan, the CA, and for each process a folder with the
// certificate of its name and its role, which only its owner can read.
func TestInitWritesACluster(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "try")
	out, err := run(t, "init", dir, "--nodes", "4", "--fronts", "2")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(out, "next: patina node up "+dir) {
		t.Errorf("printed %s", out)
	}
	c, err := config.Read(filepath.Join(dir, "cluster"))
	if err != nil {
		t.Fatal(err)
	}
	plan, err := c.Plan()
	if err != nil || len(c.Nodes) != 4 || len(c.Fronts) != 2 || len(plan) != 3 {
		t.Fatalf("%+v, %v", c, err)
	}
	for name, nodes := range plan {
		if len(nodes) != 2 || !c.May("anna", name) {
			t.Errorf("%s: %q", name, nodes)
		}
	}
	addresses := map[string]bool{}
	for _, n := range slices.Concat(c.Nodes, c.Fronts) {
		addresses[n.Address] = true
		f, err := pki.OpenFolder(filepath.Join(dir, n.Name, "certificates"))
		if err != nil {
			t.Fatal(err)
		}
		want := pki.Node
		if c.Front(n.Name) != nil {
			want = pki.Front
		}
		if id := f.Identity(); id.Name != n.Name || id.Role != want {
			t.Errorf("%s has the certificate of %s", n.Name, id)
		}
		if info, err := os.Stat(filepath.Join(dir, n.Name)); err != nil || info.Mode().Perm() != 0o700 {
			t.Errorf("%s: %v, %v", n.Name, info.Mode(), err)
		}
	}
	if len(addresses) != 6 {
		t.Errorf("addresses %v", addresses)
	}
	if _, err := pki.OpenCA(filepath.Join(dir, "ca")); err != nil {
		t.Error(err)
	}
}

// Repositories of this machine are named by their origin or else by their folder, and addresses by
// themselves. Processes elsewhere are reached by name, and fronts also by the names for users.
func TestInitTakesRepositoriesAndAddresses(t *testing.T) {
	top := t.TempDir()
	if err := writeExample(t.Context(), top); err != nil {
		t.Fatal(err)
	}
	orders := filepath.Join(top, "orders")
	if out, err := exec.Command("git", "-C", orders, "remote", "add", "origin", "https://git.example.org/shop/orders.git").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	dir := filepath.Join(t.TempDir(), "out")
	_, err := run(t, "init", dir, "--nodes", "1", "--address", "{name}.{role}:7470", "--host", "patina.example.org",
		"--repository", filepath.Join(top, "labels"), "--repository", orders, "--repository", "git@git.example.org:shop/courier.git")
	if err != nil {
		t.Fatal(err)
	}
	c, err := config.Read(filepath.Join(dir, "cluster"))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, r := range c.Repositories {
		names = append(names, r.Name)
		if r.Replicas != 1 { // there is one node
			t.Errorf("%s: %d replicas", r.Name, r.Replicas)
		}
	}
	if want := []string{"labels", "git.example.org/shop/orders", "git.example.org/shop/courier"}; !slices.Equal(names, want) {
		t.Errorf("names %q, want %q", names, want)
	}
	if c.Nodes[0].Address != "node-0.node:7470" || c.Fronts[0].Address != "front-0.front:7470" {
		t.Errorf("addresses %+v, %+v", c.Nodes, c.Fronts)
	}
	front, err := pki.OpenFolder(filepath.Join(dir, "front-0", "certificates"))
	if err != nil {
		t.Fatal(err)
	}
	for _, host := range []string{"front-0.front", "patina.example.org", "localhost", "127.0.0.1"} {
		if err := front.Certificate().VerifyHostname(host); err != nil {
			t.Error(err)
		}
	}
}

// What cannot work is refused with the way out, and leaves nothing behind.
func TestInitRefuses(t *testing.T) {
	top := t.TempDir()
	full := filepath.Join(top, "full")
	if err := os.MkdirAll(full, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(full, "x"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	plain := filepath.Join(top, "plain")
	if err := os.Mkdir(plain, 0o700); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		args []string
		want string
	}{
		{[]string{full}, "is not empty"},
		{[]string{filepath.Join(top, "a"), "--nodes", "0"}, "--nodes 0: give a number from 1 to 100"},
		{[]string{filepath.Join(top, "a"), "--address", "host:7470"}, "each process must have its own host:port"},
		{[]string{filepath.Join(top, "a"), "--address", "{name}"}, "each process must have its own host:port"},
		{[]string{filepath.Join(top, "a"), "--repository", plain}, "is no repository of git"},
		{[]string{filepath.Join(top, "a"), "--repository", "https://h/a/b", "--repository", "https://h/a/b"}, "listed twice"},
		{[]string{filepath.Join(top, "a"), "--host", "not a host", "--nodes", "1"}, "not a host"},
	} {
		_, err := run(t, append([]string{"init"}, test.args...)...)
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("init %q: %v, want %q", test.args, err, test.want)
		}
	}
	entries, err := os.ReadDir(top)
	if err != nil || len(entries) != 2 {
		t.Errorf("left behind: %v, %v", entries, err)
	}
}

// The example is real: its programs compile, and their tests pass.
func TestExampleWorks(t *testing.T) {
	top := t.TempDir()
	if err := writeExample(t.Context(), top); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name string
		args []string
	}{
		{"courier", []string{"go", "test", "./..."}},
		{"orders", []string{"go", "test", "./..."}},
		{"till", []string{"go", "vet", "./..."}},
		{"labels", []string{"python3", "-m", "unittest"}},
	} {
		if _, err := exec.LookPath(test.args[0]); errors.Is(err, exec.ErrNotFound) {
			t.Logf("%s was not tried: %v", test.name, err)
			continue
		}
		c := exec.Command(test.args[0], test.args[1:]...)
		c.Dir, c.Env = filepath.Join(top, test.name), append(os.Environ(), "GOFLAGS=", "GOWORK=off", "GOPROXY=off")
		if out, err := c.CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", test.name, err, out)
		}
	}
}
