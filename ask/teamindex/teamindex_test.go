package teamindex

import (
	"archive/tar"
	"bytes"
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"maps"
	mathrand "math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/crypto/ssh"

	"patina/ask/project"
	"patina/internal/sshsig"
	"patina/scrape"
	"patina/scrape/scrapetest"
	"patina/store/archive"
	"patina/store/build"
)

// newRepository makes a repository with commits of two files, and returns its folder.
func newRepository(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "app")
	scrapetest.Tree(t, dir, map[string]string{
		"tea.go":    "package app\n\n// PourTea pours tea into a cup.\nfunc PourTea() { AddMilk() }\n",
		"README.md": "# App\n\nHow tea is made.\n",
	})
	scrapetest.Git(t, dir, "init", "-q", "-b", "main")
	scrapetest.Git(t, dir, "add", "-A")
	scrapetest.Git(t, dir, "commit", "-q", "-m", "feat: tea is poured")
	scrapetest.Tree(t, dir, map[string]string{"milk.go": "package app\n\n// AddMilk adds milk.\nfunc AddMilk() {}\n"})
	scrapetest.Git(t, dir, "add", "-A")
	scrapetest.Git(t, dir, "commit", "-q", "-m", "feat: milk is added")
	return dir
}

// placeAt returns the place of a folder for the user with a home.
func placeAt(t *testing.T, dir, home string) project.Place {
	t.Helper()
	t.Setenv("PATINA_HOME", home)
	p, err := project.At(dir, "")
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func scrapeAll(t *testing.T, dir, home string) scrape.Summary {
	t.Helper()
	s, err := project.Scrape(t.Context(), placeAt(t, dir, home), scrape.Options{}, func(err error) { t.Error(err) })
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func clone(t *testing.T, dir string) string {
	t.Helper()
	other := filepath.Join(t.TempDir(), "app")
	if out, err := exec.Command("git", "clone", "-q", dir, other).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return other
}

// newKey returns the file of a private key, and one with its public key.
func newKey(t *testing.T) (private, trusted string) {
	t.Helper()
	public, key, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	block, err := ssh.MarshalPrivateKey(key, "")
	if err != nil {
		t.Fatal(err)
	}
	line, err := ssh.NewPublicKey(public)
	if err != nil {
		t.Fatal(err)
	}
	private = filepath.Join(t.TempDir(), "key")
	trusted = private + ".allowed"
	for name, text := range map[string][]byte{
		private: pem.EncodeToMemory(block), trusted: append([]byte("ci "), ssh.MarshalAuthorizedKey(line)...),
	} {
		if err := os.WriteFile(name, text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return private, trusted
}

// pack returns the bytes of an archive of the index in dir.
func pack(t *testing.T, p project.Place, o Options) []byte {
	t.Helper()
	k, err := Pack(t.Context(), p, o)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = k.Close() }()
	var b bytes.Buffer
	n, sum, err := k.Write(t.Context(), &b)
	if err != nil {
		t.Fatal(err)
	}
	if n != int64(b.Len()) || sum != sumOf(b.Bytes()) {
		t.Fatalf("%d bytes with SHA-256 %s, which are %d with %s", n, sum, b.Len(), sumOf(b.Bytes()))
	}
	return b.Bytes()
}

func sumOf(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

func take(t *testing.T, p project.Place, b []byte, trust Trust) (Imported, error) {
	t.Helper()
	return Import(t.Context(), p, bytes.NewReader(b), trust, func(err error) { t.Error(err) })
}

// published returns the published files of a store, by name.
func published(t *testing.T, store string) map[string]string {
	t.Helper()
	all := map[string]string{}
	for _, pattern := range []string{"current", "project", "index-*.db", "index-*.vec"} {
		names, err := filepath.Glob(filepath.Join(store, pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			b, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			all[filepath.Base(name)] = sumOf(b)
		}
	}
	return all
}

// A member of the team takes over the index of another one, and reads only the difference.
func TestExportAndImport(t *testing.T) {
	private, trusted := newKey(t)
	ada, bob := t.TempDir(), t.TempDir()
	dir := newRepository(t)
	scrapeAll(t, dir, ada)
	b := pack(t, placeAt(t, dir, ada), Options{Key: private})
	if !bytes.Equal(b, pack(t, placeAt(t, dir, ada), Options{Key: private})) {
		t.Error("one index gives two archives")
	}
	// Nothing of Ada is in it.
	secret := placeAt(t, dir, ada).Secret
	var database bytes.Buffer
	a, err := archive.Open(t.Context(), bytes.NewReader(b))
	if err == nil {
		err = a.Unpack(&database, io.Discard)
	}
	if err != nil {
		t.Fatal(err)
	}
	for what, text := range map[string]string{"the secret": secret, "the id": placeAt(t, dir, ada).ID, "the path": dir} {
		if text == "" || bytes.Contains(database.Bytes(), []byte(text)) {
			t.Errorf("the archive holds %s", what)
		}
	}

	theirs := clone(t, dir)
	scrapetest.Tree(t, theirs, map[string]string{"cake.go": "package app\n\n// CutCake cuts a cake.\nfunc CutCake() {}\n"})
	x, err := take(t, placeAt(t, theirs, bob), b, Trust{Keys: trusted})
	if err != nil {
		t.Fatal(err)
	}
	if x.SignedBy != "ci" || x.Bytes != int64(len(b)) || x.SHA256 != sumOf(b) {
		t.Errorf("imported %+v", x)
	}
	s := scrapeAll(t, theirs, bob)
	if s.Added != 1 || s.Changed+s.Removed != 0 || s.Unchanged != 3 || s.Commits != 0 || s.Rebuilt {
		t.Errorf("scraped %+v", s)
	}
	if p := placeAt(t, theirs, bob); p.Doubt != "" || p.Secret == secret || !p.IsWritable() {
		t.Errorf("the index is not Bob's own: %+v", p.Project)
	}

	// By its SHA-256, over an index that is there.
	if _, err := take(t, placeAt(t, theirs, bob), b, Trust{Digest: sumOf(b)}); err != nil {
		t.Fatal(err)
	}
	if s := scrapeAll(t, theirs, bob); s.Added != 1 || s.Rebuilt {
		t.Errorf("scraped %+v", s)
	}
}

// An index that is not of its commit, or holds files that should not travel, is not exported.
func TestWhatIsNotExported(t *testing.T) {
	home := t.TempDir()
	refused := func(dir string, want error, o Options) {
		t.Helper()
		if _, err := Pack(t.Context(), placeAt(t, dir, home), o); !errors.Is(err, want) {
			t.Errorf("want %v, got %v", want, err)
		}
	}
	dir := newRepository(t)
	scrapeAll(t, dir, home)
	scrapetest.Tree(t, dir, map[string]string{"notes.md": "# Mine alone\n"})
	refused(dir, project.ErrBehind, Options{})
	scrapeAll(t, dir, home)
	_, err := Pack(t.Context(), placeAt(t, dir, home), Options{})
	if changed, ok := errors.AsType[*project.ChangedError](err); !ok || changed.Count != 1 || changed.First != "notes.md" {
		t.Error(err)
	}
	k, err := Pack(t.Context(), placeAt(t, dir, home), Options{Uncommitted: true})
	if err != nil || !k.Manifest.Uncommitted || k.Changed != 1 {
		t.Fatal(err)
	}
	_ = k.Close()
	refused(dir, sshsig.ErrNoAgent, Options{Uncommitted: true, Key: public(t)})
	if err := os.Remove(filepath.Join(dir, "notes.md")); err != nil {
		t.Fatal(err)
	}
	scrapeAll(t, dir, home)

	tree := filepath.Join(t.TempDir(), "branch")
	scrapetest.Git(t, dir, "worktree", "add", "-q", "-b", "branch", tree)
	scrapeAll(t, tree, home)
	refused(dir, build.ErrSeveralViews, Options{})

	plain := t.TempDir()
	scrapetest.Tree(t, plain, map[string]string{"tea.go": "package app\n"})
	scrapeAll(t, plain, home)
	refused(plain, project.ErrNoCommit, Options{})

	secrets := newRepository(t)
	scrapetest.Tree(t, secrets, map[string]string{".env": "TOKEN=abc\n"})
	scrapetest.Git(t, secrets, "add", "-A")
	scrapetest.Git(t, secrets, "commit", "-q", "-m", "feat: environment")
	_, err = project.Scrape(t.Context(), placeAt(t, secrets, home), scrape.Options{IncludeSecrets: true}, func(error) {})
	if err != nil {
		t.Fatal(err)
	}
	refused(secrets, project.ErrSecrets, Options{})
}

// public returns the file of a public key that no agent has.
func public(t *testing.T) string {
	t.Helper()
	t.Setenv("SSH_AUTH_SOCK", filepath.Join(t.TempDir(), "none"))
	_, trusted := newKey(t)
	text, err := os.ReadFile(trusted)
	if err != nil {
		t.Fatal(err)
	}
	name := trusted + ".pub"
	if err := os.WriteFile(name, bytes.TrimPrefix(text, []byte("ci ")), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

// A forger makes archives that differ from a good one.
type forger struct {
	t                         *testing.T
	manifest                  archive.Manifest
	signature, database, vecs []byte
	key                       string // signs the changed manifest; empty: the old signature stays
}

func newForger(t *testing.T, b []byte) forger {
	f := forger{t: t}
	a, err := archive.Open(t.Context(), bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	f.manifest, f.signature = a.Manifest, a.Signature
	r := tar.NewReader(bytes.NewReader(b))
	for {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			return f
		}
		text, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		switch h.Name {
		case "index.db.zst":
			f.database = text
		case "index.vec.zst":
			f.vecs = text
		}
	}
}

func (f forger) archive() []byte {
	f.t.Helper()
	text, err := f.manifest.Encode()
	if err != nil {
		f.t.Fatal(err)
	}
	if f.key != "" {
		if f.signature, err = sshsig.Sign(f.key, Namespace, text); err != nil {
			f.t.Fatal(err)
		}
	}
	var b bytes.Buffer
	err = archive.Write(&b, f.manifest, text, f.signature, bytes.NewReader(f.database), bytes.NewReader(f.vecs))
	if err != nil {
		f.t.Fatal(err)
	}
	return b.Bytes()
}

// 200 archives that are wrong in one way are refused, each with a word for it, and the index that
// was there is as it was.
func TestRefused(t *testing.T) {
	private, trusted := newKey(t)
	other, _ := newKey(t)
	ada, bob := t.TempDir(), t.TempDir()
	dir := newRepository(t)
	scrapeAll(t, dir, ada)
	good := pack(t, placeAt(t, dir, ada), Options{Key: private})
	theirs := clone(t, dir)
	scrapeAll(t, theirs, bob)
	before := published(t, placeAt(t, theirs, bob).Store)

	r := mathrand.New(mathrand.NewPCG(1, 2))
	damaged := []error{archive.ErrDamaged, archive.ErrNewer, sshsig.ErrSignature, sshsig.ErrUntrusted, ErrUnsigned, ErrVersion, ErrCommit}
	kinds := []struct {
		name string
		make func() ([]byte, Trust)
		want []error
	}{
		{"a changed byte", func() ([]byte, Trust) {
			b := bytes.Clone(good)
			b[r.IntN(len(b))] ^= byte(1 + r.IntN(255))
			return b, Trust{Keys: trusted}
		}, damaged},
		{"a changed byte, by digest", func() ([]byte, Trust) {
			b := bytes.Clone(good)
			b[r.IntN(len(b))] ^= byte(1 + r.IntN(255))
			return b, Trust{Digest: sumOf(good)}
		}, append([]error{ErrDigest}, damaged...)},
		{"cut", func() ([]byte, Trust) { return good[:r.IntN(len(good))], Trust{Keys: trusted} }, []error{archive.ErrDamaged}},
		{"another key", func() ([]byte, Trust) {
			f := newForger(t, good)
			f.key = other
			return f.archive(), Trust{Keys: trusted}
		}, []error{sshsig.ErrUntrusted}},
		{"no signature", func() ([]byte, Trust) {
			f := newForger(t, good)
			f.signature = nil
			return f.archive(), Trust{Keys: trusted}
		}, []error{ErrUnsigned}},
		{"another manifest under the signature", func() ([]byte, Trust) {
			f := newForger(t, good)
			f.manifest.Files += 1 + r.IntN(1000)
			return f.archive(), Trust{Keys: trusted}
		}, []error{sshsig.ErrSignature}},
		{"another commit", func() ([]byte, Trust) {
			f := newForger(t, good)
			f.key, f.manifest.Commit = private, fmt.Sprintf("%040x", r.Uint64())
			return f.archive(), Trust{Keys: trusted}
		}, []error{ErrCommit}},
		{"a commit that the database is not of", func() ([]byte, Trust) {
			f := newForger(t, good)
			f.key, f.manifest.Commit = private, firstCommit(t, dir)
			return f.archive(), Trust{Keys: trusted}
		}, []error{build.ErrOther}},
		{"another format", func() ([]byte, Trust) {
			f := newForger(t, good)
			f.key = private
			f.manifest.Format += 1 - 2*r.IntN(2)
			return f.archive(), Trust{Keys: trusted}
		}, []error{ErrVersion}},
		{"other parsers", func() ([]byte, Trust) {
			f := newForger(t, good)
			f.key, f.manifest.Extractor = private, fmt.Sprintf("%d.%d", r.IntN(9), 100+r.IntN(9))
			return f.archive(), Trust{Keys: trusted}
		}, []error{ErrVersion}},
		{"another model", func() ([]byte, Trust) {
			f := newForger(t, good)
			f.key = private
			f.manifest.Model += "x"
			return f.archive(), Trust{Keys: trusted}
		}, []error{ErrVersion}},
		{"swapped members", func() ([]byte, Trust) {
			f := newForger(t, good)
			f.key = private
			f.database, f.vecs = f.vecs, f.database
			m := &f.manifest
			m.Database, m.Vectors = m.Vectors, m.Database
			m.Database.Name, m.Vectors.Name = m.Vectors.Name, m.Database.Name
			return f.archive(), Trust{Keys: trusted}
		}, []error{build.ErrOther}},
		{"another digest", func() ([]byte, Trust) { return good, Trust{Digest: sumOf([]byte{byte(r.IntN(256))})} }, []error{ErrDigest}},
		{"no trust", func() ([]byte, Trust) { return good, Trust{} }, []error{ErrNoTrust}},
	}
	tries := 200
	if testing.Short() {
		tries = 3 * len(kinds)
	}
	p := placeAt(t, theirs, bob)
	for i := range tries {
		k := kinds[i%len(kinds)]
		b, trust := k.make()
		_, err := take(t, p, b, trust)
		known := false
		for _, want := range k.want {
			known = known || errors.Is(err, want)
		}
		if !known {
			t.Errorf("try %d, %s: %v", i, k.name, err)
		}
		if now := published(t, p.Store); !maps.Equal(now, before) {
			t.Fatalf("try %d, %s: the index was %v and is %v", i, k.name, before, now)
		}
	}
	if s := scrapeAll(t, theirs, bob); s.Added+s.Changed+s.Removed > 0 || s.Rebuilt {
		t.Errorf("scraped %+v", s)
	}
	if _, err := take(t, p, good, Trust{Keys: trusted}); err != nil {
		t.Errorf("the good one: %v", err)
	}
}

func firstCommit(t *testing.T, dir string) string {
	t.Helper()
	out, err := exec.Command("git", "-C", dir, "rev-list", "--max-parents=0", "HEAD").Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(out))
}

// importer is set in the process that TestKilledImport kills.
const importer = "PATINA_TEST_IMPORTER"

func TestMain(m *testing.M) {
	if keys := os.Getenv(importer); keys != "" {
		p, err := project.Here("")
		if err == nil {
			_, err = Import(context.Background(), p, os.Stdin, Trust{Keys: keys}, func(error) {})
		}
		fmt.Println(err)
		os.Exit(1)
	}
	os.Exit(m.Run())
}

// A process that is killed while it imports leaves the index that was there.
func TestKilledImport(t *testing.T) {
	private, trusted := newKey(t)
	ada, bob := t.TempDir(), t.TempDir()
	dir := newRepository(t)
	scrapeAll(t, dir, ada)
	good := pack(t, placeAt(t, dir, ada), Options{Key: private})
	theirs := clone(t, dir)
	scrapeAll(t, theirs, bob)
	store := placeAt(t, theirs, bob).Store
	before := published(t, store)
	for _, share := range []float64{0.2, 0.6, 0.99} {
		cmd := exec.Command(os.Args[0])
		cmd.Dir, cmd.Env = theirs, append(os.Environ(), importer+"="+trusted)
		in, err := cmd.StdinPipe()
		if err == nil {
			err = cmd.Start()
		}
		if err != nil {
			t.Fatal(err)
		}
		// The pipe takes a byte more once the rest has been read but for its own buffer.
		if _, err := in.Write(good[:int(share*float64(len(good)))]); err != nil {
			t.Fatal(err)
		}
		if err := cmd.Process.Signal(syscall.SIGKILL); err != nil {
			t.Fatal(err)
		}
		_ = cmd.Wait()
		now := published(t, store)
		for name, sum := range before {
			if now[name] != sum {
				t.Errorf("killed after %.0f%%: %s has changed", 100*share, name)
			}
		}
	}
	if s := scrapeAll(t, theirs, bob); s.Added+s.Changed+s.Removed > 0 || s.Rebuilt {
		t.Errorf("scraped %+v", s)
	}
	if now := published(t, store); now["current"] != before["current"] {
		t.Error("another index is published")
	}
}

// An interrupted import leaves nothing behind.
func TestCancelledImport(t *testing.T) {
	private, trusted := newKey(t)
	ada, bob := t.TempDir(), t.TempDir()
	dir := newRepository(t)
	scrapeAll(t, dir, ada)
	good := pack(t, placeAt(t, dir, ada), Options{Key: private})
	theirs := clone(t, dir)
	scrapeAll(t, theirs, bob)
	p := placeAt(t, theirs, bob)
	before := published(t, p.Store)
	ctx, cancel := context.WithCancel(t.Context())
	r := io.MultiReader(bytes.NewReader(good[:len(good)/2]), readerFunc(func([]byte) (int, error) {
		cancel()
		return 0, nil
	}), bytes.NewReader(good[len(good)/2:]))
	if _, err := Import(ctx, p, r, Trust{Keys: trusted}, func(error) {}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if now := published(t, p.Store); !maps.Equal(now, before) {
		t.Errorf("the index was %v and is %v", before, now)
	}
}

type readerFunc func([]byte) (int, error)

func (f readerFunc) Read(b []byte) (int, error) {
	if n, err := f(b); n > 0 || err != nil {
		return n, err
	}
	return 0, io.EOF
}

func TestTags(t *testing.T) {
	v := project.OwnVersions()
	seen := map[string]bool{}
	for _, x := range []struct {
		commit string
		v      project.Versions
	}{
		{"a", v},
		{"b", v},
		{"a", project.Versions{Format: v.Format + 1, Extractor: v.Extractor, Model: v.Model}},
		{"a", project.Versions{Format: v.Format, Extractor: "0", Model: v.Model}},
		{"a", project.Versions{Format: v.Format, Extractor: v.Extractor, Model: "m"}},
	} {
		seen[tagOf(x.commit, x.v)] = true
	}
	if len(seen) != 5 || len(tagOf(strings.Repeat("a", 64), v)) > 128 {
		t.Errorf("tags %v", seen)
	}
}

func TestLoopback(t *testing.T) {
	for address, want := range map[string]bool{
		"localhost": true, "localhost:5000": true, "127.0.0.1:5000": true, "[::1]:5000": true, "ghcr.io": false,
		"localhost.example.org": false, "127.0.0.1.example.org:80": false, "10.0.0.1:5000": false,
	} {
		if isLoopback(address) != want {
			t.Errorf("%s: %v", address, !want)
		}
	}
}
