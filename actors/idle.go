package actors

import (
	"context"
	"slices"
	"time"
)

// A process with several engines must bound their open projects together, because each holds
// connections, models, mapped files and slots.

// Open returns the number of projects of the engine, including those that the first question opens.
func (e *Engine) Open() int {
	e.mu.Lock()
	defer e.mu.Unlock()
	return len(e.members)
}

// Has reports whether the engine has a project of this name.
func (e *Engine) Has(project string) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return slices.ContainsFunc(e.members, func(m *member) bool { return m.from == project })
}

// LeastVisited returns the visited project that was used least recently, and when. project is empty
// if there is no such project.
func (e *Engine) LeastVisited() (project string, used time.Time) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, m := range e.members {
		if m.visited && (project == "" || m.used.Before(used)) {
			project, used = m.from, m.used
		}
	}
	return project, used
}

// Rest closes the indexes of projects that no question has used for a time, and those used least
// recently while more than most are open. Running questions keep the index that they use, and the
// next question opens it again. Rest returns how many it closed.
func (e *Engine) Rest(unused time.Duration, most int) (closed int) {
	e.mu.Lock()
	defer e.mu.Unlock()
	var open []*member
	for _, m := range e.members {
		if m.host != nil && m.host.index.isOpen() {
			open = append(open, m)
		}
	}
	slices.SortFunc(open, func(a, b *member) int { return b.used.Compare(a.used) })
	for i, m := range open {
		if i < most && time.Since(m.used) < unused {
			continue
		}
		e.removeMember(m)
		if e.addProject(m.host.project) != nil { // the engine is closed
			break
		}
		closed++
	}
	return closed
}

// Leave closes a visited project after its running queries have ended, without waiting for them. A
// later Visit opens it again.
func (e *Engine) Leave(project string) {
	gone, cancel := context.WithCancel(e.life)
	cancel()
	_ = e.Remove(gone, project)
}
