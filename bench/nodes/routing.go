package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"time"

	"patina/bench/eval/routes"
	"patina/wire/config"
	"patina/wire/pki"
)

// routing asks the questions of a set, whose answers are in other repositories than those that are
// asked: with all repositories on one machine, and with those that do not ask on four nodes.
func routing(ctx context.Context, b *bench) error {
	set, err := b.crossSet()
	if err != nil {
		return err
	}
	c, err := newCluster(b, "routing")
	if err != nil {
		return err
	}
	defer c.down()
	for _, name := range set.names {
		c.repos = append(c.repos, config.Repository{URL: "file://" + filepath.Join(b.clones, name), Name: set.onTheWire(name)})
	}
	for i := range 4 {
		if _, err := c.add(pki.Node, fmt.Sprintf("node-%d", i)); err != nil {
			return err
		}
	}
	if _, err := c.add(pki.Front, "front"); err != nil {
		return err
	}
	b.say("four nodes scrape %d repositories", len(set.names))
	began := time.Now()
	if err := c.up(ctx); err != nil {
		return err
	}
	b.say("hosted after %s; one machine scrapes the same", time.Since(began).Round(time.Second))
	one, err := c.newLaptop("one", "")
	if err != nil {
		return err
	}
	one.mother = ""
	for _, name := range set.names {
		if err := one.take(ctx, set, name); err != nil {
			return err
		}
		if _, err := one.do(ctx, "repo", "add", ".", "--name", name); err != nil {
			return err
		}
	}
	if err := one.link(ctx, set.edges); err != nil {
		return err
	}
	t := newTable("questions asked in", "n", "equal: home alone", "routed", "routed, own idf", "all", "right repository asked, here; far",
		"file in ten, here; far")
	var all [2][]routes.Row
	for _, home := range set.homes() {
		here, far, err := c.fromHome(ctx, one, set, home)
		if err != nil {
			return fmt.Errorf("from %s: %w", home, err)
		}
		all[0], all[1] = append(all[0], here...), append(all[1], far...)
		t.add(append([]any{home, len(here)}, compareRows(here, far)...)...)
		for i, r := range here {
			if !reflect.DeepEqual(r, far[i]) {
				b.say("differs: here %+v, far %+v", r, far[i])
			}
		}
	}
	t.add(append([]any{"all", len(all[0])}, compareRows(all[0], all[1])...)...)
	t.print(b.out)
	return nil
}

// fromHome asks the questions of one repository on the machine that has all of them, and on one
// that has that repository alone.
func (c *cluster) fromHome(ctx context.Context, one *laptop, set *crossSet, home string) (here, far []routes.Row, err error) {
	file, err := c.bench.subset(set.questions, home)
	if err != nil {
		return nil, nil, err
	}
	one.project = one.copyOf(home)
	h, err := one.routing(ctx, file)
	if err != nil {
		return nil, nil, err
	}
	l, err := c.newLaptop("at-"+home, "")
	if err != nil {
		return nil, nil, err
	}
	if err := l.take(ctx, set, home); err != nil {
		return nil, nil, err
	}
	if _, err := l.do(ctx, "repo", "add", ".", "--name", home); err != nil {
		return nil, nil, err
	}
	for _, name := range set.names {
		if name == home {
			continue
		}
		if _, err := l.do(ctx, "repo", "add", "--from-mother", set.onTheWire(name), "--name", name); err != nil {
			return nil, nil, err
		}
	}
	if err := l.link(ctx, set.edges); err != nil {
		return nil, nil, err
	}
	f, err := l.routing(ctx, file)
	if err != nil {
		return nil, nil, err
	}
	return h.Rows, f.Rows, nil
}

// copyOf is the folder of a laptop's own clone, because an index belongs to one home.
func (l *laptop) copyOf(name string) string { return filepath.Join(l.home, "work", name) }

// take clones a repository, as if from where all machines fetch it, and works in the clone.
func (l *laptop) take(ctx context.Context, set *crossSet, name string) error {
	l.project = l.copyOf(name)
	if _, err := output(ctx, "", "git", "clone", "-q", filepath.Join(l.cluster.bench.clones, name), l.project); err != nil {
		return err
	}
	_, err := output(ctx, l.project, "git", "remote", "set-url", "origin", "https://"+set.onTheWire(name))
	return err
}

