package scrape

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"patina/belief"
	"patina/scrape/git"
	"patina/scrape/parse"
	"patina/scrape/walk"
	"patina/store"
	"patina/store/build"
	"patina/store/doc"
)

// extractor is the version of all code that decides a file's contents in a store. It must be raised
// with every such change, because the next scrape on an older store then builds it anew.
const extractor = 26

// defaultMaxFileSize is in bytes. Larger text files are data.
const defaultMaxFileSize = 2 << 20

// Options say which folder to scrape, and how. Root and StoreDir must be set.
type Options struct {
	Root     string // top folder of the working tree; without git, any folder
	StoreDir string
	Ownership
	Full bool // read everything again, even if unchanged
	// Files names the only files and folders to read, relative to Root with slashes. nil means all.
	// The history is not read with it, unless History is set.
	Files []string
	// Told names files and folders that were reported as changed. They are read whatever their
	// times say. It is not needed with Files, because these are always read.
	Told []string
	// History also reads the history if Files is set.
	History bool
	// Looked is when the caller compared the whole tree with the index, and named all differences.
	Looked time.Time
	Update bool // return an error instead of building the index anew
	// Draft makes a first index quickly: without history, and with an unfitted model. The next
	// scrape builds it anew. If there is an index already, it is updated as usual and keeps its
	// model.
	Draft       bool
	Only        string         // "code" or "git" leaves the other part as it is; "" reads both
	Workers     int            // 0: one for each CPU
	MaxFileSize int64          // bytes; larger files are left out; 0: 2 MiB
	Progress    func(Progress) // may be nil; called from several goroutines, one at a time

	// Cloned marks a repository that patina has cloned for the user, so that the user has no work
	// in it.
	Cloned bool

	// IncludeSecrets reads credentials too, and keeps those that are in the store.
	IncludeSecrets bool

	// Claim makes the store its caller's, unless it is nil. It is called once git has accepted the
	// tree, before anything is written for it. Run returns its error unchanged.
	Claim func() (Ownership, error)

	// Embedder makes the vectors; nil means no vectors. If it adapts, Load must open its tables.
	// NoAdapt leaves it as it is.
	Embedder doc.Embedder
	Load     func(table []byte) (doc.Adapter, error)
	NoAdapt  bool
}

// An Ownership binds a store to its user.
type Ownership struct {
	ProjectID string     // stored in a fresh store
	Seal      store.Seal // the index's when updating; a fresh one gets it
	Distrust  string     // if not "", why the published index must not be read and is built anew
}

// A Progress is a report on a stage.
type Progress struct {
	// Stage is "files", "history", "meaning", "publish" or, for very many vectors, "graph". Files
	// and history run concurrently.
	Stage string
	Done  int   // files, commits or vectors; no vectors: the model is being adapted
	Total int   // 0 if unknown
	Bytes int64 // read so far
	Basis bool  // the leading working tree, read first for a linked one
}

// A Summary is the result of a scrape.
type Summary struct {
	Added, Changed, Removed, Unchanged int            // files
	Shared                             int            // files that another working tree already has
	Skipped                            map[string]int // reason → files left out
	Languages                          map[string]int // files read, by language; "" is other text
	Commits                            int            // read in this run
	Chunks                             int            // in the store now
	Embedded                           build.Embedded // in this run
	Bytes                              int64          // in files read
	Took                               time.Duration
	Rebuilt                            bool     // an index was there and could not be updated
	Notes                              []string // for the user, one line each
	Troubled                           []Troubled
	LeftOut                            []Troubled // skipped and not binary; at most a thousand
	Generation                         doc.Generation
}

// mostLeftOut is the most elements of Summary.LeftOut.
const mostLeftOut = 1000

// A Troubled is a file that was read in this run but not wholly understood, or that was left out.
type Troubled struct {
	Path string `json:"path"`
	Why  string `json:"why"` // "with syntax errors: …", and the like
}

