package actors

import (
	"context"
	"slices"
	"time"
)

// Whoever keeps several engines bounds what is open in all of them together: connections, models,
// mapped files and slots go with the projects.

// Open returns how many projects the engine holds open, or will with their first question.
func (e *Engine) Open() int {
	e.mu.Lock()
	defer e.mu.Unlock()
	return len(e.members)
}

// Has reports whether the engine answers for a project of this name.
func (e *Engine) Has(project string) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return slices.ContainsFunc(e.members, func(m *member) bool { return m.from == project })
}

// LeastVisited returns the visited project that nobody has asked for longest, and when it was
// asked. It is empty if there is none.
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

// Leave closes a visited project, once the queries that ask it have ended: nobody waits for them
// here. A later Visit opens it again.
func (e *Engine) Leave(project string) {
	gone, cancel := context.WithCancel(e.life)
	cancel()
	_ = e.Remove(gone, project)
}
