package self

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"time"

	"patina/actors/api"
	"patina/bench/eval"
	"patina/internal/safeio"
	"patina/memory"
	"patina/memory/transcript"
	"patina/store/doc"
)

// Options control what is measured.
type Options struct {
	Root  string // the working tree
	Head  string // commit at which the index was made; empty without git
	Index Index  // of the project
	Work  string // an empty folder for throw-away trees

	// Engine answers for the project itself, with its memories. Oracles are the names of its
	// oracles.
	Engine   eval.Asker
	Oracles  []string
	Memories []memory.Memory
	Said     []transcript.Note // from the project's transcripts

	Dimensions []string // empty: all
	Sample     int      // greatest number of questions of each truth; 0: DefaultSample
	Seed       uint64
	OnProgress func(stage string, done, total int) // may be nil
}

// wantedKinds are the kinds that a truth wants, and that a uniform draw draws from. Places of other
// kinds count in Row.List only.
var wantedKinds = map[string][]doc.Kind{
	Code: {doc.Code}, Session: {doc.Session}, CoChange: {doc.Code, doc.Pattern}, Commit: {doc.Code, doc.Pattern},
	Belief: {doc.Belief}, Decision: {doc.Belief, doc.Pattern}, Memory: {doc.Memory},
}

const (
	ignoreFile = ".patinaignore"
	maxIgnore  = 1 << 20 // bytes
)

// DefaultSample is the number of questions of each truth. It gives an interval of some ±7 points on
// a share of one half, in two minutes on a project of a few thousand files.
const DefaultSample = 200

const (
	coChanges = "co-changes"     // the relation of a link
	results   = 60               // so many that ten of the wanted kind are among them
	patience  = 30 * time.Second // for each question; a slow machine must not cost a channel
)

// Run measures the project. If ctx ends, Run returns its error and a report of the measurements
// until then: Partial is set, and every pipeline has answered the same questions.
func Run(ctx context.Context, o Options) (*Report, error) {
	if err := checkDimensions(o.Dimensions); err != nil {
		return nil, err
	}
	if o.Sample < 0 {
		return nil, fmt.Errorf("a sample of %d questions", o.Sample)
	}
	if o.Sample == 0 {
		o.Sample = DefaultSample
	}
	if o.OnProgress == nil {
		o.OnProgress = func(string, int, int) {}
	}
	m := &measurement{Options: o, workshop: workshop{dir: o.Work, progress: o.OnProgress}}
	defer m.close()
	report := &Report{
		Schema: Schema, Head: o.Head, Sample: o.Sample, Seed: o.Seed, Dimensions: o.Dimensions,
		Truths: []Figures{},
	}
	if report.Dimensions == nil {
		report.Dimensions = Dimensions()
	}
	for _, t := range Truths() {
		if len(o.Dimensions) > 0 && !slices.Contains(o.Dimensions, t.Dimension) {
			continue
		}
		f, err := m.measure(ctx, t)
		if f != nil {
			report.Truths = append(report.Truths, *f)
		}
		report.Scores = m.scores.Distribution()
		if err != nil {
			report.Partial = ctx.Err() != nil
			return report, err
		}
	}
	return report, nil
}

// A measurement is the state of one Run. It makes trees when they are first needed.
type measurement struct {
	Options
	workshop
	held, older *tree
	heldSets    map[string]*set
	past        *past
	noPast      string
	olderFiles  *sampler
	own         *tree
	scores      eval.Scores // of unified answers
}

func (m *measurement) close() {
	for _, t := range []*tree{m.held, m.older} {
		if t != nil && t.close != nil {
			t.close()
		}
	}
}

// measure takes the questions of a truth and asks them.
func (m *measurement) measure(ctx context.Context, t Truth) (*Figures, error) {
	x, err := m.questions(ctx, t)
	if err != nil {
		return nil, err
	}
	if len(x.cases) > 0 && t.Name != CoChange && t.Name != Commit && t.Name != Decision {
		if err := x.withoutCopies(ctx); err != nil {
			return nil, err
		}
	}
	f := newFigures(x)
	if len(x.cases) == 0 {
		return f, nil
	}
	p := &poll{set: x, figures: f, scores: &m.scores, progress: m.OnProgress}
	err = p.run(ctx)
	f.finish(x, m.Seed)
	return f, err
}