// Run reads a folder into its store and publishes the result as one generation. Files with the same
// size, times and inode as before are not read, unless they were written shortly before the last
// comparison of the whole tree. The store then has the same contents as a fresh one. If ctx ends,
// or anything fails, the store stays as it was.
//
// The error wraps walk.ErrGit if git refuses the folder, git.ErrForeign if git does not know the
// working tree, walk.ErrTracked if git tracks the store, and store.ErrLocked if another process
// writes it. It is a WordsError if a first index has been published without vectors.
func Run(ctx context.Context, o Options) (Summary, error) {
	started := time.Now()
	switch o.Only {
	case "", "code", "git":
	default:
		return Summary{}, fmt.Errorf("scrape %q: no such part (code, git)", o.Only)
	}
	if err := checkNamed(o.Files); err != nil {
		return Summary{}, err
	}
	o.Files = withRecords(o.Files)
	if o.Workers <= 0 {
		o.Workers = runtime.GOMAXPROCS(0)
	}
	if o.MaxFileSize <= 0 {
		o.MaxFileSize = defaultMaxFileSize
	}
	for _, dir := range []*string{&o.Root, &o.StoreDir} { // git runs in another folder
		abs, err := filepath.Abs(*dir)
		if err != nil {
			return Summary{}, fmt.Errorf("scrape %q: %w", *dir, err)
		}
		*dir = abs
	}
	if err := walk.Untracked(ctx, o.Root, o.StoreDir); err != nil {
		return Summary{}, fmt.Errorf("scrape %q: %w", o.Root, err)
	}
	r := newRun(o)
	g, err := r.scrapeAll(ctx, started)
	if errors.Is(err, errAlone) && ctx.Err() == nil {
		r = newRun(o)
		r.alone = true
		// Trees with little in common are not worth a note.
		if !errors.Is(err, build.ErrRebuild) {
			r.tell(err.Error())
		}
		g, err = r.scrapeAll(ctx, started)
	}
	if ctx.Err() != nil && !errors.Is(err, store.ErrLocked) {
		return Summary{}, r.endError(ctx.Err())
	}
	if own, ok := errors.AsType[claimError](err); ok {
		return Summary{}, own.error
	}
	if err != nil {
		return Summary{}, r.endError(fmt.Errorf("scrape %q: %w", o.Root, err))
	}
	r.s.Generation, r.s.Chunks = g, g.Chunks
	o.Ownership, o.Distrust, o.Claim = r.o.Ownership, "", nil
	r.s.Notes = append(r.s.Notes, bringAlong(ctx, o, r.others)...)
	if g.Beliefs > belief.Most {
		r.tell(fmt.Sprintf("%d beliefs: the first %d by path are read as beliefs, the others as text",
			g.Beliefs, belief.Most))
	}
	r.s.Took = time.Since(started)
	return r.s, nil
}

// A WordsError is the error that ended a first scrape after it had published words and history.
// These can be searched, and the next scrape builds the index anew.
type WordsError struct{ Err error }

func (e WordsError) Error() string { return e.Err.Error() }

func (e WordsError) Unwrap() error { return e.Err }

// endError returns the error of a run that ends with err.
func (r *run) endError(err error) error {
	if r.words {
		return WordsError{err}
	}
	return err
}

// A run is one scrape.
type run struct {
	o      Options
	w      *build.Writer
	fresh  bool     // the index is built, not updated
	others []string // working trees to read back into a fresh index

	leading bool          // this run reads the basis for another tree's index
	based   bool          // the index has a basis, which is changed into this tree's state
	alone   bool          // the index gets no basis
	words   bool          // the words of this first index are published
	begun   *walk.Walk    // a running listing; nil once used
	listing *walk.Listing // the whole folder's; nil until walked
	looked  time.Time     // when the index's view of the folder was complete

	mu       sync.Mutex // guards the fields below, and calls to Progress
	s        Summary
	troubles map[string]trouble // by path
	done     int
}

