package train

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"patina/oracles/embed"
)

// mirror makes a git repository of files in the layout of a local mirror, and returns its commit.
func mirror(t *testing.T, mirrors, name string, files map[string]string) string {
	t.Helper()
	work := t.TempDir()
	for path, text := range files {
		full := filepath.Join(work, path)
		if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(full, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	dir := filepath.Join(mirrors, strings.ReplaceAll(name, "/", "+"), "repo")
	var commit []byte
	for _, args := range [][]string{
		{"init", "--quiet", "--bare", dir},
		{"--git-dir=" + dir, "--work-tree=" + work, "add", "."},
		{
			"--git-dir=" + dir, "--work-tree=" + work, "-c", "user.name=a", "-c", "user.email=a@b",
			"-c", "commit.gpgsign=false", "commit", "--quiet", "-m", "files",
		},
		{"--git-dir=" + dir, "rev-parse", "HEAD"},
	} {
		cmd := exec.Command("git", args...)
		cmd.Dir = work
		cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_SYSTEM="+os.DevNull)
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("git %s: %v: %s", args, err, out)
		}
		commit = out
	}
	return strings.TrimSpace(string(commit))
}

// wheels returns n files with fifty documented functions each, about different things.
func wheels(t *testing.T, n int) map[string]string {
	files := map[string]string{
		"LICENSE": string(licenceText(t, "mit")), "package-lock.json": "{}",
		"big.go": "package a\n\n// " + strings.Repeat("x", mostBytes),
	}
	things := strings.Fields("wheel engine mirror brake clutch window door seat radio light battery pump filter " +
		"sensor switch valve spring bearing")
	for f := range n {
		text := "package a\n\n"
		for k := range 50 {
			a, b := things[(f+k)%len(things)], things[(f*7+k*5)%len(things)]
			const function = "// Join%d puts the %s of car %d on its %s.\n" +
				"func Join%d(%s Part, n int) error {\n\treturn mount(%s, cars[%d].%s, n+%d)\n}\n\n"
			text += fmt.Sprintf(function,
				k, a, f, b, k, a, a, f, b, k)
		}
		files[fmt.Sprintf("part%d/file.go", f)] = text
	}
	return files
}

func readAll(t *testing.T, sources []Source, mirrors string) *Corpus {
	t.Helper()
	c, err := Read(context.Background(), sources, Options{
		Cache: t.TempDir(), Mirrors: mirrors, Windows: NewWindows(), Log: io.Discard,
	})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// Every step on a small corpus, twice, must give the same table, and a better one than chance.
func TestRun(t *testing.T) {
	mirrors := t.TempDir()
	sources := []Source{
		{"some/cars", mirror(t, mirrors, "some/cars", wheels(t, 60)), "MIT", false},
		{"other/cars", mirror(t, mirrors, "other/cars", wheels(t, 90)), "MIT", true},
	}
	train := func() (*Corpus, *embed.Table) {
		c := readAll(t, sources, mirrors)
		if len(c.examples) != 3000 || len(c.held) != 1500 || c.Manifest[0].Files != 60 || c.Manifest[1].Copies != 3000 {
			t.Fatalf("%d examples, %d held: %+v", len(c.examples), len(c.held), c.Manifest)
		}
		words, err := c.Vocabulary(400)
		if err != nil {
			t.Fatal(err)
		}
		kept := 0
		keep := func(int, *embed.Table) error { kept++; return nil }
		table, err := run(context.Background(), c, words, 6, 4, io.Discard, keep)
		if err != nil || kept != 0 {
			t.Fatalf("error %v, %d tables kept", err, kept)
		}
		return c, table
	}
	c, table := train()
	if _, again := train(); !bytes.Equal(table.Bytes(), again.Bytes()) {
		t.Error("the same sources and seed give another table")
	}
	whole, _ := Evaluate(c, table, io.Discard)
	if whole.Questions != 1000 || whole.Table < 0.02 || whole.BM25 < 0.02 { // chance is 0.007
		t.Errorf("evaluation %+v", whole)
	}
	var manifest bytes.Buffer
	if err := WriteManifest(&manifest, c, table, 6); err != nil {
		t.Fatal(err)
	}
	for _, s := range sources {
		if !strings.Contains(manifest.String(), s.Name) || !strings.Contains(manifest.String(), s.Version) {
			t.Errorf("manifest without %s:\n%s", s.Name, &manifest)
		}
	}
}

func TestSourcesThatCannotBeRead(t *testing.T) {
	mirrors := t.TempDir()
	free := mirror(t, mirrors, "a/free", map[string]string{
		"LICENSE": string(licenceText(t, "mit")), "a.go": "package a\n",
	})
	bound := mirror(t, mirrors, "a/bound", map[string]string{
		"COPYING": string(licenceText(t, "gpl-notice")), "a.go": "package a\n",
	})
	none := mirror(t, mirrors, "a/none", map[string]string{"a.go": "package a\n"})
	for _, test := range []struct {
		source Source
		want   string
	}{
		{Source{"a/free", free, "ISC", false}, `read source "a/free": licence is MIT, the list says ISC`},
		{Source{"a/bound", bound, "MIT", false}, `read source "a/bound": licence "GPL`},
		{Source{"a/none", none, "MIT", false}, `read source "a/none": no licence file`},
		{Source{standard, "go0.1", "BSD-3-Clause", false}, `the list has go0.1 (hint: set GOTOOLCHAIN=go0.1)`},
	} {
		_, err := Read(context.Background(), []Source{test.source}, Options{
			Cache: t.TempDir(), Mirrors: mirrors, Windows: NewWindows(), Log: io.Discard,
		})
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: error %v, want %q", test.source.Name, err, test.want)
		}
	}
	c := readAll(t, []Source{{"a/free", free, "MIT", false}}, mirrors)
	words, err := c.Vocabulary(Pieces)
	if err != nil {
		t.Fatal(err)
	}
	_, err = Run(context.Background(), c, words, 1, io.Discard, nil)
	if err == nil || !strings.Contains(err.Error(), "too few pairs") {
		t.Errorf("training on nothing: %v", err)
	}
}
