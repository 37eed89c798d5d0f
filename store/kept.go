package store

import (
	"context"
	"strings"
	"sync"
	"unsafe"

	"patina/store/doc"
	"patina/store/text"
)

// A KeptText is a file's text for answers. It must not be changed.
type KeptText struct {
	Body string

	cut   sync.Once
	lines text.Lines
}

// Lines returns the lines of the text. Only a text that is shown is cut.
func (t *KeptText) Lines() text.Lines {
	t.cut.Do(func() { t.lines = text.CutLines(t.Body) })
	return t.lines
}

// A generation keeps the texts and the rows of files that were used last. A question reads about 15
// files of 10 to 50 KB, some of them twice, and the next questions are often about the same files.
const (
	keptTexts = 24 << 20 // bytes
	keptFiles = 8 << 20
)

type (
	recentTexts = Recent[int64, *KeptText]
	recentFiles = Recent[keptPath, *KeptFile]
)

// Kept returns a file's text, from memory if it was read recently. It returns sql.ErrNoRows as Text
// does.
func (r *Reader) Kept(ctx context.Context, snap *Snapshot, key int64) (*KeptText, error) {
	kept := MemoOf[recentTexts](&snap.Memo)
	if t, ok := kept.Get(key); ok {
		return t, nil
	}
	body, err := r.Text(ctx, key)
	if err != nil {
		return nil, err
	}
	t := &KeptText{Body: body}
	kept.Put(key, t, len(body)+4*(1+strings.Count(body, "\n")), keptTexts)
	return t, nil
}

// A keptPath is a path in a publication, because a publication without a new generation may have
// newer stats.
type keptPath struct{ publication, path string }

// A KeptFile is a decoded file of a view. It must not be changed.
type KeptFile struct {
	Parts
	Stat doc.Stat // in the view's tree
}

// The cross join fixes the order of the tables, because SQLite would otherwise read the stats of
// all files.
const selectKept = `SELECT f.key, f.path, f.kind, f.language, f.package, f.class, f.functions, f.entries, f.chunks,
	s.size, s.mtime, s.ctime, s.inode FROM file f CROSS JOIN seen s ON s.view = ? AND s.key = f.key WHERE f.path = ?`

// KeptFile returns the file at a path in the reader's view, from memory if it was read recently. It
// returns sql.ErrNoRows as FileNamed does.
func (r *Reader) KeptFile(ctx context.Context, snap *Snapshot, path string) (*KeptFile, error) {
	kept, at := MemoOf[recentFiles](&snap.Memo), keptPath{r.sees.publication, path}
	if f, ok := kept.Get(at); ok {
		return f, nil
	}
	var f *KeptFile
	err := r.EachRow(ctx, selectKept, []any{snap.View, path}, func(scan func(...any) error) error {
		x := &KeptFile{}
		var inode int64 // SQLite has no unsigned integers
		err := x.File.scanRow(func(into ...any) error {
			return scan(append(into, &x.Stat.Size, &x.Stat.ModTime, &x.Stat.ChangeTime, &inode)...)
		})
		if x.Stat.Inode = uint64(inode); err == nil && snap.Members.Has(x.File.Key) {
			f = x
		}
		return err
	})
	if err != nil || f == nil {
		return nil, OrNoRows(err)
	}
	if f.Parts, err = OpenParts(f.File); err != nil {
		return nil, err
	}
	kept.Put(at, f, f.memorySize(), keptFiles)
	return f, nil
}

// KeptPart is CutID with a kept file.
func (r *Reader) KeptPart(ctx context.Context, snap *Snapshot, id, sep string) (f *KeptFile, part string, err error) {
	return cutID(id, sep, func(path string) (*KeptFile, error) { return r.KeptFile(ctx, snap, path) })
}

// memorySize is about the memory that a file takes.
func (f *KeptFile) memorySize() int {
	const entry, span = int(unsafe.Sizeof(doc.Entry{})), int(unsafe.Sizeof(doc.Span{}))
	return 512 + 2*len(f.File.Path) + len(f.File.Entries) + len(f.File.chunks) + entry*len(f.Entries) + span*len(f.Chunks)
}
