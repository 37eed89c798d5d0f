package store

import (
	"cmp"
	"context"
	"slices"
	"sync"
	"time"

	"patina/store/doc"
)

// dates holds the times and authors of a view's commits and the days of its sessions. The first
// question that needs them reads them, once a generation.
type dates struct {
	mu        sync.Mutex
	read      bool
	commits   []datedCommit // by key
	authors   []doc.Author
	sessions  []datedSession
	coAuthors map[int64][]doc.Author // of commits that name some, by key; nil until a question asks
}

type datedCommit struct {
	key, time int64
	author    int
	merge     bool
}

type datedSession struct {
	first, last int64     // keys of the file and its sections
	at          time.Time // zero: unknown
}

func readDates(ctx context.Context, r *Reader, snap *Snapshot) (*dates, error) {
	d := MemoOf[dates](&snap.Memo)
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.read {
		return d, nil
	}
	d.commits, d.authors, d.sessions = nil, nil, nil
	known := map[doc.Author]int{}
	const query = `SELECT key, time, author, email, merge FROM revision ORDER BY key`
	err := r.EachRow(ctx, query, nil, func(scan func(...any) error) error {
		var c datedCommit
		var a doc.Author
		if err := scan(&c.key, &c.time, &a.Name, &a.Email, &c.merge); err != nil || !snap.Members.Has(c.key) {
			return err
		}
		i, ok := known[a]
		if !ok {
			i = len(d.authors)
			known[a], d.authors = i, append(d.authors, a)
		}
		c.author = i
		d.commits = append(d.commits, c)
		return nil
	})
	if err != nil {
		return nil, Damaged(err)
	}
	if err := readSessionDates(ctx, r, snap, d); err != nil {
		return nil, err
	}
	d.read = true
	return d, nil
}

func readSessionDates(ctx context.Context, r *Reader, snap *Snapshot, d *dates) error {
	files, err := r.Files(ctx, snap)
	if err != nil {
		return err
	}
	sections := make(map[int64]int64, len(files))
	for _, f := range files {
		sections[f.Key] = f.Entries
	}
	const query = `SELECT key, id, started FROM session ORDER BY key`
	return Damaged(r.EachRow(ctx, query, nil, func(scan func(...any) error) error {
		var key int64
		var id, started string
		err := scan(&key, &id, &started)
		if snap.Members.Has(key) {
			d.sessions = append(
				d.sessions, datedSession{key, key + sections[key], doc.FindDay(cmp.Or(started, id), id)})
		}
		return err
	}))
}

