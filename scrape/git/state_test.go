package git

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"testing"
)

func TestState(t *testing.T) {
	dir := newRepo(t)
	for _, m := range []string{"one", "two", "three"} {
		commit(t, dir, m, "a", m)
	}
	git(t, dir, "config", "uploadpack.allowFilter", "true")
	tree := find(t, dir)
	if tree.Shallow() || tree.Sparse() || tree.Partial() {
		t.Error("a whole repository: shallow, sparse or partial")
	}
	clones := t.TempDir()
	git(t, clones, "clone", "-q", "--depth=1", "file://"+dir, "shallow")
	git(t, clones, "clone", "-q", "--filter=blob:none", "file://"+dir, "partial")
	git(t, dir, "sparse-checkout", "set", "x")
	if !find(t, filepath.Join(clones, "shallow")).Shallow() {
		t.Error("Shallow() = false for a shallow clone")
	}
	if !find(t, filepath.Join(clones, "partial")).Partial() {
		t.Error("Partial() = false for a partial clone")
	}
	if !tree.Sparse() {
		t.Error("Sparse() = false for a sparse checkout")
	}
	git(t, dir, "sparse-checkout", "disable")
	if tree.Sparse() {
		t.Error("Sparse() = true, disabled again")
	}
}

func TestBehind(t *testing.T) {
	ctx := context.Background()
	dir := newRepo(t)
	one := commit(t, dir, "one", "a", "1")
	two := commit(t, dir, "two", "a", "2")
	three := commit(t, dir, "three", "a", "3")
	git(t, dir, "checkout", "-q", "-b", "side", one)
	side := commit(t, dir, "side", "b", "1")
	unknown := strings.Repeat("a", 40)
	tree := find(t, dir)
	for _, test := range []struct {
		from, to string
		behind   int
	}{
		{one, three, 2},
		{one, one, 0},
		{three, one, 0},
		{side, three, 2},
		{unknown, three, -1},
		{"", three, -1},
		{"--all", three, -1},
		{one, unknown, -1},
	} {
		n, err := tree.Behind(ctx, test.from, test.to)
		if n != test.behind || err != nil {
			t.Errorf("Behind(%q, %q) = %d, %v, want %d", test.from, test.to, n, err, test.behind)
		}
	}
	historyLose(t, dir, two)
	if n, err := tree.Behind(ctx, one, three); n != -1 || err != nil {
		t.Errorf("a commit is missing: Behind = %d, %v", n, err)
	}
	cancelled, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := tree.Behind(cancelled, one, three); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

func TestTags(t *testing.T) {
	dir := newRepo(t)
	tree := find(t, dir)
	tags := func() map[string][]string {
		t.Helper()
		got, err := tree.Tags(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
	check(t, "none", tags(), nil)
	one := commit(t, dir, "one", "a", "1")
	two := commit(t, dir, "two", "a", "2")
	git(t, dir, "tag", "light", one)
	git(t, dir, "tag", "-a", "-m", "note", "v1/annotated", one)
	git(t, dir, "tag", "-a", "-m", "nested", "nested", "v1/annotated")
	git(t, dir, "tag", "-a", "-m", "x", "日本", two)
	git(t, dir, "tag", "a-tree", two+"^{tree}")
	git(t, dir, "tag", "-a", "-m", "x", "gone", two)
	git(t, dir, "branch", "no-tag", two)
	want := map[string][]string{one: {"light", "nested", "v1/annotated"}, two: {"gone", "日本"}}
	check(t, "loose", tags(), want)
	historyLose(t, dir, "refs/tags/gone")
	want[two] = []string{"日本"}
	check(t, "one lost", tags(), want)
	git(t, dir, "tag", "-d", "gone")
	git(t, dir, "pack-refs", "--all")
	check(t, "packed", tags(), want)
}
