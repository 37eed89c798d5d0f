package host

import (
	"fmt"
	"time"
)

// A State describes one repository of the node, for people to see.
type State struct {
	Repository string    `json:"repository"`
	Hosted     bool      `json:"hosted"`              // it is answered for
	Own        bool      `json:"own"`                 // by the plan; else it is about to leave
	Waits      string    `json:"waits,omitempty"`     // why one that is others' is still here
	Head       string    `json:"head,omitempty"`      // the commit of its index
	ScrapedAt  time.Time `json:"scraped_at,omitzero"` // zero without an index
	Work       string    `json:"work,omitempty"`      // what is being done: cloning, fetching, …
	Problem    string    `json:"problem,omitempty"`   // of the last attempt
	Next       time.Time `json:"next,omitzero"`       // when it is fetched next
	Counts
}

// Counts count the work for a repository since the process began.
type Counts struct {
	Fetches      int64 `json:"fetches"`       // that have ended, the first clone included
	FetchErrors  int64 `json:"fetch_errors"`  // of them
	Scrapes      int64 `json:"scrapes"`       // that have ended
	ScrapeErrors int64 `json:"scrape_errors"` // of them
}

// Ready returns an error while a repository of the node was neither hosted nor tried since the
// process began: then the other nodes of a cluster should not be stopped yet.
func (h *Host) Ready() error {
	for _, s := range h.States() {
		if s.Own && !s.Hosted && s.Problem == "" {
			return fmt.Errorf("repository %s is not hosted yet", s.Repository)
		}
	}
	return nil
}

// States returns the states of the repositories, by name.
func (h *Host) States() []State {
	var out []State
	for _, r := range h.all() {
		r.mu.Lock()
		s := State{
			Repository: r.name, Hosted: r.project != "", Own: r.own, Waits: r.waits, Head: r.generation.Head,
			ScrapedAt: r.generation.ScrapedAt, Work: r.work, Problem: r.problem, Next: r.next, Counts: r.counts,
		}
		r.mu.Unlock()
		out = append(out, s)
	}
	return out
}
