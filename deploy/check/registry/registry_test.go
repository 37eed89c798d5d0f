package registrytest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/distribution/distribution/v3/configuration"
	_ "github.com/distribution/distribution/v3/registry/auth/htpasswd"
	"github.com/distribution/distribution/v3/registry/handlers"
	_ "github.com/distribution/distribution/v3/registry/storage/driver/filesystem"
	"github.com/sirupsen/logrus"
	"golang.org/x/crypto/bcrypt"

	"patina/ask/project"
	"patina/cmd/internal/cli"
	"patina/cmd/internal/indexcmd"
	"patina/scrape"
)

// A registry is distribution, with its blobs in a folder.
type registry struct {
	dir, address string
}

func startRegistry(t *testing.T, auth configuration.Auth) registry {
	t.Helper()
	logrus.SetOutput(io.Discard)
	r := registry{dir: t.TempDir()}
	c := &configuration.Configuration{Auth: auth, Storage: configuration.Storage{
		"filesystem": {"rootdirectory": r.dir},
		"delete":     {"enabled": true},
	}}
	c.HTTP.Secret = "of this test"
	c.Log.AccessLog.Disabled = true
	c.Catalog.MaxEntries = 100
	server := httptest.NewServer(handlers.NewApp(context.Background(), c))
	t.Cleanup(server.Close)
	r.address = strings.TrimPrefix(server.URL, "http://")
	return r
}

// A member is a person of a team, with a clone and a home.
type member struct {
	t         *testing.T
	dir, home string
}

