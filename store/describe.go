package store

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/klauspost/compress/zstd"

	"patina/store/text"
)

// A Want asks for the description of one document.
type Want struct {
	DocID    string
	Kind     Kind
	Chunks   []int         // ordinals of its best chunks for the question, best first; may be empty
	Question text.Question // decides what of a file is shown
	Usage    bool          // link code to its callers and imports: what costs most of a description
}

// maxAlso is how many further symbols of a file a description names.
const maxAlso = 4

// describedLinks is how many files that change together with one a description names, and touchedLinks how many files of a commit.
const (
	describedLinks = 2
	touchedLinks   = 50
)

// Describe tells what each document shows. A document that this generation does not have is an error wrapping ErrNoDocument.
func (r *Reader) Describe(ctx context.Context, wants []Want) ([]Description, error) {
	snap, err := r.snapshot(ctx)
	if err != nil {
		return nil, err
	}
	out := make([]Description, len(wants))
	for i, w := range wants {
		out[i], err = r.describe(ctx, snap, w)
		if errors.Is(err, sql.ErrNoRows) {
			return nil, fmt.Errorf("describe %q: %w", w.DocID, ErrNoDocument)
		}
		if err != nil {
			return nil, fmt.Errorf("describe %q: %w", w.DocID, damaged(err))
		}
	}
	return out, nil
}

func (r *Reader) describe(ctx context.Context, snap *snapshot, w Want) (Description, error) {
	t := KindOf(w.DocID).Traits()
	if t.Shape == OfRows {
		return r.describeCommit(ctx, snap, w.DocID)
	}
	path, part := strings.TrimPrefix(w.DocID, t.Prefix), ""
	f, err := r.fileNamed(ctx, snap, path)
	if errors.Is(err, sql.ErrNoRows) { // a path may hold the separators itself
		f, part, err = r.cutID(ctx, snap, path, t.Separator)
	}
	if err != nil {
		return Description{}, err
	}
	p, err := openParts(f)
	if err != nil {
		return Description{}, err
	}
	d := Description{DocID: w.DocID, Shown: w.DocID, Kind: f.kind, Path: f.path, Language: f.language, Package: f.pkg}
	if d.Stat, err = r.stat(ctx, snap, f.key); err != nil {
		return Description{}, err
	}
	if part != "" {
		i := slices.IndexFunc(p.entries, func(e Entry) bool { return e.Name == part })
		if i < 0 {
			return Description{}, sql.ErrNoRows
		}
		p.show(&d, i)
	} else if err := r.showBest(ctx, &d, p, w); err != nil {
		return Description{}, err
	}
	if f.kind == Code && part == "" {
		d.Also = p.also(w, d.Symbol)
	}
	if d.Links, err = r.neighbours(ctx, f.path); err != nil {
		return d, err
	}
	if f.kind == Code && w.Usage {
		callers, imports, err := r.usage(ctx, snap, f.key, d)
		if err != nil {
			return d, err
		}
		d.Links = slices.Concat(callers, d.Links, imports)
	}
	if d.Title == "" && f.kind == Code {
		d.Summary, err = r.bestLine(ctx, f.key, d.First, d.Last, w.Question)
	}
	return d, err
}

// neighbours are the files that changed most often together with one, each with how often; those that change with everything say
// nothing.
func (r *Reader) neighbours(ctx context.Context, path string) ([]Link, error) {
	links, err := r.coChanged(ctx, path, describedLinks, func(name string) bool { return !routine(name) })
	if errors.Is(err, ErrNoDocument) {
		return nil, nil
	}
	for i := range links {
		links[i].Note, _, _ = strings.Cut(links[i].Note, " ")
	}
	return links, err
}

// parts are the entries and chunks of one file.
type parts struct {
	file    fileRow
	entries []Entry
	chunks  []span
}

func openParts(f fileRow) (parts, error) {
	es, err := decodeEntries(f.entries)
	if err != nil {
		return parts{}, err
	}
	cs, err := decodeChunks(f.chunks)
	for _, c := range cs {
		if c.entry >= len(es) {
			return parts{}, ErrDamaged
		}
	}
	return parts{f, es, cs}, err
}

// show fills in one entry of the file.
func (p parts) show(d *Description, i int) {
	e := p.entries[i]
	d.First, d.Last, d.Symbol, d.Title, d.Summary = e.First, e.Last, e.Name, e.Title, e.Summary
	d.Shown = p.file.kind.PartID(p.file.path, e.Name)
	if p.file.kind == Code {
		d.First = e.Line
	}
}

