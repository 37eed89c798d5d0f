package main

import (
	"archive/tar"
	"compress/gzip"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"patina/cmd/internal/cli"
)

// unpackUpgrade unpacks an archive below testdata/upgrade. Each was made by the version of its
// format: a repository with its index, and a home with a note of both scopes, two repositories and
// an edge.
func unpackUpgrade(t *testing.T, name, into string) {
	t.Helper()
	f, err := os.Open(filepath.Join("testdata", "upgrade", name))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	for r := tar.NewReader(z); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(into, filepath.FromSlash(h.Name))
		if h.FileInfo().IsDir() {
			err = os.MkdirAll(path, 0o700)
		} else if err = os.MkdirAll(filepath.Dir(path), 0o700); err == nil {
			var content []byte
			if content, err = io.ReadAll(r); err == nil {
				err = os.WriteFile(path, content, 0o600)
			}
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// move tells the record of the unpacked index where it is now. The record counts, because it is
// newer than its row in mother.db.
func move(t *testing.T, home, root string) {
	t.Helper()
	id, err := os.ReadFile(filepath.Join(root, ".patina", "project"))
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(home, "projects", strings.TrimSpace(string(id)), "project.json")
	content, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	var r struct {
		ID     string           `json:"id"`
		Name   string           `json:"name"`
		Root   string           `json:"root"`
		Stores []map[string]any `json:"stores"`
	}
	info, err := os.Stat(filepath.Join(root, ".patina"))
	if err == nil {
		err = json.Unmarshal(content, &r)
	}
	if err != nil || len(r.Stores) != 1 {
		t.Fatalf("%v: %s", err, content)
	}
	r.Root, r.Stores[0]["path"] = root, filepath.Join(root, ".patina")
	r.Stores[0]["inode"] = info.Sys().(*syscall.Stat_t).Ino
	if content, err = json.Marshal(r); err == nil {
		err = os.WriteFile(name, content, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// Of an index of an earlier format a scrape says that it is built anew. Everything that a user
// wrote is still there.
func TestUpgradeFromEarlierFormats(t *testing.T) {
	for _, name := range []string{"format8.tar.gz", "format9.tar.gz"} {
		t.Run(name, func(t *testing.T) {
			r := layStart(t, func(_ *testing.T, r startRepo) { r.write(map[string]string{"b.go": "package b\n"}) })
			dir := filepath.Dir(r.root)
			if err := os.RemoveAll(os.Getenv("PATINA_HOME")); err != nil {
				t.Fatal(err)
			}
			unpackUpgrade(t, name, dir)
			r.root = filepath.Join(dir, "app")
			r.write(map[string]string{"a.go": "package app\n\n// Pour pours tea.\nfunc Pour() {}\n"})
			r.git("init", "-q", "-b", "main")
			move(t, os.Getenv("PATINA_HOME"), r.root)
			t.Chdir(r.root)

			_, errs, code := outputOf([]string{"scry", "what pours tea"}, "")
			if code != cli.ExitError || !strings.Contains(errs, "written by an older patina") ||
				!strings.Contains(errs, "patina scrape") {
				t.Errorf("before a scrape: exit %d\n%s", code, errs)
			}
			if out := r.command("", "scrape", "--no-adapt"); strings.Count(out, "note: rebuilt: index was written by an older patina\n") != 1 {
				t.Errorf("the scrape says %s", out)
			}
			for _, x := range []struct {
				args string
				want []string
			}{
				{"scry what pours tea", []string{"a.go:3"}},
				{"memory list", []string{"the kettle is small"}},
				{"memory recall kettle", []string{"the kettle is small"}},
				{"memory list --everywhere", []string{"I like tea"}},
				{"repo list", []string{"app ", "lib "}},
				{"repo list --edges", []string{"app USES lib"}},
			} {
				out := r.command("", strings.Fields(x.args)...)
				for _, want := range x.want {
					if !strings.Contains(out, want) {
						t.Errorf("patina %s lacks %q:\n%s", x.args, want, out)
					}
				}
			}
			if out := r.command("", "scrape", "--no-adapt"); strings.Contains(out, "rebuilt") {
				t.Errorf("a second scrape says %s", out)
			}
		})
	}
}
