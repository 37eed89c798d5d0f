package project

import (
	"os"
	"path/filepath"
	"testing"

	"patina/registry"
)

func TestLocateFindsProjectAndStore(t *testing.T) {
	tmp, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	home := filepath.Join(tmp, StoreName)
	for _, dir := range []string{
		home, filepath.Join(tmp, "a", StoreName), filepath.Join(tmp, "a", "b"), filepath.Join(tmp, "c", "d"),
	} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	in := func(parts ...string) string { return filepath.Join(append([]string{tmp}, parts...)...) }
	if _, err := registry.Register(home, in("a"), in("a", StoreName)); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ dir, given, root, store string }{
		{in("a"), "", in("a"), in("a", StoreName)},
		{in("a", "b"), "", in("a"), in("a", StoreName)},
		{in("c", "d"), "", in("c", "d"), in("c", "d", StoreName)}, // ~/.patina is not a store
		{in("c"), in("x"), in("c"), in("x")},
		{tmp, in("x"), tmp, in("x")},
	} {
		root, store, err := locate(c.dir, c.given, home)
		if err != nil || root != c.root || store != c.store {
			t.Errorf("locate(%q, %q) = %q, %q, %v; want %q, %q", c.dir, c.given, root, store, err, c.root, c.store)
		}
	}
	for _, given := range []string{"", home, home + "/."} {
		if _, store, err := locate(tmp, given, home); err == nil {
			t.Errorf("the home was taken for a store: %q", store)
		}
	}
}

func TestNarrow(t *testing.T) {
	home := t.TempDir()
	t.Setenv("HOME", home)
	if narrow("/") == nil || narrow(home) == nil {
		t.Error("the whole machine, or all of a user, is taken for a project")
	}
	if err := narrow(filepath.Join(home, "app")); err != nil {
		t.Error(err)
	}
}