// showBest chooses what of a file is shown: the definition that the question asks for, or its beginning if the question is its path,
// else the best chunk's symbol.
func (r *Reader) showBest(ctx context.Context, d *Description, p parts, w Want) error {
	if end, ok := writtenPath(w.Question.Raw); ok && p.file.kind == Code && strings.HasSuffix("/"+p.file.path, "/"+end) {
		p.showBeginning(d)
		return nil
	}
	if n, ok := asked(w.Question.Raw); ok && p.file.kind == Code {
		bestScore, at := 0.0, -1
		for i, e := range p.entries {
			if strings.EqualFold(lastName(e.Name), n.last) {
				if x := definitionScore(n, definition{path: p.file.path, entry: e}); x > bestScore {
					bestScore, at = x, i
				}
			}
		}
		if at >= 0 {
			p.show(d, at)
			return nil
		}
	}
	if len(w.Chunks) == 0 || w.Chunks[0] >= len(p.chunks) {
		if len(p.entries) > 0 && p.file.kind != Code {
			p.show(d, 0)
			return nil
		}
		p.showBeginning(d)
		return nil
	}
	c := p.chunks[w.Chunks[0]]
	if c.entry >= 0 {
		p.show(d, c.entry)
		return nil
	}
	d.First, d.Last = c.first, c.last
	return nil
}

// showBeginning shows the type that a file is named after ("NetworkClient.java", "arg_matches.rs"), else its first chunk.
func (p parts) showBeginning(d *Description) {
	stem, _, _ := strings.Cut(path.Base(p.file.path), ".")
	plain := strings.NewReplacer("_", "", "-", "")
	for i, e := range p.entries {
		if e.Sort == Type && strings.EqualFold(plain.Replace(lastName(e.Name)), plain.Replace(stem)) {
			p.show(d, i)
			return
		}
	}
	d.First, d.Last = 1, 1
	if len(p.chunks) > 0 {
		d.First, d.Last = p.chunks[0].first, p.chunks[0].last
	}
}

// also names the symbols of the next best chunks.
func (p parts) also(w Want, shown string) []string {
	var out []string
	for _, i := range w.Chunks {
		if i >= len(p.chunks) || p.chunks[i].entry < 0 {
			continue
		}
		if n := p.entries[p.chunks[i].entry].Name; n != shown && !slices.Contains(out, n) && len(out) < maxAlso {
			out = append(out, n)
		}
	}
	return out
}

func (r *Reader) describeCommit(ctx context.Context, snap *snapshot, id string) (Description, error) {
	v, err := r.revision(ctx, snap, id)
	if err != nil {
		return Description{}, err
	}
	d := Description{DocID: id, Shown: id, Kind: Commit, Title: v.Subject, SHA: v.SHA, Time: v.Time, Author: v.Author}
	d.Summary = firstWords(v.Body)
	named, err := r.pathsOf(ctx, v.files)
	if err != nil {
		return d, err
	}
	paths := slices.Sorted(maps.Keys(named))
	routineLast(paths)
	d.Unlinked = max(0, len(paths)-touchedLinks)
	paths = paths[:len(paths)-d.Unlinked]
	ids := make([]int64, len(paths))
	for i, p := range paths {
		ids[i] = named[p]
	}
	now, err := r.pathsNow(ctx, snap, ids, v.key)
	for i, then := range paths {
		l := Link{Relation: "touches", Target: cmp.Or(now[ids[i]], then)}
		if l.Target != then {
			l.Note = "then " + then
		}
		if !slices.ContainsFunc(d.Links, func(x Link) bool { return x.Target == l.Target }) {
			d.Links = append(d.Links, l)
		}
	}
	return d, err
}

var trailer = text.Lazy(`^(?:[A-Z][A-Za-z]*(?:-[A-Za-z]+)+|Reviewers?|Authors?|Cc): `)

// maxFirstWords is where firstWords takes no further line, in bytes.
const maxFirstWords = 160

