package git

import (
	"bufio"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestBlame(t *testing.T) {
	dir := t.TempDir()
	ran := filepath.Join(t.TempDir(), "ran")
	commit := func(text, subject string) string {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, "a b.txt"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		do(t, dir, "add", "-A")
		do(t, dir, "commit", "-q", "-m", subject)
		return strings.TrimSpace(do(t, dir, "rev-parse", "HEAD"))
	}
	do(t, dir, "init", "-q")
	first := commit("one\ntwo\nthree\n", "the first")
	second := commit("one\n2\nthree\n\n\tfour", "the second")
	// A converter of texts may be named by the repository. It must not run.
	do(t, dir, "config", "diff.x.textconv", "touch "+ran+";cat")
	if err := os.WriteFile(filepath.Join(dir, ".gitattributes"), []byte("* diff=x\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	tree, err := Find(dir)
	if err != nil {
		t.Fatal(err)
	}
	got, err := tree.Blame(t.Context(), second, "a b.txt", 1, 100)
	if err != nil {
		t.Fatal(err)
	}
	for n, want := range map[int][3]string{
		1: {first, "one", "the first"}, 2: {second, "2", "the second"}, 3: {first, "three", "the first"},
		4: {second, "", "the second"}, 5: {second, "\tfour", "the second"},
	} {
		if b := got[n]; b.SHA != want[0] || b.Text != want[1] || b.Subject != want[2] || b.Author == "" || b.Time.IsZero() {
			t.Errorf("line %d: %+v, want %q", n, b, want)
		}
	}
	if len(got) != 5 {
		t.Errorf("%d lines", len(got))
	}
	if part, err := tree.Blame(t.Context(), second, "a b.txt", 2, 2); err != nil || len(part) != 1 || part[2].Text != "2" {
		t.Errorf("%v, %v", part, err)
	}
	for _, x := range []struct {
		head, path  string
		first, last int
	}{
		{"HEAD", "a b.txt", 1, 1},
		{second, "none", 1, 1},
		{second, "../a b.txt", 1, 1},
		{second, "", 1, 1},
		{second, "a b.txt", 2, 1},
		{second, "a b.txt", 0, 1},
		{second, "a\nb", 1, 1},
		{strings.Repeat("0", 40), "a b.txt", 1, 1},
	} {
		if got, err := tree.Blame(t.Context(), x.head, x.path, x.first, x.last); err == nil {
			t.Errorf("%+v: %v", x, got)
		}
	}
	if _, err := os.Stat(ran); err == nil {
		t.Error("the repository's converter has run")
	}
}

func FuzzReadBlame(f *testing.F) {
	id := strings.Repeat("a", 40)
	f.Add(id + " 1 1 1\nauthor A\ncommitter-time 1\nsummary s\n\tline\n" + id + " 2 2\n\tnext\n")
	f.Add("\tline\n")
	f.Add(id + " 1 x\n")
	f.Fuzz(func(t *testing.T, text string) {
		lines := map[int]Blamed{}
		if err := readBlame(bufio.NewReader(strings.NewReader(text)), lines); err != nil {
			return
		}
		for n, b := range lines {
			if n < 1 || !isID(b.SHA) || strings.Contains(b.Text, "\n") {
				t.Errorf("line %d: %+v", n, b)
			}
		}
	})
}
