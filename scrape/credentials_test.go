package scrape

import (
	"context"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"patina/scrape/content"
	"patina/scrape/scrapetest"
	"patina/store"
	"patina/store/doc"
)

// begin_ returns a key's first line. Its parts are joined here because no scanner should take this
// file for a leak.
func begin_(kind string) string { return "-----BEGIN " + kind + "PRIVATE" + " KEY-----" }

// secretTree has two credentials and two other files.
func secretTree(t *testing.T) (root, dir string) {
	t.Helper()
	root, dir = t.TempDir(), t.TempDir()
	scrapetest.Tree(t, root, map[string]string{
		"a.go": "package a\n", "README.md": "# Tea\n",
		".env": "TOKEN=walrus\n", "notes/deploy.txt": begin_("OPENSSH ") + "\n" + strings.Repeat("b3BlbnNzaC1r", 20) +
			"\n",
	})
	return root, dir
}

// heldFiles returns the store's files, by path.
func heldFiles(t *testing.T, dir string) map[string]doc.FileState {
	t.Helper()
	s, err := store.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	p, err := s.Pin(context.Background(), 1)
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	states, err := p.Readers[0].States(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return states
}

func mustHold(t *testing.T, dir string, want ...string) {
	t.Helper()
	if got := slices.Sorted(maps.Keys(heldFiles(t, dir))); !slices.Equal(got, want) {
		t.Errorf("the store holds %q, want %q", got, want)
	}
}

func mustBeFresh(t *testing.T, root, dir string, secrets bool) {
	t.Helper()
	p, err := Compare(context.Background(), root, dir, heldFiles(t, dir), time.Time{})
	if err != nil {
		t.Fatal(err)
	}
	if p.Files() != 0 || p.Secrets != secrets {
		t.Errorf("compared: %+v", p)
	}
}

// Credentials must stay out of an index that is built or updated, unless the option is set. They
// must be removed when it no longer is. A comparison with the tree uses the last scrape's options.
func TestCredentialsStayOut(t *testing.T) {
	root, dir := secretTree(t)
	o := Options{Root: root, StoreDir: dir}
	with := o
	with.IncludeSecrets = true
	for round := range 2 {
		for range 2 {
			s := scrape(t, o)
			if s.Skipped[content.Credentials] != 1 || s.Skipped[content.PrivateKey] != 1 {
				t.Errorf("skipped %v", s.Skipped)
			}
			mustHold(t, dir, "README.md", "a.go")
			mustBeFresh(t, root, dir, false)
		}
		if text := dump(t, dir); strings.Contains(text, "walrus") {
			t.Error("a word of a credential is in the index")
		}
		for i := range 2 {
			s := scrape(t, with)
			if s.Skipped[content.Credentials]+s.Skipped[content.PrivateKey] != 0 || i == 0 && s.Added != 2 ||
				i == 1 && s.Unchanged != 4 {
				t.Errorf("round %d: %+v", round, s)
			}
			mustHold(t, dir, ".env", "README.md", "a.go", "notes/deploy.txt")
			mustBeFresh(t, root, dir, true)
		}
	}
	s := scrape(t, o)
	if s.Removed != 2 {
		t.Errorf("removed %d", s.Removed)
	}
	mustHold(t, dir, "README.md", "a.go")
}

// An updated store must equal a fresh one, with credentials and without.
func TestCredentialsUpdatedEqualFresh(t *testing.T) {
	root, dir := secretTree(t)
	for _, secrets := range []bool{false, true, true, false} {
		scrape(t, Options{Root: root, StoreDir: dir, IncludeSecrets: secrets})
		fresh := t.TempDir()
		scrape(t, Options{Root: root, StoreDir: fresh, IncludeSecrets: secrets})
		if got, want := dump(t, dir), dump(t, fresh); got != want {
			t.Errorf("with secrets %v: %s", secrets, firstDifference(got, want))
		}
	}
}

// A file that becomes a credential must be removed, and one that is no longer a credential added.
// Compare shows both.
func TestCredentialsComeAndGo(t *testing.T) {
	root, dir := secretTree(t)
	o := Options{Root: root, StoreDir: dir}
	scrape(t, o)
	scrapetest.Tree(t, root, map[string]string{
		"README.md":        begin_("RSA ") + "\n" + strings.Repeat("MIIEvQIBADAN", 20) + "\n",
		"notes/deploy.txt": "make deploy\n",
	})
	p, err := Compare(context.Background(), root, dir, heldFiles(t, dir), time.Time{})
	if err != nil || p.Removed != 1 || p.Added != 1 || p.Changed != 0 {
		t.Errorf("compared: %+v, %v", p, err)
	}
	scrape(t, o)
	mustHold(t, dir, "a.go", "notes/deploy.txt")
	mustBeFresh(t, root, dir, false)
}

// A credential that is named must still be left out, and read with the option. The others must stay
// unchanged.
func TestCredentialsByFile(t *testing.T) {
	root, dir := secretTree(t)
	o := Options{Root: root, StoreDir: dir}
	scrape(t, o)
	o.Files = []string{".env"}
	if s := scrape(t, o); s.Skipped[content.Credentials] != 1 {
		t.Errorf("skipped %v", s.Skipped)
	}
	mustHold(t, dir, "README.md", "a.go")
	o.IncludeSecrets = true
	scrape(t, o)
	mustHold(t, dir, ".env", "README.md", "a.go")
	mustBeFresh(t, root, dir, true)
	o.Files, o.IncludeSecrets = []string{"a.go"}, false
	scrape(t, o)
	mustHold(t, dir, ".env", "README.md", "a.go")
	o.Files = []string{".env"}
	scrape(t, o)
	mustHold(t, dir, "README.md", "a.go")
}
