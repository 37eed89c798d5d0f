package verify

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"patina/belief"
	"patina/store"
	"patina/store/doc"
	"patina/store/format"
)

func formatTime(t time.Time) string { return t.UTC().Format(time.RFC3339) }

// trackedFiles asks git if s.Tracked is not nil, because an index leaves out files that it cannot
// read.
func trackedFiles(ctx context.Context, s *source, row func(...any) error) error {
	var paths []string
	var err error
	if s.Tracked != nil {
		paths, err = s.Tracked(ctx)
	} else {
		var files []doc.ListedFile
		files, err = s.Reader.Files(ctx, s.snapshot)
		for _, f := range files {
			paths = append(paths, f.Path)
		}
	}
	if err != nil {
		return err
	}
	for _, p := range paths {
		if err := row(p, "tracked"); err != nil {
			return err
		}
	}
	return nil
}

// eachCommit calls f with the view's commits, oldest first, merges included.
func (s *source) eachCommit(ctx context.Context, f func(store.RevisionRow) error) error {
	return s.Reader.EachRevision(ctx, s.snapshot, `ORDER BY key`, nil, f)
}

func messageOf(v store.RevisionRow) string {
	return belief.Clip(strings.TrimSpace(v.Subject + "\n\n" + v.Body))
}

func addCommits(ctx context.Context, s *source, row func(...any) error) error {
	return s.eachCommit(ctx, func(v store.RevisionRow) error {
		return row(v.SHA, messageOf(v), v.Author, v.Email, formatTime(v.Time), s.Reader.Generation().Branch)
	})
}

func commitFiles(ctx context.Context, s *source, row func(...any) error) error {
	names, err := s.Reader.PathNames(ctx)
	if err != nil {
		return err
	}
	return s.eachCommit(ctx, func(v store.RevisionRow) error {
		ids, err := format.DecodeIDs(v.Files)
		if err != nil {
			return err
		}
		for _, id := range ids {
			if err := row(v.SHA, names[id]); err != nil {
				return err
			}
		}
		return nil
	})
}

// A tag is a name of a commit. Its time is the commit's, or zero if the commit is not in the
// history.
type tag struct {
	name, sha string
	time      time.Time
}

func (s *source) tags(ctx context.Context) (tags []tag, err error) {
	times := make(map[string]time.Time)
	err = s.eachCommit(ctx, func(v store.RevisionRow) error {
		times[v.SHA] = v.Time
		return nil
	})
	if err != nil {
		return nil, err
	}
	err = s.Reader.EachRow(ctx, `SELECT name, sha FROM tag ORDER BY name`, nil, func(scan func(...any) error) error {
		var t tag
		err := scan(&t.name, &t.sha)
		t.time = times[t.sha]
		tags = append(tags, t)
		return err
	})
	return tags, err
}

func gitTags(ctx context.Context, s *source, row func(...any) error) error {
	tags, err := s.tags(ctx)
	if err != nil {
		return err
	}
	for _, t := range tags {
		var date any
		if !t.time.IsZero() {
			date = formatTime(t.time)
		}
		if err := row(t.name, t.sha, date); err != nil {
			return err
		}
	}
	return nil
}

// A session is a span of time between two tags.
type session struct {
	id         string
	start, end time.Time
}

// pairSessions pairs tags named session-<id>-start and session-<id>-end, by start.
func pairSessions(tags []tag) (out []session) {
	ends := make(map[string]time.Time)
	for _, t := range tags {
		if id, ok := sessionOf(t.name, "-end"); ok {
			ends[id] = t.time
		}
	}
	for _, t := range tags {
		if id, ok := sessionOf(t.name, "-start"); ok && !t.time.IsZero() && !ends[id].IsZero() {
			out = append(out, session{id, t.time, ends[id]})
		}
	}
	slices.SortStableFunc(out, func(a, b session) int { return a.start.Compare(b.start) })
	return out
}

func sessionOf(tag, suffix string) (id string, ok bool) {
	id, starts := strings.CutPrefix(tag, "session-")
	id, ends := strings.CutSuffix(id, suffix)
	return id, starts && ends
}

// sessionDuring returns the session at a time, or "". Of several, the one that began last is
// returned.
func sessionDuring(all []session, t time.Time) string {
	at, _ := slices.BinarySearchFunc(all, t, func(s session, t time.Time) int {
		if s.start.After(t) {
			return 1
		}
		return -1
	})
	for i := at - 1; i >= max(0, at-nested); i-- {
		if !t.After(all[i].end) {
			return all[i].id
		}
	}
	return ""
}

// nested bounds the earlier sessions that are searched.
const nested = 50

// addEvents adds one event for each commit, tag and document of the layer.
func addEvents(ctx context.Context, s *source, row func(...any) error) error {
	seq := 0
	event := func(kind, at, id, file string, data map[string]any) error {
		seq++
		b, err := json.Marshal(data)
		if err != nil {
			return fmt.Errorf("write event %s of %q: %w", kind, id, err)
		}
		var path any
		if file != "" {
			path = file
		}
		return row(seq, kind, at, id, path, string(b))
	}
	tags, err := s.tags(ctx)
	if err != nil {
		return err
	}
	all := pairSessions(tags)
	err = s.eachCommit(ctx, func(v store.RevisionRow) error {
		data := map[string]any{"sha": v.SHA, "message": messageOf(v), "author_name": v.Author, "author_email": v.Email}
		if id := sessionDuring(all, v.Time); id != "" {
			data["session_id"] = id
		}
		return event("git.commit", formatTime(v.Time), v.SHA, "", data)
	})
	if err != nil {
		return err
	}
	for _, t := range tags {
		if err := event("git.tag", formatTime(t.time), t.name, "",
			map[string]any{"tag_name": t.name, "sha": t.sha}); err != nil {
			return err
		}
	}
	return s.eachPattern(ctx, func(p pattern) error {
		data := map[string]any{"id": p.id, "title": p.title, "status": p.status}
		return event("pattern."+p.layer, p.created, p.id, p.path, data)
	})
}
