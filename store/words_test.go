package store_test

import (
	"context"
	"errors"
	"os"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"patina/store"
	"patina/store/build"
	"patina/store/doc"
	"patina/store/storetest"
)

// held is an Adapter whose fit waits.
type held struct {
	storetest.Fitted
	until chan struct{}
}

func (h held) Adapt(ctx context.Context, c doc.Corpus) (doc.Adapter, error) {
	select {
	case <-h.until:
		return h.Fitted.Adapt(ctx, c)
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// wordsOut is a fresh index whose words are published, and whose fit has not ended.
func wordsOut(t *testing.T, c *storetest.Corpus, dir string) (*build.Writer, build.Options, chan struct{}) {
	t.Helper()
	o, until := storetest.Options, make(chan struct{})
	o.Embedder, o.Load = held{until: until}, storetest.Load
	w := filled(t, c, dir, o)
	if published, err := w.PublishWords(storetest.Generation); !published || err != nil {
		t.Fatalf("words are published: %t, %v", published, err)
	}
	return w, o, until
}

func filled(t *testing.T, c *storetest.Corpus, dir string, o build.Options) *build.Writer {
	t.Helper()
	w, err := build.New(context.Background(), dir, o)
	storetest.Check(t, err)
	k := w.Worker()
	for _, p := range c.Paths() {
		if f := c.Files[p]; f != nil {
			storetest.Check(t, k.Put(f))
		}
	}
	for _, v := range c.Commits {
		storetest.Check(t, w.AddRevision(v))
	}
	return w
}

func someCorpus() *storetest.Corpus {
	c := storetest.NewCorpus(11)
	c.Fill()
	for range 20 {
		c.Commit()
	}
	return c
}

// withoutVectors is a dump without its lines about vectors.
func withoutVectors(dump string) string {
	var out []string
	for line := range strings.Lines(dump) {
		if !strings.HasPrefix(line, "vectors ") {
			out = append(out, line)
		}
	}
	return strings.Join(out, "")
}

// Words and history must answer while the model is fitted. The index published after that must
// equal one that was published once.
func TestWordsAnswerDuringTheFit(t *testing.T) {
	c, dir, once := someCorpus(), t.TempDir(), t.TempDir()
	w, o, until := wordsOut(t, c, dir)
	o.Embedder = storetest.Fitted{}
	alone := filled(t, c, once, o)
	_, err := alone.Publish(storetest.Generation)
	storetest.Check(t, err)
	whole := storetest.Dump(t, once)

	during := storetest.Pin(t, dir)
	if !during.Generation().WordsOnly || during.Generation().Chunks == 0 || during.Generation().Commits != len(c.Commits) {
		t.Errorf("during the fit the generation is %+v", during.Generation())
	}
	if _, err := during.Model(context.Background()); !errors.Is(err, store.ErrNoVectors) {
		t.Errorf("the model of an index that is not fitted: %v", err)
	}
	if got := storetest.Dump(t, dir); withoutVectors(got) != withoutVectors(whole) {
		t.Errorf("words during the fit are not those of the whole index:\n%s\nwant\n%s", got, whole)
	}
	close(until)
	done, err := w.Embed(nil)
	if err != nil || !done.Adapted || done.Rows == 0 {
		t.Errorf("embedded %+v, %v", done, err)
	}
	g, err := w.Publish(storetest.Generation)
	storetest.Check(t, err)
	after := storetest.Pin(t, dir)
	if g.WordsOnly || after.Generation().WordsOnly || g.Number != 1 || after.Generation().Number == during.Generation().Number {
		t.Errorf("generation %+v follows %+v", after.Generation(), during.Generation())
	}
	if got := storetest.Dump(t, dir); got != whole {
		t.Errorf("an index published twice is\n%s\nan index published once\n%s", got, whole)
	}
	here, _ := after.Model(context.Background())
	there, _ := storetest.Pin(t, once).Model(context.Background())
	if here != there || here == "" {
		t.Errorf("model %q, in an index published once %q", here, there)
	}
	u, err := build.Update(context.Background(), dir, o)
	storetest.Check(t, err)
	u.Abort()
}

// A kill during the fit, or before the second publication, must leave words that answer. The next
// scrape builds the index anew, but a question that reads a file before that must keep the words.
func TestKilledDuringTheFit(t *testing.T) {
	c, dir := someCorpus(), t.TempDir()
	w, o, until := wordsOut(t, c, dir)
	words := storetest.Dump(t, dir)
	killed := func(when string) {
		left := t.TempDir()
		storetest.Check(t, os.CopyFS(left, os.DirFS(dir)))
		if got := storetest.Dump(t, left); got != words {
			t.Errorf("%s: killed, the index holds\n%s\nwant\n%s", when, got, words)
		}
		o := o
		o.Embedder = storetest.Fitted{}
		if _, err := build.Update(context.Background(), left, o); !errors.Is(err, build.ErrRebuild) {
			t.Errorf("%s: the next scrape is told %v", when, err)
		}
		o.KeepModel = true
		u, err := build.Update(context.Background(), left, o)
		storetest.Check(t, err)
		path := c.Paths()[0]
		c.Write(path)
		storetest.Check(t, u.Worker().Put(c.Files[path]))
		_, err = u.Publish(storetest.Generation)
		storetest.Check(t, err)
		r := storetest.Pin(t, left)
		if _, err := r.Model(context.Background()); !r.Generation().WordsOnly || !errors.Is(err, store.ErrNoVectors) {
			t.Errorf("%s: after an update the generation is %+v, the model %v", when, r.Generation(), err)
		}
		o.KeepModel = false
		again := filled(t, c, left, o)
		if published, err := again.PublishWords(storetest.Generation); published || err != nil {
			t.Errorf("%s: words are published over those that answer: %t, %v", when, published, err)
		}
		_, err = again.Publish(storetest.Generation)
		storetest.Check(t, err)
		if storetest.Pin(t, left).Generation().WordsOnly {
			t.Errorf("%s: the index built anew has words only", when)
		}
	}
	killed("during the fit")
	close(until)
	_, err := w.Embed(nil)
	storetest.Check(t, err)
	killed("before the second publication")
	w.Abort()
	if got := storetest.Dump(t, dir); got != words {
		t.Errorf("aborted, the index holds\n%s\nwant\n%s", got, words)
	}
}

// An aborted writer ends its fit, and leaves the words.
func TestAbortDuringTheFit(t *testing.T) {
	dir := t.TempDir()
	w, o, _ := wordsOut(t, someCorpus(), dir)
	w.Abort()
	if !storetest.Pin(t, dir).Generation().WordsOnly {
		t.Error("the words are gone")
	}
	if _, err := build.Update(context.Background(), dir, o); !errors.Is(err, build.ErrRebuild) {
		t.Errorf("the next scrape is told %v", err)
	}
}

// Nothing may be published early if an index answers already, or if nothing is fitted.
func TestWordsAreNotPublishedEarly(t *testing.T) {
	c, dir := someCorpus(), t.TempDir()
	o := storetest.Options
	for _, e := range []doc.Embedder{storetest.Hashed{}, nil, build.Unfitted(storetest.Fitted{}), storetest.Fitted{}} {
		o.Embedder, o.Load = e, storetest.Load
		w := filled(t, c, dir, o) // the last one replaces an index
		if published, err := w.PublishWords(storetest.Generation); published || err != nil {
			t.Errorf("%T: words are published early: %t, %v", e, published, err)
		}
		_, err := w.Publish(storetest.Generation)
		storetest.Check(t, err)
	}
}

// A store that is open on an index of words must find its vectors once they are published, even if
// a half-written file existed before.
func TestOpenStoreFindsTheVectors(t *testing.T) {
	ctx := t.Context()
	dir := t.TempDir()
	w, _, until := wordsOut(t, someCorpus(), dir)
	opened := func() *store.Store {
		s, err := store.Open(dir)
		storetest.Check(t, err)
		t.Cleanup(func() { storetest.Check(t, s.Close()) })
		return s
	}
	vectors := func(s *store.Store) (rows int, err error) {
		p, err := s.Pin(ctx, 2)
		storetest.Check(t, err)
		defer p.Close()
		r := p.Readers[0]
		if _, err := r.Model(ctx); err != nil {
			return 0, err
		}
		snap, err := r.Snapshot(ctx)
		storetest.Check(t, err)
		v, err := r.Vectors(snap)
		storetest.Check(t, err)
		defer v.Release()
		for _, g := range snap.Segments {
			if g.Vectors >= 0 {
				rows += int(g.VectorRows())
				storetest.Check(t, v.Check(g))
			}
		}
		return rows, nil
	}
	early := opened()
	if _, err := vectors(early); !errors.Is(err, store.ErrNoVectors) {
		t.Errorf("during the fit: %v", err)
	}
	close(until)
	done, err := w.Embed(nil)
	storetest.Check(t, err)
	late := opened()
	for _, s := range []*store.Store{early, late} {
		if _, err := vectors(s); !errors.Is(err, store.ErrNoVectors) {
			t.Errorf("before they are published: %v", err)
		}
	}
	_, err = w.Publish(storetest.Generation)
	storetest.Check(t, err)
	for _, s := range []*store.Store{early, late} {
		if rows, err := vectors(s); err != nil || rows != done.Rows {
			t.Errorf("%d rows of %d, %v", rows, done.Rows, err)
		}
	}
}

// Words that root publishes for somebody belong to that user from then on: the fit may be killed.
func TestWordsBelongToTheFoldersOwner(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can give files away")
	}
	const user = 4242
	dir := t.TempDir()
	t.Setenv("SUDO_UID", strconv.Itoa(user))
	storetest.Check(t, os.Chown(dir, user, user))
	w, _, _ := wordsOut(t, someCorpus(), dir)
	defer w.Abort()
	entries, err := os.ReadDir(dir)
	storetest.Check(t, err)
	for _, e := range entries {
		info, err := e.Info()
		storetest.Check(t, err)
		if owner := info.Sys().(*syscall.Stat_t).Uid; owner != user {
			t.Errorf("%s belongs to %d", e.Name(), owner)
		}
	}
}
