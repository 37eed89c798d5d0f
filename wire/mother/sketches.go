package mother

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"patina/internal/safeio"
	"patina/registry/route"
	"patina/wire"
	"patina/wire/nodepb"
	"patina/wire/peer"
)

// Sketches are kept in the user's home, because a question must choose before anything is reached.
// Each is in a file of its own, whose time says when it was last known to be the newest.
const (
	sketchFolder = "sketches"
	sketchEnd    = ".sketch"
	mostSketches = 50
	mostKept     = 1 << 20 // bytes of all sketches
	mostFetched  = 64      // of one call
	maxHead      = 1 << 10
	// sure is how long a sketch counts as the newest without a look at the fronts.
	sure = 24 * time.Hour
	// lookEvery is the least time between two looks for changes.
	lookEvery = time.Minute
	fetchTime = 10 * time.Second
)

// A head is the first line of a kept sketch.
type head struct {
	Repository string `json:"repository"`
	Hash       string `json:"hash"` // of the sketch, as the fronts tell it
}

// A kept is a sketch in the user's home.
type kept struct {
	head
	sketch route.Sketch
	at     time.Time // it was the newest
}

func (c *Client) sketchFile(repository string) string {
	sum := sha256.Sum256([]byte(repository))
	return filepath.Join(c.home, keptFolder, sketchFolder, hex.EncodeToString(sum[:8])+sketchEnd)
}

// readSketch returns the kept sketch of a repository. It reports false if there is none.
func (c *Client) readSketch(repository string) (k kept, ok bool) {
	file := c.sketchFile(repository)
	b, err := safeio.ReadFile(file, int64(route.MaxBytes+maxHead))
	first, rest, whole := bytes.Cut(b, []byte("\n"))
	if err != nil || !whole || json.Unmarshal(first, &k.head) != nil || k.Repository != repository {
		return kept{}, false
	}
	if k.sketch, err = route.Parse(rest); err != nil {
		return kept{}, false
	}
	if info, err := os.Stat(file); err == nil {
		k.at = info.ModTime()
	}
	return k, true
}

// Sketches returns the sketches of repositories that are known, by name. It asks for those that are
// not, and for those that were not compared for long. For the first it waits for shortWait at
// most.
func (c *Client) Sketches(ctx context.Context, repositories []string) map[string]route.Sketch {
	out := map[string]route.Sketch{}
	var missing, old []string
	for _, name := range repositories {
		k, ok := c.readSketch(name)
		switch {
		case !ok:
			missing = append(missing, name)
			continue
		case time.Since(k.at) > sure:
			old = append(old, name)
		}
		out[name] = k.sketch
	}
	if len(missing)+len(old) == 0 {
		return out
	}
	set, err := c.open()
	if err != nil {
		return out
	}
	set.Want(append(old, missing...)...)
	done := make(chan struct{})
	go func() {
		defer close(done)
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), fetchTime)
		defer cancel()
		_ = c.fetch(ctx, set, missing)
		c.compare(ctx, set, old)
	}()
	if len(missing) == 0 {
		return out
	}
	late := time.NewTimer(shortWait)
	defer late.Stop()
	select {
	case <-done:
	case <-late.C:
	case <-ctx.Done():
	}
	for _, name := range missing {
		if k, ok := c.readSketch(name); ok {
			out[name] = k.sketch
		}
	}
	return out
}

// Fetch keeps the sketches of repositories, so that questions may choose them.
func (c *Client) Fetch(ctx context.Context, repositories ...string) error {
	set, err := c.open()
	if err != nil {
		return err
	}
	set.Want(repositories...)
	return c.fetch(ctx, set, repositories)
}

// compareSoon compares, in the background, the kept sketches with those of the fronts, unless that
// was done of late.
func (c *Client) compareSoon(set *peer.Set) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if time.Since(c.looked) < lookEvery {
		return
	}
	c.looked = time.Now()
	var names []string
	for name := range c.targets {
		names = append(names, name)
	}
	done := make(chan struct{})
	c.comparing = done
	go func() {
		defer close(done)
		ctx, cancel := context.WithTimeout(context.Background(), fetchTime)
		defer cancel()
		c.compare(ctx, set, names)
	}()
}

