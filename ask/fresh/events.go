package fresh

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"time"

	"github.com/fsnotify/fsnotify"
)

// watching sets the watches, then turns notifications into changes until ctx ends.
func (w *Watcher) watching(ctx context.Context) {
	why := w.system.begin(ctx)
	if why != nil && ctx.Err() == nil {
		w.o.Log.Warn("the tree is compared again and again", "root", w.o.Root, "why", why)
		w.polling(ctx)
		return
	}
	// Errors are read concurrently, because setting a watch may wait until its error is read.
	go func() {
		for err := range w.system.errors() {
			w.trouble(err)
		}
	}()
	// Changes before a folder was watched are found by one more comparison.
	w.note(change{all: true, head: true})
	w.mu.Lock()
	w.watched, w.begun = true, w.noted
	w.mu.Unlock()
	for {
		select {
		case e, ok := <-w.system.events():
			if !ok {
				return
			}
			w.event(e)
		case <-w.system.lost:
			w.mu.Lock()
			w.watched = false
			w.mu.Unlock()
			w.o.Log.Warn("the tree is compared again and again", "root", w.o.Root, "why", w.system.why())
			w.polling(ctx)
			return
		case <-ctx.Done():
			return
		}
	}
}

// polling compares the tree again and again. It drops notifications that still arrive.
func (w *Watcher) polling(ctx context.Context) {
	tick := time.NewTicker(poll)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			w.mu.Lock()
			idle := w.done == w.noted
			w.mu.Unlock()
			if idle {
				w.note(change{all: true, head: true})
			}
		case <-w.system.events():
		case <-ctx.Done():
			return
		}
	}
}

// event records the change that a notification is about.
func (w *Watcher) event(e fsnotify.Event) {
	if w.system.passed(e.Name) {
		return
	}
	for _, dir := range w.o.Git {
		if name, ok := relativePath(dir, e.Name); ok {
			if isMove(name) || e.Has(fsnotify.Create) && w.system.branch(dir, name) {
				w.note(change{head: true, all: name == "index"})
			}
			return
		}
	}
	name, ok := relativePath(w.o.Root, e.Name)
	switch {
	case !ok:
		return
	case name == ".":
		w.note(change{all: true})
		return
	case name == ".git":
		w.note(change{all: true, head: true})
		return
	}
	if e.Has(fsnotify.Rename) || e.Has(fsnotify.Remove) {
		w.system.forget(name)
	}
	c := change{names: map[string]bool{name: true}}
	if e.Has(fsnotify.Create) && isFolder(e.Name) {
		c.folders = map[string]bool{name: true}
	}
	w.note(c)
}

// isMove reports whether a file in a git folder changes with commits, branches or the index.
func isMove(name string) bool {
	base := filepath.Base(name)
	return !strings.HasSuffix(base, ".lock") && (name == "HEAD" || name == "index" || name == "packed-refs" ||
		name == "logs/HEAD" || name == "shallow" ||
		strings.HasPrefix(name, "refs/"))
}

// trouble handles an error of the notifications. Everything must be compared, because names may
// have been lost.
func (w *Watcher) trouble(err error) {
	if !errors.Is(err, fsnotify.ErrEventOverflow) {
		w.o.Log.Warn("notifications", "root", w.o.Root, "error", err)
	}
	w.note(change{all: true, head: true, lost: true, folders: map[string]bool{".": true}})
}

// relativePath returns a path relative to a folder, with slashes; "." is the folder itself. It
// reports false if the path is not in the folder.
func relativePath(dir, path string) (string, bool) {
	if path == dir {
		return ".", true
	}
	name, ok := strings.CutPrefix(path, strings.TrimSuffix(dir, string(filepath.Separator))+string(filepath.Separator))
	return filepath.ToSlash(name), ok
}
