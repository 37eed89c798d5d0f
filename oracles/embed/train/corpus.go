package train

import (
	"cmp"
	"context"
	"fmt"
	"hash/fnv"
	"io"
	"maps"
	"path"
	"runtime"
	"slices"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"

	"patina/oracles/embed"
)

// mostOfOne is the number of bytes after which no more folders of a source are read, because no
// source should outweigh the others. Go's standard library is read whole.
const mostOfOne = 8 << 20

// A Corpus holds the examples of all sources.
type Corpus struct {
	Manifest []Entry
	examples []example
	held     []example
	files    int32
	seen     map[uint64]bool
}

// An Entry is the row of a source in the manifest.
type Entry struct {
	Source
	Files, Examples int
	Bytes           int64
	// Shared and Copies count the examples left out because an evaluation file holds them, or
	// because they were seen before.
	Shared, Copies int
}

// Options name the folders and the evaluation texts.
type Options struct {
	Cache   string   // folder for downloads
	Mirrors string   // folder of local git copies, as owner+name/repo; may be empty
	Windows *Windows // of evaluation files; must not be nil
	Log     io.Writer
}

// Read reads all sources. It returns an error if the licence of a source is not the one in the
// list.
func Read(ctx context.Context, sources []Source, o Options) (*Corpus, error) {
	c := &Corpus{seen: map[uint64]bool{}}
	for _, s := range sources {
		files, err := readSource(ctx, s, o)
		if err != nil {
			return nil, fmt.Errorf("read source %q: %w", s.Name, err)
		}
		e := c.add(s, files, o.Windows)
		fmt.Fprintf(o.Log, "%s %.12s %s: %d files, %.1f MB, %d examples, %d shared with evaluation files, %d copies\n",
			s.Name, s.Version, s.Licence, e.Files, float64(e.Bytes)/1e6, e.Examples, e.Shared, e.Copies)
	}
	return c, nil
}

// readSource fetches a source's files and checks its licence.
func readSource(ctx context.Context, s Source, o Options) ([]file, error) {
	files, err := bring(ctx, s, o, func(name string, size int64) bool { return isLicence(name) || wanted(name, size) })
	if err != nil {
		return nil, err
	}
	licences := map[string][]byte{}
	files = slices.DeleteFunc(files, func(f file) bool {
		if isLicence(f.path) {
			licences[f.path] = f.text
			return true
		}
		return false
	})
	licence, err := detect(licences)
	if err != nil {
		return nil, err
	}
	if licence != s.Licence {
		return nil, fmt.Errorf("licence is %s, the list says %s", licence, s.Licence)
	}
	if s.Name == standard {
		return slices.DeleteFunc(files, func(f file) bool { return !strings.HasPrefix(f.path, "src/") }), nil
	}
	return limited(files), nil
}

// Licence returns the detected licence of a source, for the list.
func Licence(ctx context.Context, s Source, o Options) (string, error) {
	files, err := bring(ctx, s, o, func(name string, _ int64) bool { return isLicence(name) })
	if err != nil {
		return "", err
	}
	licences := map[string][]byte{}
	for _, f := range files {
		licences[f.path] = f.text
	}
	return detect(licences)
}

func bring(ctx context.Context, s Source, o Options, keep func(string, int64) bool) ([]file, error) {
	if s.Repository() {
		dir, err := repository(ctx, s, o.Cache, o.Mirrors)
		if err != nil {
			return nil, err
		}
		return committed(ctx, dir, s.Version, keep)
	}
	dir, err := moduleFolder(ctx, s)
	if err != nil {
		return nil, err
	}
	return below(dir, keep)
}

// limited returns whole folders of files, up to about mostOfOne bytes. Their order depends only on
// their names.
func limited(files []file) []file {
	folders := map[string][]file{}
	for _, f := range files {
		folders[path.Dir(f.path)] = append(folders[path.Dir(f.path)], f)
	}
	names := slices.SortedFunc(maps.Keys(folders), func(a, b string) int {
		return cmp.Or(cmp.Compare(hash(a), hash(b)), cmp.Compare(a, b))
	})
	var out []file
	size := 0
	for _, name := range names {
		if size >= mostOfOne {
			break
		}
		for _, f := range folders[name] {
			size += len(f.text)
		}
		out = append(out, folders[name]...)
	}
	slices.SortFunc(out, func(a, b file) int { return cmp.Compare(a.path, b.path) })
	return out
}

// add mines files on all cores, and adds their examples in the order of files.
func (c *Corpus) add(s Source, files []file, w *Windows) Entry {
	e := Entry{Source: s, Files: len(files)}
	mined := make([][]example, len(files))
	var mu sync.Mutex
	var group errgroup.Group
	group.SetLimit(runtime.GOMAXPROCS(0))
	for i, f := range files {
		e.Bytes += int64(len(f.text))
		group.Go(func() error {
			found, dropped := mine(f.path, f.text, w.Shared(f.text))
			mined[i] = found
			mu.Lock()
			e.Shared += dropped
			mu.Unlock()
			return nil
		})
	}
	_ = group.Wait()
	for _, found := range mined {
		for _, x := range found {
			key := hash(string(x.kind) + x.body)
			if c.seen[key] {
				e.Copies++
				continue
			}
			c.seen[key] = true
			// A body may be shared even if its file is not, for example without its docstring.
			if w.Shared([]byte(x.body)) != nil {
				e.Shared++
				continue
			}
			x.file = c.files
			e.Examples++
			if s.Held {
				c.held = append(c.held, x)
			} else {
				c.examples = append(c.examples, x)
			}
		}
		c.files++
	}
	c.Manifest = append(c.Manifest, e)
	return e
}

// Vocabulary builds the corpus's word pieces. It must be called before Run, because Run drops the
// examples.
func (c *Corpus) Vocabulary(size int) (*embed.Vocabulary, error) {
	counts := map[string]int{}
	for _, e := range c.examples {
		count(counts, e)
	}
	return vocabulary(counts, size)
}

// parallel calls f with 0 to n−1 on all cores, and returns when all calls are done.
func parallel(n int, f func(i int)) {
	var group errgroup.Group
	cores := runtime.GOMAXPROCS(0)
	for k := range cores {
		group.Go(func() error {
			for i := n * k / cores; i < n*(k+1)/cores; i++ {
				f(i)
			}
			return nil
		})
	}
	_ = group.Wait()
}

func hash(text string) uint64 {
	h := fnv.New64a()
	_, _ = io.WriteString(h, text)
	return h.Sum64()
}