func newRun(o Options) *run {
	return &run{
		o: o, looked: o.Looked, s: Summary{Skipped: map[string]int{}, Languages: map[string]int{}},
		troubles: map[string]trouble{},
	}
}

func (r *run) scrapeAll(ctx context.Context, started time.Time) (doc.Generation, error) {
	defer r.endWalk()
	if err := r.accept(ctx); err != nil {
		return doc.Generation{}, err
	}
	if err := r.openStore(ctx); err != nil {
		return doc.Generation{}, err
	}
	defer r.w.Abort() // does nothing after Publish
	r.stale()
	if err := r.basis(ctx); err != nil {
		return doc.Generation{}, err
	}
	g := doc.Generation{ScrapedAt: started}
	group, both := errgroup.WithContext(ctx)
	if r.o.Only != "git" {
		group.Go(func() error { return r.files(both) })
	}
	if r.readsSome() && !r.o.History {
		g = r.w.Last()
		g.ScrapedAt = started
	} else {
		group.Go(func() error { return r.history(both, &g) }) // git takes one core
	}
	if err := group.Wait(); err != nil {
		return g, err
	}
	r.w.Listed(r.looked)
	if err := r.early(g); err != nil {
		return g, err
	}
	if err := r.embed(); err != nil {
		return g, err
	}
	if err := r.standing(); err != nil {
		return g, err
	}
	r.report("publish", 0, 0)
	r.noteTroubles()
	g, err := r.w.Publish(g)
	r.words = r.words && err != nil
	if err != nil || r.o.Embedder == nil || g.Chunks+g.Files < store.ManyVectors {
		return g, err
	}
	return g, build.Graph(ctx, r.o.StoreDir, r.o.Seal, store.ManyVectors, func(done, total int64) {
		r.report("graph", int(done), int(total))
	})
}

// early publishes the words of a first index while its model is fitted. It does not for an index
// with a basis, because that may still be given up.
func (r *run) early(g doc.Generation) (err error) {
	if !r.based {
		r.words, err = r.w.PublishWords(g)
	}
	return err
}

// embed makes vectors from the new texts. It does nothing if the Embedder is nil.
func (r *run) embed() (err error) {
	if r.o.Embedder == nil {
		return nil
	}
	r.s.Embedded, err = r.w.Embed(func(_ string, done, total int) { r.report("meaning", done, total) })
	return err
}

// openStore begins an update, or a fresh store if there is none that can be updated. A fresh store
// that replaces one with both parts gets both, whatever Only says.
func (r *run) openStore(ctx context.Context) (err error) {
	o := build.Options{
		Identity: r.identity(ctx), Root: r.o.Root, Extractor: extractor, ProjectID: r.o.ProjectID, Seal: r.o.Seal,
		Embedder: r.o.Embedder, Load: r.o.Load, KeepModel: r.o.Update || r.o.Draft,
	}
	if o.Embedder != nil && r.o.NoAdapt {
		o.Embedder = build.Unfitted(o.Embedder)
	}
	if tree, err := git.Find(r.o.Root); err == nil {
		o.View, o.Views = tree.View(), tree.Views()
	}
	if r.o.Distrust != "" {
		r.fresh, r.o.Full, r.o.Only, o.Discard = true, true, "", true
		r.s.Rebuilt = true
		r.tell("rebuilt: " + r.o.Distrust)
		r.w, err = build.New(ctx, r.o.StoreDir, o)
		return err
	}
	if !r.o.Full || r.o.Only != "" {
		r.w, err = build.Update(ctx, r.o.StoreDir, o)
		switch {
		case err == nil || r.o.Update:
			return err
		case errors.Is(err, store.ErrNoIndex):
			r.hurry(&o)
		case errors.Is(err, store.ErrOlder), errors.Is(err, build.ErrRebuild), errors.Is(err, store.ErrDamaged),
			errors.Is(err, store.ErrForeign):
			r.s.Rebuilt = true
			r.s.Notes = append(r.s.Notes, "rebuilt: "+rootCause(err))
			r.o.Only, o.Discard = "", errors.Is(err, store.ErrForeign)
		default:
			return err
		}
	}
	r.fresh, r.o.Full, r.others = true, true, companionTrees(ctx, r.o)
	r.w, err = build.New(ctx, r.o.StoreDir, o)
	return err
}

