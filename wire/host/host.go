package host

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"net/url"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"time"

	"google.golang.org/grpc/credentials"

	"patina/actors"
	"patina/actors/api"
	"patina/ask/clones"
	"patina/ask/embedders"
	"patina/ask/project"
	"patina/ask/visit"
	"patina/registry"
	"patina/registry/route"
	"patina/scrape"
	"patina/wire/config"
	"patina/wire/nodepb"
	"patina/wire/serve"
)

// Options configure a Host.
type Options struct {
	Node   string // its name
	Config *config.Config
	// Folder is that of the configuration. Relative paths in it begin there.
	Folder string
	// Credentials returns those of a connection to another node. If it is nil, connections are in
	// the clear.
	Credentials func(config.Node) credentials.TransportCredentials
	Every       time.Duration // between fetches; a minute if 0
	Seed        uint64        // of the jitter of fetches
	// Handover is how long the new owners of a repository must have shown it before it goes; 2 min
	// if 0.
	Handover time.Duration
	Open     int          // most indexes that stay open; 64 if 0
	Log      *slog.Logger // nil: nothing is logged
}

// fetches is how many repositories are fetched at once: the servers are others', and waiting costs
// nothing here.
const fetches = 8

const (
	// defaultOpen is how many indexes stay open. Each takes 11 files and 10 MB, and much more if it
	// is large. A question to another one opens it, which takes 10 to 20 ms.
	defaultOpen = 64
	// unusedTime is how long an index stays open that nobody asks, and restEvery how often it is
	// looked.
	unusedTime = 10 * time.Minute
	restEvery  = 5 * time.Second
)

// A Host keeps the repositories of a node in the home folder of patina (registry.Home). It is safe
// for concurrent use. Close ends it.
type Host struct {
	options Options
	home    string
	engine  *actors.Engine
	serve   *serve.Engine
	life    context.Context
	end     context.CancelFunc
	work    sync.WaitGroup

	vectors  *embedders.Queue // of chosen models, made in the background
	fetching chan struct{}    // slots
	scraping chan struct{}    // slots

	changing sync.Mutex // held while the set of repositories changes

	mu      sync.Mutex
	config  *config.Config
	repos   map[string]*repository   // by name on the wire
	shown   map[string]visit.Service // by name in the engine
	added   int                      // projects of the engine so far
	left    chan struct{}            // gets a value when repositories have become others'
	closing bool
}