func (m *measurement) questions(ctx context.Context, t Truth) (*set, error) {
	switch t.Name {
	case Code, Session, Belief:
		if err := m.hold(ctx); err != nil {
			return nil, err
		}
		return m.heldSets[t.Name], nil
	case CoChange, Commit, Decision:
		x := &set{Truth: t}
		if err := m.goBack(ctx); err != nil {
			return nil, err
		}
		if x.why = m.noPast; m.past == nil {
			return x, nil
		}
		x.on = m.older
		switch t.Name {
		case CoChange:
			m.past.neighbours(x, m.olderFiles, m.Seed)
		case Commit:
			m.past.subjects(x)
		default:
			return x, m.past.decisions(ctx, x, m.olderFiles)
		}
		return x, nil
	}
	x := &set{Truth: t, on: m.project()}
	recollection(x, m.Memories, m.Said, m.Seed, m.Sample)
	return x, nil
}

// project returns the project itself as a tree.
func (m *measurement) project() *tree {
	if m.own == nil {
		m.own = &tree{Index: recalled{m.Index, m.Memories}, engine: m.Engine, oracles: m.Oracles}
	}
	return m.own
}

// hold makes the copy of the project without the texts of the questions.
func (m *measurement) hold(ctx context.Context) error {
	if m.heldSets != nil {
		return nil
	}
	m.OnProgress("take questions", 0, 0)
	files, err := filesOf(ctx, m.Index)
	if err != nil {
		return err
	}
	kinds, err := pathsOf(ctx, m.Index)
	if err != nil {
		return err
	}
	s := newSampler(files, kinds, m.Seed, m.Sample)
	sets := map[string]*set{}
	for _, t := range Truths() {
		sets[t.Name] = &set{Truth: t}
	}
	if m.wants(sets[Code].Dimension) {
		s.code(sets[Code], m.Seed)
		s.session(sets[Session], m.Seed)
	}
	if m.wants(sets[Belief].Dimension) {
		s.evidence(sets[Belief], m.Seed)
	}
	if len(s.cuts) > 0 {
		if m.held, err = m.copyWithout(ctx, s); err != nil {
			return err
		}
		for _, x := range sets {
			x.on = m.held
		}
		for _, name := range []string{Code, Session, Belief} {
			sets[name].pool = m.held.count(wantedKinds[name]...)
		}
	}
	m.heldSets = sets
	return nil
}

func (m *measurement) wants(dimension string) bool {
	return len(m.Dimensions) == 0 || slices.Contains(m.Dimensions, dimension)
}

// copyWithout writes the project's tree without the cuts, with the history if there is one, and
// scrapes it.
func (m *measurement) copyWithout(ctx context.Context, s *sampler) (*tree, error) {
	repo, why, err := repository(m.Root, m.Head)
	if err != nil {
		return nil, err
	}
	dir := filepath.Join(m.dir, "held")
	if why == "" {
		if dir, err = m.checkout(ctx, repo, m.Head, "held"); err != nil {
			return nil, err
		}
	}
	if err := hold(dir, s.files, s.cuts); err != nil {
		return nil, err
	}
	if b, err := safeio.ReadFile(filepath.Join(m.Root, ignoreFile), maxIgnore); err == nil {
		// git may not track this file.
		if err := hold(dir, map[string]string{ignoreFile: string(b)}, nil); err != nil {
			return nil, err
		}
	}
	return m.scrape(ctx, dir)
}

// goBack makes the older tree.
func (m *measurement) goBack(ctx context.Context) error {
	if m.past != nil || m.noPast != "" {
		return nil
	}
	m.OnProgress("read the history", 0, 0)
	p, why, err := readPast(ctx, m.Root, m.Head, m.Sample)
	if err != nil {
		return err
	}
	if m.noPast = why; why != "" {
		return nil
	}
	dir, err := m.checkout(ctx, p.repo, p.Cut, "older")
	if err != nil {
		return err
	}
	t, err := m.scrape(ctx, dir)
	if err != nil {
		return err
	}
	if m.older = t; err == nil {
		err = knows(ctx, t, p.hidden())
	}
	if err != nil {
		return err
	}
	files := map[string]string{}
	for path := range t.paths {
		files[path] = ""
	}
	m.past, m.olderFiles = p, newSampler(files, t.paths, m.Seed, m.Sample)
	return nil
}