// hurry makes a fresh index a draft if Draft is set. A linked working tree gets no draft, because
// its index begins with that of the main one.
func (r *run) hurry(o *build.Options) {
	if !r.o.Draft || o.View != "" && o.View != store.MainView {
		return
	}
	r.o.Only, o.Draft = "code", true
	if o.Embedder != nil {
		o.Embedder = build.Unfitted(o.Embedder)
	}
}

// rootCause returns the text of the sentinel in err, and for ErrRebuild its cause too.
func rootCause(err error) string {
	for _, known := range []error{store.ErrOlder, build.ErrRebuild, store.ErrDamaged, store.ErrForeign} {
		if errors.Is(err, known) {
			_, why, _ := strings.Cut(err.Error(), known.Error())
			if known != build.ErrRebuild {
				why = ""
			}
			return known.Error() + why
		}
	}
	return err.Error()
}

// tell adds a note for the user. It may be called concurrently.
func (r *run) tell(note string) {
	r.countIn(func(s *Summary) { s.Notes = append(s.Notes, note) })
}

// A trouble says why a file was not read in its own format.
type trouble struct {
	parse.Trouble
	reason string // of this file; empty: the same for all
}

// noteTroubles adds the counts of parse troubles to the notes.
func (r *run) noteTroubles() {
	counts := map[parse.Trouble]int{}
	for path, t := range r.troubles {
		counts[t.Trouble]++
		why := string(t.Trouble)
		if t.reason != "" {
			why = strings.Replace(why, ":", " ("+t.reason+"):", 1)
		}
		r.s.Troubled = append(r.s.Troubled, Troubled{path, why})
	}
	for _, list := range [][]Troubled{r.s.Troubled, r.s.LeftOut} {
		slices.SortFunc(list, func(a, b Troubled) int { return strings.Compare(a.Path, b.Path) })
	}
	for _, t := range []parse.Trouble{parse.SyntaxError, parse.TooCostly, parse.ParserPanic, parse.Malformed} {
		if n := counts[t]; n > 0 {
			r.s.Notes = append(r.s.Notes, fmt.Sprintf("%d %s %s%s", n, countNoun(n, "file", "files"), t, r.reasons(t)))
		}
	}
	slices.Sort(r.s.Notes)
}

// namedTroubles is the most files that a note names.
const namedTroubles = 3

// reasons names the first files with a trouble. It does not name those with syntax errors, because
// work in progress has many.
func (r *run) reasons(of parse.Trouble) string {
	var named []string
	for _, t := range r.s.Troubled {
		switch found := r.troubles[t.Path]; {
		case found.Trouble != of || of == parse.SyntaxError:
		case found.reason != "":
			named = append(named, t.Path+": "+found.reason)
		default:
			named = append(named, t.Path)
		}
	}
	if len(named) == 0 {
		return ""
	}
	more := ""
	if len(named) > namedTroubles {
		named, more = named[:namedTroubles], "; …"
	}
	return " (" + strings.Join(named, "; ") + more + ")"
}

func countNoun(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}

// reportEvery is the number of files or commits between two reports of progress.
const reportEvery = 64

func (r *run) report(stage string, done, total int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.o.Progress != nil {
		r.o.Progress(Progress{Stage: stage, Done: done, Total: total, Bytes: r.s.Bytes, Basis: r.leading})
	}
}
