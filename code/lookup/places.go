package lookup

import (
	"context"
	"slices"

	"patina/store"
	"patina/store/doc"
	"patina/store/format"
	"patina/store/text"
)

// pathsOf returns the paths of frames that have one.
func pathsOf(frames []text.Frame) (paths []string) {
	for _, f := range frames {
		if f.Path != "" {
			paths = append(paths, f.Path)
		}
	}
	return paths
}

// placed returns the files of the places in a short question, or the file in which a pasted trace
// ends. It returns nil if there is no place, and for a long text that is no trace.
func placed(
	ctx context.Context, r *store.Reader, snap *store.Snapshot, q text.Question,
) ([]doc.Ranked, error) {
	frames, most := slices.Concat(q.Mentions.Frames, q.Mentions.Places), maxExact
	if q.Long {
		most = 1
	}
	if len(frames) == 0 || q.Long && !q.Traced {
		return nil, nil
	}
	named, err := allNamed(ctx, r, snap, pathsOf(frames))
	if err != nil {
		return nil, err
	}
	files, err := tracedIn(ctx, r, snap, frames, named)
	if err != nil {
		return nil, err
	}
	var out, yielding []doc.Ranked
	for i, found := range files {
		if q.Long && len(found) > 1 {
			continue
		}
		for _, f := range found {
			d, err := rankedAt(ctx, r, snap, f, frames[i])
			if err != nil {
				return nil, err
			}
			if f.yields {
				yielding = append(yielding, d)
			} else {
				out = append(out, d)
			}
		}
	}
	if out = slices.Concat(out, yielding); len(out) > most {
		out = out[:most]
	}
	return out, nil
}

// rankedAt returns the document of a place: a file of code, or the section around a line.
func rankedAt(
	ctx context.Context, r *store.Reader, snap *store.Snapshot, f Placed, at text.Frame,
) (doc.Ranked, error) {
	row, err := r.FileNamed(ctx, snap, f.Path)
	if err != nil {
		return doc.Ranked{}, err
	}
	d := doc.Ranked{DocID: row.Kind.FileID(row.Path), Path: row.Path}
	if row.Kind.Traits().Shape != doc.OfSections {
		return d, nil
	}
	entries, err := format.DecodeEntries(row.Entries)
	if err != nil {
		return d, err
	}
	if i := InnermostEntry(entries, at.Line); i >= 0 {
		d.DocID = row.Kind.PartID(row.Path, entries[i].Name)
	}
	return d, nil
}
