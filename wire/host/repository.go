package host

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"hash/fnv"
	"math"
	"slices"
	"sync"
	"time"

	"google.golang.org/protobuf/proto"

	"patina/actors"
	"patina/ask/clones"
	"patina/ask/embedders"
	"patina/ask/project"
	"patina/ask/visit"
	"patina/registry/mother"
	"patina/registry/route"
	"patina/scrape"
	"patina/store"
	"patina/store/doc"
	"patina/wire/config"
	"patina/wire/nodepb"
)

// A repository is kept by one goroutine (keep), from start to stop.
type repository struct {
	host     *Host
	name     string // on the wire
	url      string // as git takes it
	schedule *schedule
	replaces *repository   // answers until this one does; nil if there is none
	hinted   chan struct{} // gets a value when the repository should be fetched now
	changed  chan struct{} // gets a value when the configuration says something else about it
	end      context.CancelFunc
	done     chan struct{} // closed when keep has returned

	mu         sync.Mutex
	kinds      []doc.Kind // the only ones to answer; nil means all that it shares
	owners     []string   // nodes that host it by the plan
	own        bool       // whether this node is one of them
	place      project.Place
	generation doc.Generation // of the published index; the zero value if there is none
	project    string         // its name in the engine; "" while it is not hosted
	answering  actors.Project // as it was added to the engine
	hosted     *nodepb.Hosted // as others were told
	sketch     *route.Sketch  // as others are told
	drawn      drawnSketch
	work       string    // what is being done; "" while it rests
	problem    string    // of the last attempt; "" if there was none
	waits      string    // why it may not be dropped yet
	shown      time.Time // since when all of its new owners show it; zero if they do not
	hidden     time.Time // since when others are told that it is gone; zero if they are not
	next       time.Time // when it is fetched next
	counts     Counts
}

func newRepository(h *Host, entry config.Repository, url string, owners []string, own bool) *repository {
	return &repository{
		host: h, name: entry.Name, url: url, schedule: newSchedule(h.options.Every, h.options.Seed, entry.Name),
		hinted: make(chan struct{}, 1), changed: make(chan struct{}, 1), done: make(chan struct{}),
		kinds: kindsOf(entry), owners: owners, own: own,
	}
}

// kindsOf returns the kinds of an entry, or nil if it names none. The configuration has checked
// their names.
func kindsOf(entry config.Repository) (kinds []doc.Kind) {
	for _, name := range entry.Kinds {
		if k, ok := doc.KindNamed(name); ok {
			kinds = append(kinds, k)
		}
	}
	return kinds
}

// start begins to keep the repository.
func (r *repository) start() {
	ctx, end := context.WithCancel(r.host.life)
	r.end = end
	r.host.work.Go(func() {
		defer close(r.done)
		r.keepUp(ctx)
	})
}

// stop ends the keeper and waits for it. What is hosted stays hosted.
func (r *repository) stop() {
	r.end()
	<-r.done
}

// signal wakes the receiver of a channel with room for one value.
func signal(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// reconfigure takes what the configuration says now.
func (r *repository) reconfigure(entry config.Repository, owners []string, own bool) {
	r.mu.Lock()
	r.kinds, r.owners, r.own = kindsOf(entry), owners, own
	r.waits = ""
	r.mu.Unlock()
	if own {
		r.showAgain()
	}
	signal(r.changed)
}

// keep hosts what there is, and then fetches, scrapes and hosts until ctx ends. A repository that
// is others' by now is only answered for.
func (r *repository) keepUp(ctx context.Context) {
	if clones.Has(r.host.home, r.url) {
		r.note(ctx, r.resume(ctx))
	}
	for ctx.Err() == nil {
		wait := forever
		if r.isOwn() {
			err := r.bring(ctx)
			if ctx.Err() != nil {
				return
			}
			r.note(ctx, err)
			wait = r.schedule.next(err != nil)
			r.setRest(wait)
		}
		if !r.sleep(ctx, wait) {
			return
		}
	}
}

// forever is how long a repository that is others' by now rests.
const forever = time.Duration(math.MaxInt64)

// sleep returns true when the repository is to be fetched again, and false when ctx has ended.
func (r *repository) sleep(ctx context.Context, wait time.Duration) bool {
	began := time.Now()
	timer := time.NewTimer(wait)
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return false
		case <-timer.C:
			return true
		case <-r.hinted:
			timer.Reset(min(max(0, hintGap-time.Since(began)), wait))
		case <-r.changed:
			if r.hostedAs() == "" || wait == forever && r.isOwn() {
				return true
			}
			r.note(ctx, r.publish(ctx))
		}
	}
}

func (r *repository) isOwn() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.own
}

// hostedAs returns its name in the engine, or "".
func (r *repository) hostedAs() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.project
}

// begin sets the work that is under way.
func (r *repository) setWork(work string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.work = work
}

func (r *repository) setRest(wait time.Duration) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.work, r.next = "", time.Now().Add(wait)
}

