package main

import (
	"context"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"patina/ask/project"
	"patina/registry/mother"
	"patina/wire/nodepb"
	"patina/wire/serve"
)

// A far is a pair whose lib is also answered for by a node, under the name farName. A user with
// another home knows it from there only.
type far struct {
	*pair
	near   *pair // the same app, with lib registered on this machine
	server *serve.Server
}

const farName = "git.example.com/team/lib"

func layFarPair(t *testing.T) *far {
	t.Helper()
	near := layPair(t)
	dir := filepath.Join(t.TempDir(), "far")
	f := &far{near: near, pair: &pair{t: t, home: filepath.Join(dir, "home"), app: filepath.Join(dir, "app")}}
	check(t, os.CopyFS(f.app, os.DirFS(near.app)))
	check(t, os.RemoveAll(filepath.Join(f.app, ".patina")))
	t.Setenv("PATINA_HOME", near.home)
	p, err := project.At(near.lib, "")
	check(t, err)
	e, err := project.Open(t.Context(), p, 0)
	check(t, err)
	t.Cleanup(func() { check(t, e.Close(context.Background())) })
	target, err := e.Target(p.Name)
	check(t, err)
	b := serve.NewEngine(e)
	check(t, b.Host(&nodepb.Hosted{Repository: farName, Channels: target.Channels()}, p.Name))
	f.server = serve.New(serve.Options{Backend: b, Version: "test"})
	l, err := net.Listen("tcp", "127.0.0.1:0")
	check(t, err)
	done := make(chan error, 1)
	go func() { done <- f.server.Serve(l) }()
	t.Cleanup(func() {
		f.server.Stop()
		check(t, <-done)
	})
	t.Setenv("PATINA_MOTHER", l.Addr().String())
	f.good(f.app, "repo", "add", f.app)
	id, err := mother.AddFar(t.Context(), f.home, farName)
	check(t, err)
	check(t, mother.Put(t.Context(), f.home, mother.Repository{ID: id}))
	f.good(f.app, "repo", "link", "app", "lib", "USES")
	return f
}

var (
	variable = regexp.MustCompile(`q_\w+|\d+ ms|("(?:took_ms|elapsed_ms|ms)": ?)[\d.]+|no commits in the last .*`)
	ofFar    = regexp.MustCompile(`(?m)^from other machines: .*\n|^note: words are weighed .*\n`)
)

// plainAnswer returns an answer without what differs from call to call, and without what only the
// answer of another machine says.
func plainAnswer(out string) string {
	return variable.ReplaceAllString(ofFar.ReplaceAllString(out, ""), "·")
}

// A repository on another machine answers byte for byte as if it were registered here: a question,
// a look-up, and the result of an earlier answer.
func TestFarRepositoryAnswersAsOneHere(t *testing.T) {
	f := layFarPair(t)
	for _, args := range [][]string{
		{"scry", "--no-refresh", "--repo", "lib", "where does a server start to listen"},
		{"scry", "--no-refresh", "--repo", "lib", "Port"},
		{"scry", "--no-refresh", "--repo", "lib", "--symbols", "Port"},
		{"show", "--repo", "lib", "start.go"},
		{"show", "--repo", "lib", "./start.go"},
		{"show", "--repo", "lib", "Port"},
		{"show", "--repo", "lib", "start.go:4"},
		{"show", "--repo", "lib", "gone.go"},
		{"show", "--repo", "lib", "session:20260101-120000#Goals"},
		{"show", "--repo", "lib", "--co-changes", "start.go"},
		{"grep", "--repo", "lib", "listen"},
		{"grep", "--repo", "lib", "--path", "start.go", "listen"},
		{"grep", "--repo", "lib", "--path", "other", "listen"},
		{"assay", "--repo", "lib", "functions", "Port"},
		{"assay", "--repo", "lib", "functions", "Prot"},
		{"callers", "--repo", "lib", "Port"},
		{"why", "--repo", "lib", "start.go"},
		{"recent", "--repo", "lib"},
		{"orient", "--repo", "lib"},
		{"context", "--repo", "lib"},
		{"context", "--repo", "lib", "--topic", "listening"},
		{"belief", "list", "--repo", "lib"},
		{"show", "--repo", "lib", "belief:none"},
	} {
		here, errs, code := f.near.run(f.near.app, args...)
		there, farErrs, farCode := f.run(f.app, args...)
		if plainAnswer(here+errs) != plainAnswer(there+farErrs) || code != farCode {
			t.Errorf("%s: %d\n%s%s\nthere %d:\n%s%s", strings.Join(args, " "), code, here, errs, farCode, there, farErrs)
		}
	}
	answer := f.good(f.app, "scry", "--no-refresh", "--repo", "lib", "Port")
	id, _, _ := strings.Cut(answer, " ")
	if out := f.good(f.app, "show", id, "1"); !strings.Contains(out, "func Port() {}") {
		t.Error(out)
	}
}

// A repository whose front is gone is named, with the front and the time, and costs less than a
// second.
func TestFarRepositoryWithoutItsFront(t *testing.T) {
	f := layFarPair(t)
	f.server.Stop()
	args := []string{"scry", "--no-refresh", "--repo", "lib", "how does the server start"}
	began := time.Now()
	out, errs, code := f.run(f.app, args...)
	if took := time.Since(began); code != 0 || took > 3*time.Second ||
		!regexp.MustCompile(`not searched: .*lib \(127\.0\.0\.1:\d+ down since [\d:]+ \(connection refused\)\)`).MatchString(out) {
		t.Errorf("%s: exit %d\n%s%s", took, code, out, errs)
	}
	if _, _, code := f.run(f.app, append(args, "--strict")...); code != 3 {
		t.Errorf("--strict: exit %d", code)
	}
	if _, errs, code := f.run(f.app, "show", "--repo", "lib", "start.go"); code != 2 || !strings.Contains(errs, "connection refused") {
		t.Errorf("exit %d: %s", code, errs)
	}
	t.Setenv("PATINA_MOTHER", "")
	out, errs, code = f.run(f.app, append(args, "--strict")...)
	if code != 3 || !strings.Contains(out, "no front is known") {
		t.Errorf("without a front: exit %d\n%s%s", code, out, errs)
	}
	t.Setenv("PATINA_MOTHER", "192.0.2.1:7470")
	if out, errs, code = f.run(f.app, args...); code != 0 || !strings.Contains(out, "there is no certificate") {
		t.Errorf("without a certificate: exit %d\n%s%s", code, out, errs)
	}
	t.Setenv("PATINA_MOTHER", "nonsense")
	if _, errs, code = f.run(f.app, args...); code != 2 || !strings.Contains(errs, "PATINA_MOTHER") {
		t.Errorf("nonsense: exit %d: %s", code, errs)
	}
}
