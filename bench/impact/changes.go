package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"patina/code/history"
	"patina/code/impact"
	"patina/scrape"
	"patina/store"
	"patina/store/doc"
)

type changeOptions struct {
	each, skip int
	dump       string
	verbose    bool
}

// A merged change must touch at least and at most so many files that its parent has.
const (
	fewestFiles = 2
	mostFiles   = 11
	shown       = 10 // files of a ranking that count
)

// A change is one commit of the first-parent history, as its parent sees it.
type change struct {
	repository, sha, parent string
	seed                    string   // the first file of code that is no test
	language                string   // of the seed
	others                  []string // the other files that the parent has
}

// measureChanges prints the recall of three rankings over all clones, and by language.
func measureChanges(ctx context.Context, o changeOptions, clones []string) error {
	var all []measured
	for _, clone := range clones {
		found, err := measureClone(ctx, o, clone)
		if err != nil {
			return fmt.Errorf("%s: %w", clone, err)
		}
		all = append(all, found...)
	}
	if o.dump != "" {
		if err := dump(o.dump, all); err != nil {
			return err
		}
	}
	reportChanges(os.Stdout, all)
	return nil
}

// A measured change has the evidence for its files, and a ranking for each method.
type measured struct {
	Repository, SHA, Seed, Language string
	Others                          []string
	Files                           []impact.File
	Rankings                        map[string][]string
}

// The methods that are compared.
const (
	byImpact   = "impact"
	byTogether = "co-change alone"
	byCallers  = "callers alone"
)

// measureClone walks the newest merged changes of a clone, oldest first, so that each scrape only
// reads what has changed, and no index knows a later commit.
func measureClone(ctx context.Context, o changeOptions, clone string) (out []measured, err error) {
	tip, err := output(ctx, clone, "rev-parse", "HEAD")
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "impact-bench-")
	if err != nil {
		return nil, err
	}
	defer func() {
		_ = os.RemoveAll(dir)
		_, _ = output(ctx, clone, "checkout", "-q", "--detach", strings.TrimSpace(tip))
	}()
	commits, err := newestChanges(ctx, clone, strings.TrimSpace(tip))
	if err != nil {
		return nil, err
	}
	slices.Reverse(commits)
	// Which of them count is known only with an index, so that some more are looked at.
	var kept []measured
	for _, c := range commits[max(0, len(commits)-8*(o.each+o.skip)):] {
		m, ok, err := measureChange(ctx, clone, filepath.Join(dir, "index"), c)
		if err != nil {
			return nil, fmt.Errorf("%.12s: %w", c.sha, err)
		}
		if ok {
			kept = append(kept, m)
		}
	}
	kept = kept[:max(0, len(kept)-o.skip)]
	return kept[max(0, len(kept)-o.each):], nil
}

// newestChanges lists first-parent commits, newest first, that touch some files of their parent.
func newestChanges(ctx context.Context, clone, tip string) (out []change, err error) {
	text, err := output(ctx, clone, "log", "--first-parent", "--format=%H %P", "-n", "2000", tip)
	if err != nil {
		return nil, err
	}
	for line := range strings.Lines(text) {
		ids := strings.Fields(line)
		if len(ids) < 2 {
			continue
		}
		c := change{repository: filepath.Base(clone), sha: ids[0], parent: ids[1]}
		names, err := output(ctx, clone, "diff", "--name-status", "--no-renames", "-z", c.parent, c.sha)
		if err != nil {
			return nil, err
		}
		fields := strings.Split(strings.TrimSuffix(names, "\x00"), "\x00")
		for i := 0; i+1 < len(fields); i += 2 {
			if fields[i] != "A" {
				c.others = append(c.others, fields[i+1])
			}
		}
		if len(c.others) >= fewestFiles && len(c.others) <= mostFiles {
			out = append(out, c)
		}
		if len(out) == 400 {
			break
		}
	}
	return out, nil
}

// measureChange reads the parent of a change and ranks from its first file of code. ok is false if
// the index knows less than two of its files.
func measureChange(ctx context.Context, clone, index string, c change) (m measured, ok bool, err error) {
	if _, err := output(ctx, clone, "checkout", "-q", "--force", "--detach", c.parent); err != nil {
		fmt.Fprintf(os.Stderr, "left out, %.12s: %v\n", c.sha, err) // a partial clone lacks a file
		return m, false, nil
	}
	if _, err := scrape.Run(ctx, scrape.Options{Root: clone, StoreDir: index}); err != nil {
		return m, false, err
	}
	s, err := store.Open(index)
	if err != nil {
		return m, false, err
	}
	defer func() { _ = s.Close() }()
	pin, err := s.Pin(ctx, 1)
	if err != nil {
		return m, false, err
	}
	defer pin.Close()
	r := pin.Readers[0]
	if err := c.chooseSeed(ctx, r); err != nil || c.seed == "" || len(c.others) == 0 {
		return m, false, err
	}
	m = measured{c.repository, c.sha, c.seed, c.language, c.others, nil, nil}
	found, err := impact.Of(ctx, r, impact.Query{Changes: []impact.Change{{Path: c.seed}}})
	if err != nil {
		return m, false, err
	}
	m.Files = found.Files
	m.Rankings = map[string][]string{byCallers: callersOf(found)}
	for _, f := range found.Files {
		m.Rankings[byImpact] = append(m.Rankings[byImpact], f.Path)
	}
	m.Rankings[byTogether], err = companionsOf(ctx, r, c.seed)
	return m, true, err
}

// chooseSeed splits the files that the index knows into the first one of code that is no test, and
// the others.
func (c *change) chooseSeed(ctx context.Context, r *store.Reader) error {
	snap, err := r.Snapshot(ctx)
	if err != nil {
		return err
	}
	var known []string
	for _, path := range c.others {
		row, err := r.FileNamed(ctx, snap, path)
		if err != nil {
			continue // binary, ignored or too large
		}
		if c.seed == "" && row.Kind == doc.Code && row.Functions > 0 && !doc.IsTest(row.Class) {
			c.seed, c.language = path, row.Language
			continue
		}
		known = append(known, path)
	}
	c.others = known
	return nil
}

// callersOf ranks the files that call the seed: by certain calls, then by candidates.
func callersOf(found *impact.Impact) (paths []string) {
	files := slices.Clone(found.Files)
	slices.SortStableFunc(files, func(a, b impact.File) int {
		if a.Callers != b.Callers {
			return b.Callers - a.Callers
		}
		switch {
		case a.Candidates > b.Candidates:
			return -1
		case a.Candidates < b.Candidates:
			return 1
		}
		return strings.Compare(a.Path, b.Path)
	})
	for _, f := range files {
		if f.Callers > 0 || f.Candidates > 0 {
			paths = append(paths, f.Path)
		}
	}
	return paths
}

// companionsOf ranks the files that changed together with the seed: by common commits.
func companionsOf(ctx context.Context, r *store.Reader, seed string) (paths []string, err error) {
	_, all, err := history.ChangedWith(ctx, r, seed)
	slices.SortStableFunc(all, func(a, b history.Companion) int { return b.Commits - a.Commits })
	for _, c := range all {
		paths = append(paths, c.Path)
	}
	return paths, err
}

func dump(name string, all []measured) error {
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	e := json.NewEncoder(f)
	for _, m := range all {
		if err := e.Encode(m); err != nil {
			return err
		}
	}
	return f.Close()
}

// output runs git in a folder.
func output(ctx context.Context, dir string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, "git", args...)
	cmd.Dir = dir
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("git %s: %w", args[0], err)
	}
	return string(out), nil
}