// note keeps the outcome of an attempt, and logs it if it is another one than before.
func (r *repository) note(ctx context.Context, err error) {
	if ctx.Err() != nil {
		return
	}
	problem := ""
	if err != nil {
		problem = err.Error()
	}
	r.mu.Lock()
	before := r.problem
	r.problem = problem
	r.mu.Unlock()
	switch log := r.host.options.Log; {
	case problem == before:
	case problem == "":
		log.Info("repository is well again", "repository", r.name)
	default:
		log.Warn("repository not brought up to date", "repository", r.name, "why", problem)
	}
}

// resume hosts the index of a clone that an earlier process has made.
func (r *repository) resume(ctx context.Context) error {
	select { // few at once, as with fetches
	case r.host.fetching <- struct{}{}:
	case <-ctx.Done():
		return ctx.Err()
	}
	defer func() { <-r.host.fetching }()
	p, err := project.At(clones.Folder(r.host.home, r.url), "")
	if err != nil || !p.Published() {
		return err
	}
	i, err := project.Inspect(ctx, p)
	if errors.Is(err, store.ErrNoIndex) || errors.Is(err, store.ErrForeign) {
		return nil // the first scrape makes it
	}
	if err != nil {
		return err
	}
	g := i.Generation()
	if err := i.Close(); err != nil {
		return err
	}
	r.set(p, g)
	return r.publish(ctx)
}

func (r *repository) set(p project.Place, g doc.Generation) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.place, r.generation = p, g
}

// bring fetches new commits, reads them and hosts them. If nothing can be fetched, what was fetched
// before is still read.
func (r *repository) bring(ctx context.Context) error {
	fetched := r.fetch(ctx)
	if fetched != nil && !clones.Has(r.host.home, r.url) {
		return fetched
	}
	p, err := project.At(clones.Folder(r.host.home, r.url), "")
	if err != nil {
		return errors.Join(fetched, err)
	}
	tree, err := p.Repository()
	if err != nil {
		return errors.Join(fetched, err)
	}
	head := ""
	if tree != nil {
		head = tree.Head
	}
	if r.isStale(p, head) {
		if err := r.scrape(ctx, p); err != nil {
			return errors.Join(fetched, fmt.Errorf("scrape: %w", err))
		}
	}
	return errors.Join(fetched, r.publish(ctx))
}

