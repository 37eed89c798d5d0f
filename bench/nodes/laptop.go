package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"patina/wire/pki"
)

// A laptop is a user who runs the command, with a home and a project.
type laptop struct {
	cluster *cluster
	home    string
	project string
	mother  string // address of the front; "" for none
}

// newLaptop makes a user with a certificate, who knows the front.
func (c *cluster) newLaptop(name, project string) (*laptop, error) {
	home := filepath.Join(c.dir, "laptops", name)
	if _, err := c.certify(filepath.Join(home, "certificates"), pki.User, name); err != nil {
		return nil, err
	}
	l := &laptop{cluster: c, home: home, project: project}
	if c.front != nil {
		l.mother = c.front.address
	}
	return l, nil
}

// A ran is what a command has printed and how it has ended.
type ran struct {
	out, errs string
	code      int
	took      time.Duration
}

// run runs the command in the project.
func (l *laptop) run(ctx context.Context, args ...string) (ran, error) {
	cmd := exec.CommandContext(ctx, l.cluster.bench.patina, args...)
	var out, errs bytes.Buffer
	cmd.Dir, cmd.Stdout, cmd.Stderr = l.project, &out, &errs
	cmd.Env = homeEnv(l.home)
	if l.mother != "" {
		cmd.Env = append(cmd.Env, "PATINA_MOTHER="+l.mother)
	}
	began := time.Now()
	err := cmd.Run()
	r := ran{out.String(), errs.String(), cmd.ProcessState.ExitCode(), time.Since(began)}
	if _, ok := errors.AsType[*exec.ExitError](err); ok {
		err = nil
	}
	return r, err
}

// do runs the command, which must exit with 0.
func (l *laptop) do(ctx context.Context, args ...string) (string, error) {
	r, err := l.run(ctx, args...)
	if err == nil && r.code != 0 {
		err = fmt.Errorf("patina %s: exit %d: %s%s", strings.Join(args, " "), r.code, r.out, r.errs)
	}
	return r.out, err
}

// strict asks by the command while nobody answers for a repository.
func (p *pair) strict(ctx context.Context, l *laptop, t *table) error {
	named, partial, quick := 0, 0, time.Duration(0)
	const n = 10
	for i := range n {
		r, err := l.run(ctx, "scry", "--no-refresh", "--all-repos", "--strict", p.single[i])
		if err != nil {
			return err
		}
		if strings.Contains(r.out+r.errs, "node-a down since") {
			named++
		}
		if r.code == 3 {
			partial++
		}
		quick = max(quick, r.took)
	}
	t.add("patina scry --all-repos --strict: exit 3; names the node; most time", fmt.Sprintf("%s; %s; %s",
		mark(partial == n, fmt.Sprintf("%d of %d", partial, n)), mark(named == n, fmt.Sprintf("%d of %d", named, n)), duration(quick)))
	return nil
}

// linked returns a laptop with a small project that has an edge to the repository of one node.
func (p *pair) linked(ctx context.Context) (*laptop, error) {
	dir, err := p.project(ctx)
	if err != nil {
		return nil, err
	}
	l, err := p.newLaptop("laptop", dir)
	if err != nil {
		return nil, err
	}
	for _, args := range [][]string{
		{"repo", "add", "."}, {"repo", "add", "--from-mother", p.one.Name}, {"repo", "link", "project", filepath.Base(p.one.Name), "USES"},
	} {
		if _, err := l.do(ctx, args...); err != nil {
			return nil, err
		}
	}
	return l, nil
}

// project makes the project of a user, with one file.
func (c *cluster) project(ctx context.Context) (dir string, err error) {
	dir = filepath.Join(c.dir, "project")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", err
	}
	main := "package main\n\n// main runs the commands of the program.\nfunc main() {}\n"
	if err := os.WriteFile(filepath.Join(dir, "main.go"), []byte(main), 0o644); err != nil {
		return "", err
	}
	if _, err := output(ctx, dir, "git", "init", "-q"); err != nil {
		return "", err
	}
	return dir, commit(ctx, dir, "a first version", 0, "main.go")
}
