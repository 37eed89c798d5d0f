package scrape

import (
	"context"
	"errors"
	"fmt"
	"time"

	"patina/scrape/content"
	"patina/scrape/openat"
	"patina/scrape/walk"
	"patina/store/build"
	"patina/store/doc"
)

// Version returns this program's version of tokenizer and parsers, as written into a store.
func Version() string { return build.Options{Extractor: extractor}.Version() }

// A Pending counts the changes that the next scrape would make to a store's files.
type Pending struct {
	Added, Changed, Removed int
	Missing                 []string // submodules that are not checked out, hence unknown
	Secrets                 bool     // the store contains credentials
}

// Files returns the sum of all changes.
func (p Pending) Files() int { return p.Added + p.Changed + p.Removed }

// Compare walks a folder as Run would and compares it with known, the files of its store. compared
// must be the time when the index was last compared with the whole tree; zero means unknown.
// Compare reads files that differ by their stat or were written after two seconds before compared,
// and all files if compared is zero. It writes nothing. Credentials are compared only if they are
// in known.
func Compare(
	ctx context.Context, root, storeDir string, known map[string]doc.FileState, compared time.Time,
) (Pending, error) {
	l, err := walk.Files(ctx, root, storeDir, nil)
	if err != nil {
		return Pending{}, fmt.Errorf("compare %q: %w", root, err)
	}
	at, err := openat.Open(root)
	if err != nil {
		return Pending{}, fmt.Errorf("compare %q: %w", root, err)
	}
	defer at.Close()
	jobs, gone := compareFiles(at, l, known, distrustRacy(compared, nil))
	p := Pending{Removed: len(gone), Missing: l.Missing, Secrets: holdsSecrets(known)}
	for _, j := range jobs {
		if ctx.Err() != nil {
			return p, ctx.Err()
		}
		c, err := content.Read(at, j.Path, j.Stat.Size, content.Limits{
			MaxSize: defaultMaxFileSize, Secrets: content.IsSecret(j.old),
		})
		switch {
		case errors.As(err, new(content.Skip)) && j.old != "":
			p.Removed++
		case errors.As(err, new(content.Skip)):
		case err != nil:
			return p, fmt.Errorf("compare %q: %w", j.Path, err)
		case j.old == "":
			p.Added++
		case c.Hash+j.context() != j.old:
			p.Changed++
		}
	}
	return p, nil
}