// compare fetches the sketches that have another hash at the fronts than those that are kept.
func (c *Client) compare(ctx context.Context, set *peer.Set, repositories []string) {
	if len(repositories) == 0 || set.Wait(ctx) != nil {
		return
	}
	if !slices.ContainsFunc(set.States(), func(n peer.NodeState) bool { return n.Condition == peer.Up }) {
		return
	}
	now := hashes(set)
	var changed []string
	for _, name := range repositories {
		hash, told := now[name]
		k, ok := c.readSketch(name)
		switch {
		case !told && !ok:
		case !told, ok && k.Hash == hash: // nothing newer is known
			_ = os.Chtimes(c.sketchFile(name), time.Time{}, time.Now())
		default:
			changed = append(changed, name)
		}
	}
	_ = c.fetch(ctx, set, changed)
}

// hashes returns the hashes of sketches that the fronts have told, by repository. Of two, that of
// the newer index counts.
func hashes(set *peer.Set) map[string]string {
	newest := map[string]*nodepb.Hosted{}
	for _, n := range set.States() {
		for _, h := range n.Hosted {
			if old := newest[h.GetRepository()]; old == nil || wire.Fresher(h, old) {
				newest[h.GetRepository()] = h
			}
		}
	}
	out := map[string]string{}
	for name, h := range newest {
		out[name] = hex.EncodeToString(h.GetSketchHash())
	}
	return out
}

// fetch keeps the sketches of repositories.
func (c *Client) fetch(ctx context.Context, set *peer.Set, repositories []string) error {
	if len(repositories) == 0 {
		return nil
	}
	if err := set.Wait(ctx); err != nil {
		return err
	}
	told := hashes(set) // before: a sketch that is newer than its hash is fetched again
	for names := range slices.Chunk(repositories, mostFetched) {
		m := &nodepb.SketchesRequest{Repositories: names}
		reply, call, err := peer.TryAny(ctx, set, peer.How{},
			func(life context.Context, c *peer.Call) (*nodepb.SketchesReply, error) {
				return nodepb.NewNodeClient(c.Conn).Sketches(life, m)
			})
		if err != nil {
			return explain(err)
		}
		call.End()
		for _, s := range reply.GetSketches() {
			if !slices.Contains(names, s.GetRepository()) {
				continue
			}
			if err := c.keepSketch(head{s.GetRepository(), told[s.GetRepository()]}, sketchOf(s)); err != nil {
				return err
			}
		}
	}
	return nil
}

// sketchOf returns the encoding of a sketch that a node sent, without statements if they are of a
// later version.
func sketchOf(s *nodepb.Sketch) []byte {
	all := slices.Concat(s.GetSketch(), s.GetStatements())
	if _, err := route.Parse(all); err != nil {
		return s.GetSketch()
	}
	return all
}

// keep writes a sketch, and removes the oldest ones beyond the bounds.
func (c *Client) keepSketch(h head, sketch []byte) error {
	if len(sketch) > route.MaxBytes {
		return fmt.Errorf("sketch of %.80q: %d bytes", h.Repository, len(sketch))
	}
	if _, err := route.Parse(sketch); err != nil {
		return fmt.Errorf("sketch of %.80q: %w", h.Repository, err)
	}
	first, err := json.Marshal(h)
	if err != nil || len(first) >= maxHead {
		return fmt.Errorf("sketch of %.80q: its name is too long: %w", h.Repository, err)
	}
	file := c.sketchFile(h.Repository)
	if err := os.MkdirAll(filepath.Dir(file), folderMode); err != nil {
		return err
	}
	if err := replaceFile(file, slices.Concat(first, []byte("\n"), sketch)); err != nil {
		return err
	}
	return dropOldest(filepath.Dir(file))
}

// dropOldest removes the files of a folder that are beyond the bounds of kept sketches.
func dropOldest(dir string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	type file struct {
		name string
		at   time.Time
		size int64
	}
	var all []file
	for _, e := range entries {
		if info, err := e.Info(); err == nil && strings.HasSuffix(e.Name(), sketchEnd) {
			all = append(all, file{e.Name(), info.ModTime(), info.Size()})
		}
	}
	slices.SortFunc(all, func(a, b file) int { return cmp.Or(b.at.Compare(a.at), strings.Compare(a.name, b.name)) })
	size := int64(0)
	for i, f := range all {
		if size += f.size; i >= mostSketches || size > mostKept {
			_ = os.Remove(filepath.Join(dir, f.name))
		}
	}
	return nil
}