// A crossSet is the questions of a set between repositories that are there.
type crossSet struct {
	questions []routes.Question
	names     []string // of the repositories, sorted
	edges     [][2]string
	origins   map[string]struct {
		Repo string `json:"repo"` // org/name at GitHub
	}
}

// onTheWire returns the name of a repository for all machines.
func (s *crossSet) onTheWire(name string) string {
	return "github.com/" + cmp.Or(s.origins[name].Repo, "set/"+name)
}

// homes returns where questions are asked, sorted.
func (s *crossSet) homes() (names []string) {
	for _, q := range s.questions {
		if !slices.Contains(names, q.Home) {
			names = append(names, q.Home)
		}
	}
	slices.Sort(names)
	return names
}

// crossSet reads the set.
func (b *bench) crossSet() (*crossSet, error) {
	all, err := routes.Load(b.set)
	if err != nil {
		return nil, err
	}
	entries, err := os.ReadDir(b.clones)
	if err != nil {
		return nil, err
	}
	s := &crossSet{}
	for _, e := range entries {
		if _, err := os.Stat(filepath.Join(b.clones, e.Name(), ".git")); err == nil {
			s.names = append(s.names, e.Name())
		}
	}
	for _, q := range all {
		if !q.Local() && slices.Contains(s.names, q.Home) && slices.Contains(s.names, q.Repo) {
			s.questions = append(s.questions, q)
		}
	}
	if len(s.questions) == 0 {
		return nil, fmt.Errorf("no question of %s is between repositories in %s", b.set, b.clones)
	}
	text, err := os.ReadFile(b.set)
	if err != nil {
		return nil, err
	}
	var more struct {
		Edges        map[string][][2]string `json:"edges"`
		Repositories json.RawMessage        `json:"repositories"`
	}
	if err := json.Unmarshal(text, &more); err != nil {
		return nil, err
	}
	_ = json.Unmarshal(more.Repositories, &s.origins) // not every set says where they are
	for _, e := range more.Edges["USES"] {
		if slices.Contains(s.names, e[0]) && slices.Contains(s.names, e[1]) {
			s.edges = append(s.edges, e)
		}
	}
	return s, nil
}

// subset writes the questions that are asked in a repository.
func (b *bench) subset(questions []routes.Question, home string) (file string, err error) {
	var of struct {
		Questions []routes.Question `json:"questions"`
	}
	for _, q := range questions {
		if q.Home == home {
			of.Questions = append(of.Questions, q)
		}
	}
	text, err := json.Marshal(of)
	if err != nil {
		return "", err
	}
	file = filepath.Join(b.work, "set-"+home+".json")
	return file, os.WriteFile(file, text, 0o600)
}

// link makes the edges of a set.
func (l *laptop) link(ctx context.Context, edges [][2]string) error {
	for _, e := range edges {
		if _, err := l.do(ctx, "repo", "link", e[0], e[1], "USES"); err != nil {
			return err
		}
	}
	return nil
}

// routing runs "patina eval routing".
func (l *laptop) routing(ctx context.Context, set string) (*routes.Report, error) {
	out, err := l.do(ctx, "eval", "routing", "-q", set, "--json")
	if err != nil {
		return nil, err
	}
	var r routes.Report
	if err := json.Unmarshal([]byte(out), &r); err != nil {
		return nil, err
	}
	if len(r.Missing) > 0 {
		return nil, errors.New("not registered: " + fmt.Sprint(r.Missing))
	}
	return &r, nil
}

// compareRows returns how many answers of each way are equal, and the figures of both.
func compareRows(here, far []routes.Row) (cells []any) {
	by := map[string]routes.Row{}
	for _, r := range far {
		by[r.ID] = r
	}
	for _, arm := range routes.Arms() {
		same := 0
		for _, r := range here {
			if reflect.DeepEqual(r.Arms[arm], by[r.ID].Arms[arm]) {
				same++
			}
		}
		cells = append(cells, mark(same == len(here), fmt.Sprint(same)))
	}
	count := func(rows []routes.Row, counts func(routes.Result) bool) (n int) {
		for _, r := range rows {
			if counts(r.Arms[routes.Routed]) {
				n++
			}
		}
		return n
	}
	asked := func(r routes.Result) bool { return r.Asked }
	file := func(r routes.Result) bool { return r.File > 0 }
	return append(cells, fmt.Sprintf("%d; %d", count(here, asked), count(far, asked)), fmt.Sprintf("%d; %d", count(here, file), count(far, file)))
}