func (m member) git(args ...string) string {
	m.t.Helper()
	c := exec.Command("git", args...)
	c.Dir = m.dir
	c.Env = append(os.Environ(), "GIT_AUTHOR_NAME=Ada", "GIT_AUTHOR_EMAIL=ada@example.org",
		"GIT_COMMITTER_NAME=Ada", "GIT_COMMITTER_EMAIL=ada@example.org", "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_NOSYSTEM=1")
	out, err := c.CombinedOutput()
	if err != nil {
		m.t.Fatalf("git %q: %v: %s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

func (m member) commit(name, text string) {
	m.t.Helper()
	if err := os.WriteFile(filepath.Join(m.dir, name), []byte(text), 0o644); err != nil {
		m.t.Fatal(err)
	}
	m.git("add", "-A")
	m.git("commit", "-q", "-m", "change "+name)
}

func newMember(t *testing.T) member {
	t.Helper()
	m := member{t, filepath.Join(t.TempDir(), "app"), t.TempDir()}
	if err := os.Mkdir(m.dir, 0o755); err != nil {
		t.Fatal(err)
	}
	m.git("init", "-q", "-b", "main")
	m.commit("tea.go", "package app\n\n// PourTea pours tea into a cup.\nfunc PourTea() {}\n")
	return m
}

// clone makes another member of the team.
func (m member) clone() member {
	m.t.Helper()
	other := member{m.t, filepath.Join(m.t.TempDir(), "app"), m.t.TempDir()}
	if out, err := exec.Command("git", "clone", "-q", m.dir, other.dir).CombinedOutput(); err != nil {
		m.t.Fatalf("%v: %s", err, out)
	}
	return other
}

func (m member) scrape() {
	m.t.Helper()
	m.enter()
	p, err := project.Here("")
	if err == nil {
		_, err = project.Scrape(m.t.Context(), p, scrape.Options{}, func(err error) { m.t.Error(err) })
	}
	if err != nil {
		m.t.Fatal(err)
	}
}

func (m member) enter() {
	m.t.Setenv("PATINA_HOME", m.home)
	m.t.Chdir(m.dir)
}

// index runs "patina index". It returns the exit code, the text and the errors.
func (m member) index(args ...string) (code int, out, errs string) {
	m.t.Helper()
	m.enter()
	var text, complaint bytes.Buffer
	a := &cli.App{Out: &text, Errs: &complaint}
	c := indexcmd.Index(a)
	c.SilenceErrors, c.SilenceUsage = true, true
	c.SetArgs(args)
	err := c.ExecuteContext(m.t.Context())
	if exit, ok := errors.AsType[cli.Exit](err); ok {
		return int(exit), text.String(), complaint.String()
	}
	if err != nil {
		a.Complain(err)
		return cli.ExitError, text.String(), complaint.String()
	}
	return 0, text.String(), complaint.String()
}

// must runs "patina index … --json".
func (m member) must(args ...string) (x struct {
	Reference, Digest, Commit, SHA256 string
	SignedBy                          string `json:"signed_by"`
	Added, Changed, Removed           int
	Unchanged                         int
	Read                              int `json:"commits_read"`
	Rebuilt                           bool
},
) {
	m.t.Helper()
	code, out, errs := m.index(append(args, "--json")...)
	if code != 0 {
		m.t.Fatalf("patina index %q: exit code %d: %s", args, code, errs)
	}
	if err := json.Unmarshal([]byte(out), &x); err != nil {
		m.t.Fatalf("%v: %s", err, out)
	}
	return x
}

// refused runs "patina index" and wants an error with these words.
func (m member) refused(want string, args ...string) {
	m.t.Helper()
	code, out, errs := m.index(args...)
	if code != cli.ExitError || !strings.Contains(errs, want) {
		m.t.Errorf("patina index %q: exit code %d, want an error with %q: %s%s", args, code, want, out, errs)
	}
}

// newKey returns the file of a private key, and a file of trusted keys that has it.
func newKey(t *testing.T) (private, trusted string) {
	t.Helper()
	private = filepath.Join(t.TempDir(), "key")
	if out, err := exec.Command("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", private).CombinedOutput(); err != nil {
		t.Skipf("ssh-keygen: %v: %s", err, out)
	}
	return private, private + ".pub"
}

func init() { slog.SetDefault(slog.New(slog.DiscardHandler)) }

func TestPushAndPull(t *testing.T) {
	r := startRegistry(t, nil)
	reference := r.address + "/team/app"
	private, trusted := newKey(t)
	_, others := newKey(t)
	ada := newMember(t)
	bob := ada.clone()

	code, _, errs := bob.index("pull", reference, "--trust", trusted)
	if code != cli.ExitNothing || !strings.Contains(errs, "the registry has no such index for HEAD") {
		t.Errorf("nothing there: exit code %d: %s", code, errs)
	}
	ada.scrape()
	pushed := ada.must("push", reference, "--sign", private)
	if again := ada.must("push", reference, "--sign", private); again.Digest != pushed.Digest {
		t.Errorf("the same index is %s, then %s", pushed.Digest, again.Digest)
	}
	if !strings.HasPrefix(pushed.Reference, reference+":"+pushed.Commit+"-") {
		t.Errorf("reference %q", pushed.Reference)
	}

	// Another index for a later commit; Bob has a commit of his own and a changed file.
	ada.commit("milk.go", "package app\n\n// AddMilk adds milk.\nfunc AddMilk() {}\n")
	ada.scrape()
	ada.must("push", reference, "--sign", private)
	bob.commit("cake.go", "package app\n\n// CutCake cuts a cake.\nfunc CutCake() {}\n")

	bob.refused("nothing says that this index can be trusted", "pull", reference)
	bob.refused("no trusted key has signed this", "pull", reference, "--trust", others)
	bob.refused("the archive has another SHA-256", "pull", reference, "--digest", strings.Repeat("0", 64))
	if got := bob.must("pull", reference, "--trust", trusted); got.Commit != pushed.Commit || got.Added != 1 ||
		got.Unchanged != 1 || got.Read != 1 || got.Rebuilt || got.SHA256 != pushed.SHA256 || got.SignedBy == "" {
		t.Errorf("pulled %+v", got)
	}
	if got := bob.must("pull", reference+"@"+pushed.Digest); got.Commit != pushed.Commit || got.SignedBy != "" {
		t.Errorf("pulled by digest %+v", got)
	}
	if got := bob.must("pull", pushed.Reference, "--digest", pushed.SHA256); got.Commit != pushed.Commit {
		t.Errorf("pulled by tag %+v", got)
	}
	code, _, errs = bob.index("pull", reference+":none", "--trust", trusted)
	if code != cli.ExitNothing {
		t.Errorf("a tag that is not there: exit code %d: %s", code, errs)
	}
	bob.refused("a digest cannot be pushed to", "push", reference+"@"+pushed.Digest)
	bob.refused("no reference to a registry", "pull", "Not A Reference", "--trust", trusted)

	// A blob that has changed in the registry's folder.
	blob := filepath.Join(r.dir, "docker/registry/v2/blobs/sha256", pushed.SHA256[:2], pushed.SHA256, "data")
	b, err := os.ReadFile(blob)
	if err != nil {
		t.Fatal(err)
	}
	for _, at := range []int{0, 700, len(b) / 2, len(b) - 1} {
		changed := bytes.Clone(b)
		changed[at] ^= 1
		if err := os.WriteFile(blob, changed, 0o600); err != nil {
			t.Fatal(err)
		}
		code, _, errs := bob.index("pull", reference, "--trust", trusted)
		if code != cli.ExitError || !strings.Contains(errs, "damaged") && !strings.Contains(errs, "signature is not valid") {
			t.Errorf("byte %d: exit code %d: %s", at, code, errs)
		}
	}
	bob.scrape() // his own index is whole
}

// An image of something else is not taken for an index.
func TestOtherArtifacts(t *testing.T) {
	r := startRegistry(t, nil)
	private, trusted := newKey(t)
	ada := newMember(t)
	ada.scrape()
	pushed := ada.must("push", r.address+"/app:one", "--sign", private)
	if pushed.Reference != r.address+"/app:one" {
		t.Errorf("reference %q", pushed.Reference)
	}
	// The manifest says of itself that it is something else.
	sum := strings.TrimPrefix(pushed.Digest, "sha256:")
	manifest := filepath.Join(r.dir, "docker/registry/v2/blobs/sha256", sum[:2], sum, "data")
	b, err := os.ReadFile(manifest)
	if err != nil {
		t.Fatal(err)
	}
	b = bytes.Replace(b, []byte("vnd.patina.index.v1"), []byte("vnd.patina.other.v1"), 1)
	if err := os.WriteFile(manifest, b, 0o600); err != nil {
		t.Fatal(err)
	}
	code, _, errs := ada.index("pull", r.address+"/app:one", "--trust", trusted)
	if code != cli.ExitError {
		t.Errorf("exit code %d: %s", code, errs)
	}
}

// Names and passwords are those of docker's settings.
func TestCredentials(t *testing.T) {
	hash, err := bcrypt.GenerateFromPassword([]byte("secret"), bcrypt.MinCost)
	if err != nil {
		t.Fatal(err)
	}
	users := filepath.Join(t.TempDir(), "htpasswd")
	if err := os.WriteFile(users, append([]byte("ada:"), hash...), 0o600); err != nil {
		t.Fatal(err)
	}
	r := startRegistry(t, configuration.Auth{"htpasswd": {"realm": "test", "path": users}})
	ada := newMember(t)
	ada.scrape()
	docker := t.TempDir()
	t.Setenv("DOCKER_CONFIG", docker)
	ada.refused("basic credential not found", "push", r.address+"/app")
	for raw, works := range map[string]bool{"YWRhOnNlY3JldA==": true, "YWRhOndyb25n": false} {
		// These are ada:secret and ada:wrong.
		config := `{"auths": {"` + r.address + `": {"auth": "` + raw + `"}}}`
		if err := os.WriteFile(filepath.Join(docker, "config.json"), []byte(config), 0o600); err != nil {
			t.Fatal(err)
		}
		if code, _, errs := ada.index("push", r.address+"/app"); (code == 0) != works || strings.Contains(errs, "secret") {
			t.Errorf("%s: exit code %d: %s", raw, code, errs)
		}
	}
}

// Nobody listens.
func TestNoRegistry(t *testing.T) {
	ada := newMember(t)
	ada.scrape()
	ada.refused("connection refused", "push", "127.0.0.1:1/app")
	ada.refused("connection refused", "pull", "localhost:1/app", "--trust", os.Args[0])
}
