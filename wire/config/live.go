package config

import (
	"context"
	"log/slog"
	"os"
	"path/filepath"
	"sync/atomic"
	"time"
)

// lookEvery is how often the files are compared by size and time. Rights that are taken away should
// end soon, and two stats a second cost nothing.
const lookEvery = time.Second

// A Live is a configuration that is read again when its files change. A file that cannot be read,
// or that says something wrong, leaves the last good one in force, and is logged once. It is safe
// for concurrent use.
type Live struct {
	dir     string
	log     *slog.Logger
	current atomic.Pointer[Config]
	seen    [2]fileStamp
	changed func(*Config)
}

// fileStamp tells two states of a file apart without reading it.
type fileStamp struct {
	size int64
	at   time.Time
}

// NewLive reads the configuration in a folder. It returns an error if there is no good one. changed
// is called with each new configuration, from the goroutine of Follow; it may be nil.
func NewLive(dir string, log *slog.Logger, changed func(*Config)) (*Live, error) {
	l := &Live{dir: dir, log: log, changed: changed}
	l.seen = l.stamps()
	c, err := Read(dir)
	if err != nil {
		return nil, err
	}
	l.current.Store(c)
	return l, nil
}

// Config returns the configuration in force. It is never nil.
func (l *Live) Config() *Config { return l.current.Load() }

// Follow reads the files again whenever they change, until ctx ends.
func (l *Live) Follow(ctx context.Context) {
	t := time.NewTicker(lookEvery)
	defer t.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-t.C:
			l.reload()
		}
	}
}

// look reads the files if their sizes or times are others than at the last look.
func (l *Live) reload() {
	now := l.stamps()
	if now == l.seen {
		return
	}
	l.seen = now
	c, err := Read(l.dir)
	if err != nil {
		l.log.Warn("the last good configuration stays in force", "why", err.Error())
		return
	}
	l.current.Store(c)
	l.log.Info("configuration read again", "nodes", len(c.Nodes), "repositories", len(c.Repositories))
	if l.changed != nil {
		l.changed(c)
	}
}

func (l *Live) stamps() (all [2]fileStamp) {
	for i, name := range []string{NodesFile, RepositoriesFile} {
		// Followed: Kubernetes changes the target of a link.
		if info, err := os.Stat(filepath.Join(l.dir, name)); err == nil {
			all[i] = fileStamp{info.Size(), info.ModTime()}
		}
	}
	return all
}