// Open begins to keep the repositories that are the node's by the plan of the configuration. It
// answers at once for those that have an index.
func Open(o Options) (*Host, error) {
	home, err := registry.Home()
	if err != nil {
		return nil, err
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	o.Every, o.Open = cmp.Or(o.Every, fetchEvery), cmp.Or(o.Open, defaultOpen)
	o.Handover = cmp.Or(o.Handover, handover)
	if o.Folder, err = filepath.Abs(o.Folder); err != nil {
		return nil, err
	}
	engine := project.EngineOptions()
	engine.Lazy, engine.Logger = true, o.Log
	e, err := actors.Open(engine)
	if err != nil {
		return nil, err
	}
	h := &Host{
		options: o, home: home, engine: e, serve: serve.NewEngine(e),
		fetching: make(chan struct{}, fetches),
		scraping: make(chan struct{}, max(1, runtime.GOMAXPROCS(0)/2)), // one uses two processors
		repos:    map[string]*repository{}, shown: map[string]visit.Service{}, left: make(chan struct{}, 1),
	}
	h.life, h.end = context.WithCancel(context.Background())
	h.vectors = embedders.NewQueue(h.life, o.Log)
	if err := h.Update(o.Config); err != nil {
		return nil, errors.Join(err, h.Close(context.Background()))
	}
	h.work.Go(h.watchLeaving)
	h.work.Go(h.restIndexes)
	return h, nil
}

// rest closes indexes that nobody asks.
func (h *Host) restIndexes() {
	t := time.NewTicker(restEvery)
	defer t.Stop()
	for {
		select {
		case <-h.life.Done():
			return
		case <-t.C:
			h.engine.Rest(unusedTime, h.options.Open)
		}
	}
}

// Update makes a configuration the one in force. Repositories that are the node's from now on are
// cloned. Those that are others' from now on stay until these have them. Those that are no longer
// listed are not answered for any more, and their folders stay.
func (h *Host) Update(c *config.Config) error {
	plan, err := planOf(c)
	if err != nil {
		return err
	}
	h.changing.Lock()
	defer h.changing.Unlock()
	h.mu.Lock()
	if h.closing {
		h.mu.Unlock()
		return api.ErrClosed
	}
	h.config = c
	known := maps.Clone(h.repos)
	h.mu.Unlock()
	for _, entry := range c.Repositories {
		owners := plan[entry.Name]
		h.updateOne(known[entry.Name], entry, owners)
		delete(known, entry.Name)
	}
	for name, r := range known {
		h.options.Log.Info("repository is no longer listed; its folder stays", "repository", name)
		r.stop()
		h.takeDown(r)
		h.mu.Lock()
		delete(h.repos, name)
		h.mu.Unlock()
	}
	select {
	case h.left <- struct{}{}:
	default:
	}
	return nil
}

// planOf returns the plan of a configuration, which may have no repositories.
func planOf(c *config.Config) (map[string][]string, error) {
	if len(c.Repositories) == 0 {
		return nil, nil
	}
	return c.Plan()
}

// updateOne begins to keep a repository, or tells the keeper what has changed. r is nil for a new
// one. The caller holds changing.
func (h *Host) updateOne(r *repository, entry config.Repository, owners []string) {
	address := h.addressOf(entry.URL)
	own := slices.Contains(owners, h.options.Node)
	if r != nil && r.url == address {
		r.reconfigure(entry, owners, own)
		return
	}
	if r == nil && !own && !clones.Has(h.home, address) {
		return
	}
	next := newRepository(h, entry, address, owners, own)
	if r != nil { // it is fetched from elsewhere: the old clone answers until the new one does
		r.stop()
		next.replaces = r
	}
	h.mu.Lock()
	h.repos[entry.Name] = next
	h.mu.Unlock()
	next.start()
}

// addressOf returns the address of a repository as git takes it. A path becomes a URL, from the
// folder of the configuration on.
func (h *Host) addressOf(address string) string {
	if scrape.IsURL(address) {
		return address
	}
	if !filepath.IsAbs(address) {
		address = filepath.Join(h.options.Folder, address)
	}
	return (&url.URL{Scheme: "file", Path: filepath.Clean(address)}).String()
}

// takeDown ends the answers of a repository, after the running ones.
func (h *Host) takeDown(r *repository) {
	r.mu.Lock()
	of, replaces := r.project, r.replaces
	r.mu.Unlock()
	if replaces != nil {
		h.takeDown(replaces)
	}
	if of != "" {
		if t, ok := h.serve.Target(r.name); ok && t.Name() == of {
			h.serve.Drop(r.name)
		}
		h.removeProject(of)
	}
}

// removeProject removes a project from the engine, after its running questions.
func (h *Host) removeProject(name string) {
	if err := h.engine.Remove(h.life, name); err != nil && !errors.Is(err, api.ErrNoProject) {
		h.options.Log.Warn("index not closed", "project", name, "why", err.Error())
	}
	h.mu.Lock()
	delete(h.shown, name)
	h.mu.Unlock()
}

// afterSwap is how long a project stays in the engine after another one has taken its place,
// because a call that has found it may not have asked it yet.
const afterSwap = time.Second

// removeLater removes a project from the engine when no call can have just found it.
func (h *Host) removeLater(name string) {
	h.work.Go(func() {
		select {
		case <-time.After(afterSwap):
			h.removeProject(name)
		case <-h.life.Done(): // Close does it
		}
	})
}

// nameProject returns a name for a project of the engine. The same repository gets another one when
// its kinds or its clone change, because the old project still answers then.
func (h *Host) nameProject(repository string) string {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.added++
	return fmt.Sprintf("%s#%d", repository, h.added)
}

// Backend returns what a server answers from.
func (h *Host) Backend() serve.Backend { return backend{h.serve, h} }

// A backend limits each repository to the kinds that it shows to others.
type backend struct {
	*serve.Engine
	host *Host
}

// Target implements serve.Backend.
func (b backend) Target(repository string) (api.Target, bool) {
	t, ok := b.Engine.Target(repository)
	if !ok {
		return nil, false
	}
	b.host.mu.Lock()
	shown, ok := b.host.shown[t.Name()]
	b.host.mu.Unlock()
	return visit.Target{Target: t, Service: shown}, ok
}

// Sketch returns the sketch of a hosted repository, or nil.
func (h *Host) Sketch(repository string) *route.Sketch {
	if r := h.findRepository(repository); r != nil {
		r.mu.Lock()
		defer r.mu.Unlock()
		return r.sketch
	}
	return nil
}

// Hosted returns the repositories that are answered for.
func (h *Host) Hosted() []*nodepb.Hosted { return h.serve.Repositories() }

func (h *Host) findRepository(repository string) *repository {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.repos[repository]
}

// all returns the repositories by name.
func (h *Host) all() []*repository {
	h.mu.Lock()
	defer h.mu.Unlock()
	var out []*repository
	for _, name := range slices.Sorted(maps.Keys(h.repos)) {
		out = append(out, h.repos[name])
	}
	return out
}

// Close ends all work and closes the indexes, after the running questions. If ctx ends before, it
// returns an error. It may be called again.
func (h *Host) Close(ctx context.Context) error {
	h.Stop()
	return h.engine.Close(ctx)
}

// Stop ends fetches and scrapes, which leave each index as it was published last. What is hosted is
// answered for until Close. It may be called again.
func (h *Host) Stop() {
	h.mu.Lock()
	h.closing = true
	h.mu.Unlock()
	h.end()
	h.vectors.CloseWithin(endTime)
	h.work.Wait()
}

// endTime is the longest time that Stop waits for vectors that are being made.
const endTime = time.Second
