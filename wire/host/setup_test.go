package host

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"patina/actors"
	"patina/actors/api"
	"patina/scrape/scrapetest"
	"patina/store/doc"
	"patina/wire/config"
)

// ample is enough time for any answer, on a machine as busy as may be.
const ample = time.Hour

// A cluster is a folder with the configuration of nodes, and one with the repositories they fetch.
type cluster struct {
	config, sources string
}

// newCluster writes a configuration with the nodes node-0 and node-1. This process gets a home of
// its own.
func newCluster(t *testing.T) *cluster {
	t.Helper()
	t.Setenv("PATINA_HOME", filepath.Join(t.TempDir(), "home"))
	for name, value := range map[string]string{
		"GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_NOSYSTEM": "1", "HOME": t.TempDir(),
	} {
		t.Setenv(name, value)
	}
	c := &cluster{t.TempDir(), t.TempDir()}
	c.nodes(t, "127.0.0.1:1")
	return c
}

// nodes writes nodes.toml with an address of node-1.
func (c *cluster) nodes(t *testing.T, address string) {
	t.Helper()
	c.write(t, config.NodesFile, fmt.Sprintf("hint_secret = \"s\"\n[[node]]\nname = \"node-0\"\naddress = \"127.0.0.1:1\"\n"+
		"[[node]]\nname = \"node-1\"\naddress = %q\n", address))
}

func (c *cluster) write(t *testing.T, file, content string) {
	t.Helper()
	scrapetest.Must(t, os.WriteFile(filepath.Join(c.config, file), []byte(content), 0o600))
}

// repositories writes repositories.toml and returns the configuration.
func (c *cluster) repositories(t *testing.T, entries ...string) *config.Config {
	t.Helper()
	c.write(t, config.RepositoriesFile, strings.Join(entries, "\n"))
	read, err := config.Read(c.config)
	scrapetest.Must(t, err)
	return read
}

// entry returns the lines of a repository on node-0, and further lines.
func (c *cluster) entry(name string, more ...string) string {
	lines := []string{
		"[[repo]]", fmt.Sprintf("name = %q", name), fmt.Sprintf("url = %q", filepath.Join(c.sources, name)), "replicas = 2",
	}
	return strings.Join(append(lines, more...), "\n") + "\n"
}

// commit writes files into a source, which it makes if needed, and commits them. It returns the
// commit.
func (c *cluster) commit(t *testing.T, name, message string, files map[string]string) (head string) {
	t.Helper()
	root := filepath.Join(c.sources, name)
	if _, err := os.Stat(root); err != nil {
		scrapetest.Must(t, os.MkdirAll(root, 0o755))
		scrapetest.Git(t, root, "init", "-q")
	}
	scrapetest.Tree(t, root, files)
	scrapetest.Git(t, root, "add", ".")
	scrapetest.Git(t, root, "-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", message)
	b, err := os.ReadFile(filepath.Join(root, ".git", "refs", "heads", branch(t, root)))
	scrapetest.Must(t, err)
	return strings.TrimSpace(string(b))
}

func branch(t *testing.T, root string) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(root, ".git", "HEAD"))
	scrapetest.Must(t, err)
	return strings.TrimSpace(filepath.Base(string(b)))
}

// open starts node-0. It fetches at the start and when it is hinted to.
func (c *cluster) open(t *testing.T, read *config.Config) *Host {
	t.Helper()
	h, err := Open(Options{
		Node: "node-0", Config: read, Folder: c.config, Every: ample, Handover: time.Second, Log: slog.New(slog.NewTextHandler(t.Output(), nil)),
	})
	scrapetest.Must(t, err)
	t.Cleanup(func() { scrapetest.Must(t, h.Close(context.Background())) })
	return h
}

// state returns the state of a repository, or the zero State.
func state(h *Host, repository string) State {
	for _, s := range h.States() {
		if s.Repository == repository {
			return s
		}
	}
	return State{}
}

// await waits until something holds, for as long as go test lets it.
func await(holds func() bool) {
	for !holds() {
		time.Sleep(time.Millisecond)
	}
}

func target(t *testing.T, h *Host, repository string) api.Target {
	t.Helper()
	x, ok := h.Backend().Target(repository)
	if !ok {
		t.Fatalf("%s is not hosted", repository)
	}
	return x
}

// found returns the kinds of the results of a question in a hosted repository, by path or doc_id.
func found(t *testing.T, h *Host, repository, text string) (all map[string]string) {
	t.Helper()
	e, err := actors.Open(actors.Options{Lazy: true})
	scrapetest.Must(t, err)
	defer func() { scrapetest.Must(t, e.Close(context.Background())) }()
	scrapetest.Must(t, e.AddTarget(target(t, h, repository)))
	a, err := e.Scry(t.Context(), api.Request{Text: text, Timeout: ample})
	scrapetest.Must(t, err)
	if a.Partial {
		t.Errorf("%q is answered in part: %+v", text, a.Channels)
	}
	all = map[string]string{}
	for _, r := range a.Results {
		all[cmp.Or(r.Path, r.DocID)] = string(r.Kind)
	}
	return all
}

func wants(id, kind string) []api.Want {
	return []api.Want{{DocID: id, Kind: doc.Kind(kind), Places: 1}}
}