// A poll asks all pipelines the questions of a set.
type poll struct {
	*set
	figures  *Figures
	scores   *eval.Scores
	progress func(stage string, done, total int)
	plain    func(query string, limit int) []string
}

// run asks question by question, so that after an interrupt all pipelines have the same, smaller
// sample.
func (p *poll) run(ctx context.Context) error {
	var queries []string
	for _, c := range p.cases {
		queries = append(queries, c.Query)
	}
	var err error
	if p.plain, err = eval.Plain(ctx, p.on, queries); err != nil {
		return err
	}
	for i, c := range p.cases {
		err := p.ask(ctx, c)
		if lost, ok := errors.AsType[*lostError](err); ok {
			p.figures.LeftOut[lost.Error()]++
			err = nil
		}
		if err != nil {
			return fmt.Errorf("ask %q of %s: %w", c.ID, p.Label, err)
		}
		p.progress(p.Label, i+1, len(p.cases))
	}
	return nil
}

// A lostError reports that a channel did not answer a question. The question is then left out for
// all pipelines, and counted.
type lostError struct{ api.ChannelState }

// Error implements error.
func (e *lostError) Error() string {
	return fmt.Sprintf("%s did not answer: %s %s", e.Channel, e.Status, e.Detail)
}

// A linker returns files that change together.
type linker interface {
	Links(ctx context.Context, r api.LinksRequest) (*api.LinksAnswer, error)
}

// ask asks all pipelines one question. It adds the rows only if all have answered.
func (p *poll) ask(ctx context.Context, c Case) error {
	whole, err := p.scry(ctx, c.Query, nil)
	if err != nil {
		return err
	}
	rows := map[string]Row{Unified: mixed(c, whole.units), Plain: mixed(c, p.ofKinds(p.plain(c.Query, results)))}
	for i, name := range p.on.oracles {
		if !whole.busy[name] { // alone it finds nothing, and without it nothing is missing
			rows[only(name)], rows[off(name)] = judge(c, nil), rows[Unified]
			continue
		}
		p.figures.searched(name)
		alone, err := p.scry(ctx, c.Query, []string{name})
		if err != nil {
			return err
		}
		rest, err := p.scry(ctx, c.Query, slices.Delete(slices.Clone(p.on.oracles), i, i+1))
		if err != nil {
			return err
		}
		rows[only(name)], rows[off(name)] = mixed(c, alone.units), mixed(c, rest.units)
	}
	if l, ok := p.on.engine.(linker); ok && p.Name == CoChange {
		a, err := l.Links(ctx, api.LinksRequest{
			ReadOptions: api.ReadOptions{Timeout: patience}, Path: c.Query,
			Neighbours: results,
		})
		if err != nil {
			return err
		}
		var units []string
		for _, x := range a.Links {
			if x.Relation == coChanges {
				units = append(units, x.Target)
			}
		}
		rows[FileLinks] = mixed(c, p.ofKinds(units))
	}
	p.figures.add(c, rows)
	p.scores.Add(whole.results)
	return nil
}

// An answered is the ranking for a question, and the channels that had something to search.
type answered struct {
	units   []placed
	results []api.Result
	busy    map[string]bool
}

// ofKinds marks the units that are of a wanted kind.
func (p *poll) ofKinds(units []string) (out []placed) {
	for _, u := range units {
		k, ok := p.on.paths[u]
		if !ok {
			k = doc.KindOf(u)
		}
		out = append(out, placed{u, slices.Contains(wantedKinds[p.Name], k)})
	}
	return out
}

func (p *poll) scry(ctx context.Context, query string, oracles []string) (answered, error) {
	a, err := p.on.engine.Scry(ctx, api.Request{Text: query, Limit: results, Oracles: oracles, Timeout: patience})
	if err != nil {
		return answered{}, err
	}
	if err := ctx.Err(); err != nil {
		return answered{}, err
	}
	out := answered{results: a.Results, busy: map[string]bool{}}
	for _, s := range a.Channels {
		if s.Status.Partial() {
			return out, &lostError{s}
		}
		if s.Status == api.OK {
			out.busy[s.Channel] = true
		}
	}
	for _, x := range a.Results {
		unit := x.Path
		if unit == "" {
			unit = x.DocID
		}
		out.units = append(out.units, placed{unit, slices.Contains(wantedKinds[p.Name], x.Kind)})
	}
	return out, nil
}