// count counts an attempt.
func (r *repository) countAttempt(ctx context.Context, err error, of func(*Counts) (all, failed *int64)) {
	if ctx.Err() != nil { // it was broken off
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	all, failed := of(&r.counts)
	*all++
	if err != nil {
		*failed++
	}
}

// fetch clones the repository, or fetches its new commits.
func (r *repository) fetch(ctx context.Context) (err error) {
	select {
	case r.host.fetching <- struct{}{}:
	case <-ctx.Done():
		return ctx.Err()
	}
	defer func() {
		<-r.host.fetching
		r.countAttempt(ctx, err, func(c *Counts) (all, failed *int64) { return &c.Fetches, &c.FetchErrors })
	}()
	if clones.Has(r.host.home, r.url) {
		r.setWork("fetching")
		return runWithin(ctx, "fetch", r.schedule.patience(fetchTime), func(ctx context.Context) error {
			return scrape.Fetch(ctx, clones.Folder(r.host.home, r.url))
		})
	}
	r.setWork("cloning")
	return runWithin(ctx, "clone", r.schedule.patience(cloneTime), func(ctx context.Context) error {
		_, err := clones.Make(ctx, r.host.home, r.url, nil)
		return err
	})
}

// runWithin runs f for a time at most. Its error names the work.
func runWithin(ctx context.Context, work string, d time.Duration, f func(context.Context) error) error {
	limited, cancel := context.WithTimeout(ctx, d)
	defer cancel()
	err := f(limited)
	switch {
	case err == nil:
		return nil
	case ctx.Err() == nil && errors.Is(err, context.DeadlineExceeded):
		return fmt.Errorf("%s: it had not ended after %s", work, d)
	}
	return fmt.Errorf("%s: %w", work, err)
}

// isStale reports whether the index is not that of a commit, made by this program.
func (r *repository) isStale(p project.Place, head string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	g := r.generation
	return !p.Published() || p.Doubt != "" || g.Number == 0 || g.Head != head || g.WordsOnly ||
		g.Extractor != scrape.Version()
}

// scrape brings the index up to date and registers the repository.
func (r *repository) scrape(ctx context.Context, p project.Place) (err error) {
	r.setWork("waiting to scrape")
	select {
	case r.host.scraping <- struct{}{}:
	case <-ctx.Done():
		return ctx.Err()
	}
	defer func() {
		<-r.host.scraping
		r.countAttempt(ctx, err, func(c *Counts) (all, failed *int64) { return &c.Scrapes, &c.ScrapeErrors })
	}()
	r.setWork("scraping")
	s, err := project.Scrape(ctx, p, scrape.Options{}, func(err error) {
		r.host.options.Log.Warn("registry", "why", err.Error())
	})
	if err != nil {
		return err
	}
	p = p.Of(p.Root, p.Store)
	g := s.Generation
	g.Extractor = scrape.Version() // a summary leaves it out
	r.set(p, g)
	return mother.Put(ctx, r.host.home, mother.Repository{ID: p.ID, Name: r.name, URL: r.url, Synced: time.Now()})
}

// publish answers for the index as it is. It does nothing if all is as it was, or if there is no
// index.
func (r *repository) publish(ctx context.Context) error {
	r.mu.Lock()
	p, g, of, was, kinds := r.place, r.generation, r.project, r.answering, r.kinds
	r.mu.Unlock()
	if g.Number == 0 {
		return nil
	}
	x, err := p.Answering(ctx)
	if err != nil {
		return err
	}
	shown, closed := visit.SharedKinds(p)
	x.Kinds = shown
	if kinds != nil {
		x.Kinds = slices.DeleteFunc(shown, func(k doc.Kind) bool { return !slices.Contains(kinds, k) })
	}
	x.Repository = r.name
	if of == "" || !isSame(was, x) {
		if of, err = r.addProject(x); err != nil {
			return err
		}
	}
	sketch, err := r.sketchFor(ctx, p, g, x.Kinds)
	if err != nil {
		return err
	}
	if err := r.tellOthers(of, x.Kinds, sketch); err != nil {
		return err
	}
	r.embedMissing(p)
	if closed != nil {
		return closed
	}
	return nil
}

// embedMissing makes the missing vectors by the models that are chosen here, in the background.
func (r *repository) embedMissing(p project.Place) {
	if models, err := embedders.Process().Chosen(p.Home, p.ID); err == nil && len(models) == 0 {
		return
	}
	r.host.vectors.Add(r.name, func(ctx context.Context) error {
		return project.EmbedQuietly(ctx, p.Of(p.Root, p.Store))
	})
}

// sketchFor returns the sketch of an index for those who are shown some kinds. It makes none if
// that of the last call is still right.
func (r *repository) sketchFor(ctx context.Context, p project.Place, g doc.Generation, kinds []doc.Kind) (*route.Sketch, error) {
	r.mu.Lock()
	drawn := r.drawn
	r.mu.Unlock()
	if drawn.generation == g.Number && drawn.generation != 0 && slices.Equal(drawn.kinds, kinds) {
		return drawn.sketch, nil
	}
	s, err := visit.SharedSketch(ctx, p, kinds)
	if err != nil {
		return nil, fmt.Errorf("sketch: %w", err)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.drawn = drawnSketch{g.Number, kinds, s}
	return s, nil
}

// A drawnSketch is a sketch and what it is of.
type drawnSketch struct {
	generation int64
	kinds      []doc.Kind
	sketch     *route.Sketch
}

// isSame reports whether the engine has the project already.
func isSame(a, b actors.Project) bool {
	return a.ID == b.ID && a.Root == b.Root && a.StoreDir == b.StoreDir && a.Seal == b.Seal && a.View == b.View &&
		slices.Equal(a.Kinds, b.Kinds)
}

// add adds the project to the engine, in the place of the one that answered before.
func (r *repository) addProject(x actors.Project) (name string, err error) {
	h := r.host
	name = h.nameProject(r.name)
	x.Name = name
	if err := h.engine.Add(x); err != nil {
		return "", err
	}
	h.mu.Lock()
	h.shown[name] = visit.Service{Service: h.engine, Project: r.name, Kinds: x.Kinds}
	h.mu.Unlock()
	r.mu.Lock()
	defer r.mu.Unlock()
	r.answering = x
	return name, nil
}

// tell lets others ask the project of the engine, and tells them what has changed.
func (r *repository) tellOthers(of string, kinds []doc.Kind, sketch *route.Sketch) error {
	t, err := r.host.engine.Target(of)
	if err != nil {
		return err
	}
	r.mu.Lock()
	g, before, old, replaces := r.generation, r.hosted, r.project, r.replaces
	r.mu.Unlock()
	m := &nodepb.Hosted{
		Repository: r.name, Head: g.Head, ScrapedAtUnix: g.ScrapedAt.Unix(), Channels: t.Channels(),
		Extractor: extractorNumber(g.Extractor),
	}
	for _, k := range kinds {
		m.Kinds = append(m.Kinds, string(k))
	}
	if sketch != nil {
		sum := sha256.Sum256(sketch.Bytes())
		m.SketchHash = sum[:16]
	}
	if old == of && proto.Equal(m, before) {
		return nil
	}
	if err := r.host.serve.Host(m, of); err != nil {
		return err
	}
	r.mu.Lock()
	r.hosted, r.project, r.sketch, r.replaces = m, of, sketch, nil
	r.mu.Unlock()
	r.host.options.Log.Info("repository hosted", "repository", r.name, "head", g.Head, "scraped", g.ScrapedAt.UTC().Format(time.RFC3339))
	if old != "" && old != of {
		r.host.removeLater(old)
	}
	if replaces != nil {
		r.host.discard(replaces)
	}
	return nil
}

// extractorNumber returns a number for a version of the tokenizer and the parsers. Replicas with
// equal numbers have read their files alike.
func extractorNumber(version string) int32 {
	h := fnv.New32a()
	_, _ = h.Write([]byte(version)) // never fails
	return int32(h.Sum32() & math.MaxInt32)
}
