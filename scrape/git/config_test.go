package git

import (
	"path/filepath"
	"strings"
	"testing"
)

const sample = `# first
[core]
	bare = false ; said twice
	bare = yes
  worktree = "../a b ; c" # quoted
[Remote "Origin of \"x\""] promisor
	url = a\tb\\c   d
	fetch = one \
two
[extensions]
	partialClone = origin
	worktreeConfig
[empty]
	nothing =
	last = end`

func TestConfigAgreesWithGit(t *testing.T) {
	name := filepath.Join(t.TempDir(), "config")
	historyWrite(t, name, sample)
	want := config{}
	for _, entry := range strings.Split(strings.TrimSuffix(git(t, filepath.Dir(name), "config", "-f", name, "--list",
		"-z"), "\x00"), "\x00") {
		key, value, given := strings.Cut(entry, "\n")
		if !given {
			value = "true"
		}
		want[key] = value
	}
	got := config{}
	got.readSettings(name)
	check(t, "settings", got, want)
	if !got.is("core.bare") || got.is("empty.nothing") || got.is("no.such") {
		t.Errorf("is: %v", got)
	}
}

func FuzzConfig(f *testing.F) {
	f.Add(sample)
	f.Add("[a \"")
	f.Add("[a]b=\"\\")
	f.Fuzz(func(t *testing.T, text string) {
		c := config{}
		c.parse(text)
		for key := range c {
			if !strings.Contains(key, ".") {
				t.Errorf("a key without a section: %q", key)
			}
		}
	})
}
