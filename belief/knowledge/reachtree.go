package knowledge

import (
	"context"
	"sync"

	"patina/store"
	"patina/store/doc"
)

// A pathTree is a generation's paths, indexed for citations. It does not change after it is read.
type pathTree struct {
	byName map[string][]string // paths by the last component, in lower case
	isCode map[string]bool
	code   map[int64]string      // paths of code that may be found by words
	names  func() map[string]int // files of code by the words in their names
}

// A treeMemo keeps a generation's tree, because each answer with beliefs needs it.
type treeMemo struct {
	mu   sync.Mutex
	tree *pathTree
}

func treeOf(ctx context.Context, r *store.Reader, snap *store.Snapshot) (*pathTree, error) {
	m := store.MemoOf[treeMemo](&snap.Memo)
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.tree == nil {
		t, err := readTree(ctx, r, snap)
		if err != nil {
			return nil, err
		}
		m.tree = t
	}
	return m.tree, nil
}

func readTree(ctx context.Context, r *store.Reader, snap *store.Snapshot) (*pathTree, error) {
	files, err := r.Files(ctx, snap)
	if err != nil {
		return nil, err
	}
	t := &pathTree{byName: make(map[string][]string), isCode: make(map[string]bool), code: make(map[int64]string)}
	for _, x := range files {
		t.byName[lastPart(x.Path)] = append(t.byName[lastPart(x.Path)], x.Path)
	}
	t.names = sync.OnceValue(t.countNames)
	return t, t.classify(ctx, r, snap)
}

// classify reads which files are code, and which of them may be found by words.
func (t *pathTree) classify(ctx context.Context, r *store.Reader, snap *store.Snapshot) error {
	return r.EachRow(ctx, `SELECT key, path, class FROM file WHERE kind = 'code'`, nil,
		func(scan func(...any) error) error {
			var key int64
			var path string
			var class doc.Class
			err := scan(&key, &path, &class)
			if snap.Members.Has(key) {
				if t.isCode[path] = true; class&unsaid == 0 {
					t.code[key] = path
				}
			}
			return err
		})
}

func (t *pathTree) countNames() map[string]int {
	names := make(map[string]int)
	for _, p := range t.code {
		for _, word := range nameOf(p) {
			names[word]++
		}
	}
	return names
}
