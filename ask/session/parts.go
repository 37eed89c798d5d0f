package session

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"patina/ask/project"
	"patina/belief/knowledge"
	"patina/code/brief"
	"patina/memory"
	"patina/scrape/git"
	"patina/scrape/openat"
	"patina/scrape/prose"
	"patina/scrape/walk"
	"patina/store"
)

// readIndex reads the purpose and the beliefs. Beliefs of others are not told.
func (m Moment) readIndex(ctx context.Context) (put func(*Opening), err error) {
	var purpose *brief.Quote
	var all []knowledge.Held
	own := false
	err = project.Glance(ctx, m.Place, func(r *store.Reader) error {
		if purpose, err = brief.Purpose(ctx, r); err != nil {
			return err
		}
		if own = r.Generation().Own; !own {
			return nil
		}
		snap, err := r.Snapshot(ctx)
		if err != nil {
			return err
		}
		all, err = knowledge.Beliefs(ctx, r, snap)
		return err
	})
	if err != nil {
		return nil, err
	}
	return func(o *Opening) {
		o.Purpose, o.Theirs = purpose, !own
		if own {
			o.held, o.statements = fingerprints(all)
		}
	}, nil
}

// The numbers of notes that are told.
const (
	maxPinned = 8
	maxRecent = 3
)

// readNotes reads the pinned notes and the newest of the others. Notes that nobody vouches for, and
// imported ones, are left out.
func (m Moment) readNotes(ctx context.Context) (put func(*Opening), err error) {
	if m.Place.ID == "" {
		return nil, nil
	}
	path := memory.File(m.Place.Home, m.Place.ID)
	if _, err := os.Lstat(path); errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var pinned, recent []memory.Memory
	err = memory.Look(ctx, path, func(s *memory.Store) error {
		if pinned, err = s.List(ctx, memory.Filter{Pinned: true, Limit: maxPinned}); err != nil {
			return err
		}
		recent, err = s.List(ctx, memory.Filter{Limit: maxPinned + 10*maxRecent})
		return err
	})
	if err != nil {
		return nil, err
	}
	isUntrusted := func(n memory.Memory) bool { return n.Origin == memory.Untrusted || n.Origin == memory.Imported }
	pinned = slices.DeleteFunc(pinned, isUntrusted)
	recent = slices.DeleteFunc(recent, func(n memory.Memory) bool { return n.Pinned || isUntrusted(n) })
	recent = recent[:min(len(recent), maxRecent)]
	return func(o *Opening) { o.Pinned, o.Recent = pinned, recent }, nil
}

// mostWork is the number of uncommitted files by name. Of a session that goes on, those that it has
// written are told.
const mostWork = 200

// readWork reads the branch and the uncommitted work.
func (m Moment) readWork(ctx context.Context) (put func(*Opening), err error) {
	tree, err := git.Find(m.Place.Root)
	if errors.Is(err, git.ErrNoGit) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	work, err := walk.Uncommitted(ctx, tree, m.Within, mostWork)
	if err != nil {
		return nil, err
	}
	_, branch, err := tree.Head()
	return func(o *Opening) { o.Branch, o.Work = branch, work }, err
}

// keepEdited fills in the uncommitted files that were written since the session began.
func (o *Opening) keepEdited(root string) {
	if o.Began.IsZero() {
		return
	}
	for _, p := range o.Work.Paths {
		info, err := os.Lstat(filepath.Join(root, filepath.FromSlash(p)))
		if err == nil && info.Mode().IsRegular() && !info.ModTime().Before(o.Began) {
			o.Edited = append(o.Edited, p)
		}
	}
}

// Limits for the records of sessions.
const (
	recordFolder = "layer/sessions"
	maxRecords   = 10_000
	maxRecord    = 1 << 20 // bytes
)

// readRecord reads the open goals of the last session's record. Records are named by their times.
// They are read from the tree, because many projects do not commit them.
func (m Moment) readRecord(context.Context) (put func(*Opening), err error) {
	root, err := openat.Open(m.Place.Root)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	names, _, err := root.Names(recordFolder, maxRecords)
	if err != nil {
		return nil, nil // there is no such folder, or it is no folder of the project
	}
	last, at := "", ""
	for _, name := range names {
		if time := timeInName(name); prose.IsSession(recordFolder+"/"+name) && time > at {
			last, at = name, time
		}
	}
	if last == "" {
		return nil, nil
	}
	file, err := root.Open(recordFolder + "/" + last)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, maxRecord))
	if err != nil {
		return nil, err
	}
	goals := prose.OpenGoals(strings.ToValidUTF8(string(text), "\uFFFD"))
	if len(goals) == 0 {
		return nil, nil
	}
	return func(o *Opening) { o.Record, o.Goals = recordFolder+"/"+last, goals }, nil
}

// timeInName returns the part of a record's name that begins with its date, or "".
func timeInName(name string) string {
	at := strings.IndexAny(name, "0123456789")
	if at < 0 || len(name)-at < len("20060102") {
		return ""
	}
	return name[at:]
}