// readAuthors returns the dates for a When: with the co-authors of commits, if it asks for an
// author.
func readAuthors(ctx context.Context, r *Reader, snap *Snapshot, w doc.When) (*dates, error) {
	d, err := readDates(ctx, r, snap)
	if err != nil || w.Author == "" {
		return d, err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.coAuthors != nil {
		return d, nil
	}
	found := map[int64][]doc.Author{}
	const query = `SELECT key, body FROM revision WHERE body LIKE '%co-authored-by:%'`
	err = r.EachRow(ctx, query, nil, func(scan func(...any) error) error {
		var key int64
		var body string
		err := scan(&key, &body)
		if people := doc.CoAuthors(body); len(people) > 0 {
			found[key] = people
		}
		return err
	})
	if err != nil {
		return nil, Damaged(err)
	}
	d.coAuthors = found
	return d, nil
}

// passing returns a function that reports whether the author of a commit passes a When.
func (d *dates) passing(w doc.When) func(datedCommit) bool {
	by := make([]bool, len(d.authors))
	for i, a := range d.authors {
		by[i] = w.Wrote(a.Name, a.Email)
	}
	return func(c datedCommit) bool {
		return by[c.author] ||
			w.Author != "" &&
				slices.ContainsFunc(d.coAuthors[c.key], func(a doc.Author) bool { return w.Wrote(a.Name, a.Email) })
	}
}

// removeOutside takes the keys out of a set that a When does not let pass.
func (d *dates) removeOutside(w doc.When, allow *doc.Bitmap) {
	passes := d.passing(w)
	for _, c := range d.commits {
		if !passes(c) || !w.Holds(doc.Unix(c.time)) {
			allow.Clear(c.key)
		}
	}
	for _, s := range d.sessions {
		if s.at.IsZero() && (!w.Only || !w.Span.Set()) || !s.at.IsZero() && w.Holds(s.at) {
			continue
		}
		for k := s.first; k <= s.last; k++ {
			allow.Clear(k)
		}
	}
}

// CommitTimes returns the times of commits by key, in unix seconds.
func (r *Reader) CommitTimes(ctx context.Context, snap *Snapshot) (func(key int64) int64, error) {
	d, err := readDates(ctx, r, snap)
	if err != nil {
		return nil, err
	}
	return func(key int64) int64 {
		i, ok := slices.BinarySearchFunc(
			d.commits, key, func(c datedCommit, k int64) int { return cmp.Compare(c.key, k) })
		if !ok {
			return 0
		}
		return d.commits[i].time
	}, nil
}

// NewestCommits returns the keys of the newest commits without merges, at most limit. allow may be
// nil.
func (r *Reader) NewestCommits(ctx context.Context, snap *Snapshot, allow *doc.Bitmap, limit int) ([]int64, error) {
	d, err := readDates(ctx, r, snap)
	if err != nil {
		return nil, err
	}
	var all []datedCommit
	for _, c := range d.commits {
		if !c.merge && (allow == nil || allow.Has(c.key)) {
			all = append(all, c)
		}
	}
	slices.SortFunc(all,
		func(a, b datedCommit) int { return cmp.Or(cmp.Compare(b.time, a.time), cmp.Compare(b.key, a.key)) })
	var keys []int64
	for _, c := range all[:min(limit, len(all))] {
		keys = append(keys, c.key)
	}
	return keys, nil
}

// Commits counts the commits that pass.
func (r *Reader) Commits(ctx context.Context, snap *Snapshot, w doc.When) (n int, err error) {
	d, err := readAuthors(ctx, r, snap, w)
	if err != nil {
		return 0, err
	}
	passes := d.passing(w)
	for _, c := range d.commits {
		if passes(c) && w.Holds(doc.Unix(c.time)) {
			n++
		}
	}
	return n, nil
}

// AuthorNamed returns the author with a name of whole words (period.Is), as "name <address>". Of
// several it returns the one with the most commits, and the number of the others. who is "" if
// there is no such author.
func (r *Reader) AuthorNamed(ctx context.Context, snap *Snapshot, name string) (who string, others int, err error) {
	w := doc.When{Author: name, Named: true}
	d, err := readAuthors(ctx, r, snap, w)
	if err != nil {
		return "", 0, err
	}
	counts := make(map[string]int)
	for _, c := range d.commits {
		for _, a := range append([]doc.Author{d.authors[c.author]}, d.coAuthors[c.key]...) {
			if w.Wrote(a.Name, a.Email) {
				counts[a.Name]++
			}
		}
	}
	for n, k := range counts {
		if who == "" || k > counts[who] || k == counts[who] && n < who {
			who = n
		}
	}
	return who, max(0, len(counts)-1), nil
}

// Authors returns the names of authors, most commits first, at most limit.
func (r *Reader) Authors(ctx context.Context, snap *Snapshot, limit int) ([]string, error) {
	d, err := readDates(ctx, r, snap)
	if err != nil {
		return nil, err
	}
	counts := make(map[string]int)
	for _, c := range d.commits {
		counts[d.authors[c.author].Name]++
	}
	names := make([]string, 0, len(counts))
	for n := range counts {
		names = append(names, n)
	}
	slices.SortFunc(names,
		func(a, b string) int { return cmp.Or(cmp.Compare(counts[b], counts[a]), cmp.Compare(a, b)) })
	return names[:min(limit, len(names))], nil
}

// MaxVoteFiles is the most files a commit may touch and still count, in voting and in learning
// meanings.
const MaxVoteFiles = 20
