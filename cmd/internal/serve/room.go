package serve

import (
	"time"

	"patina/actors"
	"patina/actors/api"
)

// A lent engine belongs to a pool. Before it visits another project, it makes room in the pool.
type lent struct {
	*actors.Engine
	w *Pool
}

// Visit implements visit.Host.
func (l lent) Visit(p actors.Project) error {
	l.makeRoom(p)
	return l.Engine.Visit(p)
}

// VisitTarget implements visit.Host.
func (l lent) VisitTarget(p actors.Project, t api.Target) error {
	l.makeRoom(p)
	return l.Engine.VisitTarget(p, t)
}

// makeRoom makes room for one more project, unless the engine has it.
func (l lent) makeRoom(p actors.Project) {
	if !l.Has(p.Name) {
		l.w.mu.Lock()
		defer l.w.mu.Unlock()
		l.w.makeRoom()
	}
}

// opened returns the number of open projects. The caller must hold mu.
func (w *Pool) opened() (n int) {
	for _, k := range w.kept {
		if e := k.engine(); e != nil {
			n += e.Open()
		} else {
			n++ // being opened
		}
	}
	return n
}

// engine returns a kept engine if it is open, else nil.
func (k *kept) engine() *actors.Engine {
	select {
	case <-k.ready:
		return k.e
	default:
		return nil
	}
}

// makeRoom closes projects until there is room for one more. It closes the one with the longest
// time since a question: a visited project, or a whole engine without users. The caller must hold
// mu.
func (w *Pool) makeRoom() {
	for w.opened() >= w.most {
		var oldest *kept
		var visited string
		var used time.Time
		for _, k := range w.kept {
			if k.users == 0 && (oldest == nil || k.used.Before(used)) {
				oldest, visited, used = k, "", k.used
			}
			e := k.engine()
			if e == nil {
				continue
			}
			if name, at := e.LeastVisited(); name != "" && (oldest == nil || at.Before(used)) {
				oldest, visited, used = k, name, at
			}
		}
		switch {
		case oldest == nil:
			return // all are in use, and none may be closed under a call
		case visited != "":
			oldest.e.Leave(visited)
		default:
			w.retire(oldest)
		}
	}
}

// watchIdle closes idle projects until life ends.
func (w *Pool) watchIdle() {
	tick := time.NewTicker(max(time.Second, w.idle/4))
	defer tick.Stop()
	for {
		select {
		case <-w.life.Done():
			return
		case now := <-tick.C:
			w.closeIdle(now.Add(-w.idle))
		}
	}
}

// closeIdle closes engines and visited projects without a question since a time.
func (w *Pool) closeIdle(since time.Time) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, k := range w.kept {
		if k.users == 0 && k.used.Before(since) {
			w.retire(k)
			continue
		}
		e := k.engine()
		if e == nil {
			continue
		}
		for name, at := e.LeastVisited(); name != "" && at.Before(since); name, at = e.LeastVisited() {
			e.Leave(name)
		}
	}
}