// firstWords is what a message's body says first: the lines up to one that ends a sentence, a paragraph or a line of a list, without
// trailers such as "Signed-off-by: …". A list is begun by the line above it that ends in a colon.
func firstWords(body string) string {
	var words []string
	n := 0
	for line := range strings.Lines(body) {
		line = strings.TrimSpace(line)
		empty := line == "" || trailer().MatchString(line)
		item := strings.HasPrefix(line, "- ") || strings.HasPrefix(line, "* ")
		if announced := n > 0 && strings.HasSuffix(words[len(words)-1], ":"); n > 0 && !announced && (empty || item) {
			break
		}
		if empty {
			continue
		}
		words = append(words, line)
		if n += len(line); n > maxFirstWords || strings.ContainsAny(line[len(line)-1:], ".!?") {
			break
		}
	}
	return strings.Join(words, " ")
}

// bestLine is the line of a file's part that holds the most words of the question, trimmed.
func (r *Reader) bestLine(ctx context.Context, key int64, first, last int, q text.Question) (string, error) {
	body, err := r.body(ctx, key)
	if errors.Is(err, sql.ErrNoRows) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	line, most := "", -1
	for _, l := range strings.Split(lines(body, first, last), "\n") {
		if l = strings.TrimSpace(l); l == "" || len(l) > 2000 {
			continue
		}
		seen := make(map[string]bool)
		text.Runs(l, func(run string) {
			text.Words(run, func(w string) {
				if slices.Contains(q.Terms, w) {
					seen[w] = true
				}
			})
		})
		if len(seen) > most {
			line, most = l, len(seen)
		}
	}
	return line, nil
}

var decoders = func() *zstd.Decoder {
	d, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(0), zstd.WithDecoderMaxMemory(256<<20))
	if err != nil {
		panic(err) // only for options that do not exist
	}
	return d
}()

// body returns a file's whole text, or sql.ErrNoRows if the store has none (it is found by path alone).
func (r *Reader) body(ctx context.Context, key int64) (string, error) {
	var frame []byte
	if err := r.conn.QueryRowContext(ctx, `SELECT frame FROM body WHERE key = ?`, key).Scan(&frame); err != nil {
		return "", err
	}
	b, err := decoders.DecodeAll(frame, nil)
	if err != nil {
		return "", joined{ErrDamaged, err}
	}
	return string(b), nil
}

// lines returns lines first..last of a text, counted from 1.
func lines(s string, first, last int) string {
	for i := 1; i < first; i++ {
		_, rest, ok := strings.Cut(s, "\n")
		if !ok {
			return ""
		}
		s = rest
	}
	end := 0
	for i := first; i <= last; i++ {
		n := strings.IndexByte(s[end:], '\n')
		if n < 0 {
			return s
		}
		end += n + 1
	}
	return strings.TrimSuffix(s[:end], "\n")
}

// Body returns a document's description and its whole text: a file, the lines of a symbol with its comment, a section, a
// commit's message. ErrNoDocument says that there is none with that id.
func (r *Reader) Body(ctx context.Context, docID string) (Description, string, error) {
	snap, err := r.snapshot(ctx)
	if err != nil {
		return Description{}, "", err
	}
	ds, err := r.Describe(ctx, []Want{{DocID: docID, Usage: true}})
	if err != nil {
		return Description{}, "", err
	}
	d := ds[0]
	if d.Kind.Traits().Shape == OfRows {
		v, err := r.revision(ctx, snap, docID)
		return d, strings.TrimSpace(v.Subject + "\n\n" + v.Body), damaged(err)
	}
	f, err := r.fileNamed(ctx, snap, d.Path)
	if err != nil {
		return d, "", damaged(err)
	}
	body, err := r.body(ctx, f.key)
	if errors.Is(err, sql.ErrNoRows) {
		return d, "", nil
	}
	if err != nil {
		return d, "", damaged(err)
	}
	if docID == d.Path || docID == d.Kind.FileID(d.Path) {
		d.Shown, d.Symbol, d.Title, d.Summary = docID, "", "", ""
		d.First, d.Last = 1, strings.Count(strings.TrimSuffix(body, "\n"), "\n")+1
		return d, body, nil
	}
	es, err := decodeEntries(f.entries)
	if err != nil {
		return d, "", err
	}
	if i := slices.IndexFunc(es, func(e Entry) bool { return e.Name == d.Symbol }); i >= 0 {
		d.First = es[i].First
	}
	return d, lines(body, d.First, d.Last), nil
}

func unix(t int64) time.Time { return time.Unix(t, 0).UTC() }
