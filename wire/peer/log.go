package peer

import (
	"context"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"patina/wire/nodepb"
)

// mostNamed bounds the repositories that are named when a node changes, which may host thousands.
const mostNamed = 10

// reported holds the state of repositories as it was last logged.
type reported struct {
	mu sync.Mutex
	up map[string]bool // whether a node answers for a repository
}

// logChange logs that the condition of a node was another one since a time. The time that it logs
// is that of the last sign of life where there is none now, or else that of the change.
func (s *Set) logChange(name string, was Condition, since time.Time, is state) {
	level, begun := slog.LevelInfo, is.since
	if is.condition == Suspect || is.condition == Down {
		begun = is.heard
	}
	if is.condition == Down {
		level = slog.LevelWarn
	}
	s.options.Log.Log(context.Background(), level, "node changed", "node", name,
		"from", was.String(), "to", is.condition.String(), "why", is.why,
		"since", begun.UTC().Format(time.RFC3339Nano), "lasted", is.since.Sub(since).Round(time.Millisecond).String())
}

// logReplicas logs which of the repositories no node answers for any more, and which have a node
// again.
func (s *Set) logReplicas(repositories []string) {
	if len(repositories) == 0 || !s.options.Log.Enabled(context.Background(), slog.LevelWarn) {
		return
	}
	s.reported.mu.Lock()
	defer s.reported.mu.Unlock()
	up := s.answered(repositories)
	if s.reported.up == nil {
		s.reported.up = map[string]bool{}
	}
	var lost, back []string
	for _, name := range repositories {
		was, known := s.reported.up[name]
		switch {
		case up[name] && !was:
			back = append(back, name)
		case !up[name] && was, !up[name] && !known:
			lost = append(lost, name)
		}
		s.reported.up[name] = up[name]
	}
	if len(lost) > 0 {
		s.options.Log.Warn("no node answers for repositories", "count", len(lost), "repositories", joinNames(lost))
	}
	if len(back) > 0 {
		s.options.Log.Info("repositories are answered for", "count", len(back), "repositories", joinNames(back))
	}
}

// answered returns which of the repositories a node answers for that may be asked.
func (s *Set) answered(repositories []string) map[string]bool {
	up := map[string]bool{}
	nodes, _ := s.all()
	for _, n := range nodes {
		n.mu.Lock()
		for _, name := range repositories {
			if _, hosts := n.state.hosted[name]; hosts && n.state.condition <= Suspect {
				up[name] = true
			}
		}
		n.mu.Unlock()
	}
	return up
}

// joinNames lists names, and how many more there are.
func joinNames(names []string) string {
	slices.Sort(names)
	if len(names) > mostNamed {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:mostNamed], ", "), len(names)-mostNamed)
	}
	return strings.Join(names, ", ")
}

// namesOf returns the repositories of a message.
func namesOf(m *nodepb.State) []string {
	names := slices.Clone(m.GetGone())
	for _, h := range m.GetHosted() {
		names = append(names, h.GetRepository())
	}
	return names
}

// repositories returns the repositories that the node hosts, as far as is known. The caller holds
// mu.
func (n *node) repositories() []string { return slices.Collect(maps.Keys(n.state.hosted)) }
