package act

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"patina/bench/eval"
	"patina/scrape/git"
)

// A Source is the repository to copy, and the program to measure.
type Source struct {
	gitDir, commit string
	program, work  string
}

// NewSource returns the current commit of the repository at root as a source. program is the path
// of the patina to measure, work an empty folder for the copies.
func NewSource(root, program, work string) (Source, error) {
	tree, err := git.Find(root)
	if err != nil {
		return Source{}, fmt.Errorf("find the repository to copy: %w", err)
	}
	commit, _, err := tree.Head()
	if err == nil && commit == "" {
		err = errors.New("it has no commit")
	}
	if err != nil {
		return Source{}, fmt.Errorf("find the commit to copy: %w", err)
	}
	return Source{tree.CommonDir, commit, program, work}, nil
}

// A place is a copy of a repository at a commit, with a home of its own.
type place struct {
	root, home string
	env        []string
	patina     string
}

// newPlace makes a copy below a name and scrapes it.
func newPlace(ctx context.Context, s Source, name string) (*place, error) {
	p := &place{
		root: filepath.Join(s.work, name, "tree"), home: filepath.Join(s.work, name, "home"),
		patina: filepath.Join(s.work, "bin", "patina"),
	}
	if err := os.MkdirAll(p.home, 0o700); err != nil {
		return nil, err
	}
	if err := linkProgram(s.program, p.patina); err != nil {
		return nil, err
	}
	if err := eval.Checkout(ctx, s.gitDir, s.commit, p.root); err != nil {
		return nil, err
	}
	p.env = append(slices.DeleteFunc(os.Environ(), func(v string) bool {
		return strings.HasPrefix(v, "PATINA_") && !strings.HasPrefix(v, "PATINA_HOOK_TIMEOUT=") || strings.HasPrefix(v, "PATH=")
	}), "PATINA_HOME="+p.home, "PATH="+filepath.Dir(p.patina)+string(filepath.ListSeparator)+os.Getenv("PATH"))
	_, err := p.run(ctx, nil, "scrape")
	return p, err
}

// linkProgram makes a link called patina, so that hooks find the measured program by its name.
func linkProgram(program, link string) error {
	if _, err := os.Lstat(link); err == nil {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(link), 0o700); err != nil {
		return err
	}
	return os.Symlink(program, link)
}

// A ran is one run of patina.
type ran struct {
	out  string
	used time.Duration // processor time, user and system
	took time.Duration
}

// run runs patina in the copy. The error has its last words.
func (p *place) run(ctx context.Context, input []byte, args ...string) (ran, error) {
	c := exec.CommandContext(ctx, p.patina, args...)
	c.Dir, c.Env, c.Stdin = p.root, p.env, bytes.NewReader(input)
	var out, errs bytes.Buffer
	c.Stdout, c.Stderr = &out, &errs
	began := time.Now()
	err := c.Run()
	r := ran{out: out.String(), took: time.Since(began)}
	if c.ProcessState != nil {
		r.used = c.ProcessState.UserTime() + c.ProcessState.SystemTime()
	}
	if err != nil {
		return r, fmt.Errorf("patina %s: %w: %s", strings.Join(args, " "), err, lastWords(errs.String()))
	}
	return r, nil
}

// shell runs a command line of the user in the copy, with further variables. It returns the output,
// and an error if the command fails or takes too long. Then it is stopped with its children.
func (p *place) shell(ctx context.Context, line string, limit time.Duration, env ...string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	c := exec.CommandContext(ctx, "sh", "-c", line)
	c.Dir, c.Env = p.root, append(slices.Clone(p.env), env...)
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	c.Cancel = func() error { return syscall.Kill(-c.Process.Pid, syscall.SIGKILL) }
	c.WaitDelay = time.Second
	out, err := c.CombinedOutput()
	if ctx.Err() != nil {
		err = fmt.Errorf("not done after %s", limit)
	}
	return lastWords(string(out)), err
}

// maxWords bounds the output of a program in a report, in bytes.
const maxWords = 300

func lastWords(s string) string {
	s = strings.Join(strings.Fields(strings.ToValidUTF8(s, "")), " ")
	return strings.ToValidUTF8(s[max(0, len(s)-maxWords):], "")
}
