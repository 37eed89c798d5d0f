package host

import (
	"context"
	"errors"
	"slices"
	"time"

	"patina/ask/clones"
	"patina/registry"
	"patina/registry/mother"
	"patina/wire/config"
	"patina/wire/peer"
	"patina/wire/placement"
)

const (
	// leavingEvery is how often it is looked whether a repository that is others' by now may be
	// dropped.
	leavingEvery = 2 * time.Second
	// handover is how long its new owners must have shown a repository before it goes, unless
	// Options say another time. A front may read the configuration later than the nodes, as where
	// Kubernetes brings it to each machine within some 90 s, and must know the new owners by then.
	handover = 2 * time.Minute
	// farewell is how long a repository is still answered for after others were told that it is
	// gone. It is longer than the longest time between two beats, by which they hear of it.
	farewell = 6 * time.Second
)

// watchLeaving drops repositories that are no longer the node's, each when its new owners show it.
// Other nodes are watched only while there are such repositories.
func (h *Host) watchLeaving() {
	var others *peer.Set
	defer func() {
		if others != nil {
			others.Close()
		}
	}()
	t := time.NewTicker(leavingEvery)
	defer t.Stop()
	for {
		leaving := h.leaving()
		switch {
		case len(leaving) == 0 && others != nil:
			others.Close()
			others = nil
		case len(leaving) > 0:
			others = h.watchOthers(others)
			for _, r := range leaving {
				h.dropIfShown(r, others)
			}
		}
		if len(leaving) > 0 {
			select {
			case <-h.life.Done():
				return
			case <-h.left:
			case <-t.C:
			}
			continue
		}
		select {
		case <-h.life.Done():
			return
		case <-h.left:
		}
	}
}

// leaving returns the repositories that are listed, and not the node's.
func (h *Host) leaving() (out []*repository) {
	for _, r := range h.all() {
		if !r.isOwn() {
			out = append(out, r)
		}
	}
	return out
}

// watchOthers watches the other nodes that are declared now. It returns nil if it cannot.
func (h *Host) watchOthers(others *peer.Set) *peer.Set {
	h.mu.Lock()
	nodes := slices.DeleteFunc(slices.Clone(h.config.Nodes), func(n config.Node) bool { return n.Name == h.options.Node })
	h.mu.Unlock()
	var err error
	if others == nil {
		others, err = peer.New(peer.Options{Nodes: nodes, Credentials: h.options.Credentials, Beat: time.Second, Log: h.options.Log})
	} else {
		err = others.Update(nodes)
	}
	if err != nil {
		h.options.Log.Warn("other nodes are not watched", "why", err.Error())
	}
	return others
}

// dropIfShown drops a repository if all of its owners have shown it for a while: first others are
// told that it is gone from here, and then it goes.
func (h *Host) dropIfShown(r *repository, others *peer.Set) {
	var shown []placement.Replica
	if others != nil {
		for _, n := range others.States() {
			for _, x := range n.Hosted {
				if x.GetRepository() == r.name {
					shown = append(shown, placement.Replica{
						Node: n.Name, Up: n.Condition == peer.Up, Head: x.GetHead(), ScrapedAt: x.GetScrapedAtUnix(),
					})
				}
			}
		}
	}
	h.changing.Lock()
	defer h.changing.Unlock()
	if h.findRepository(r.name) != r || r.isOwn() { // the configuration has changed meanwhile
		return
	}
	r.mu.Lock()
	held := placement.Replica{
		Node: h.options.Node, Up: true, Head: r.generation.Head, ScrapedAt: r.generation.ScrapedAt.Unix(),
	}
	owners := r.owners
	before := r.waits
	r.waits = placement.MayDrop(held, owners, shown)
	switch {
	case r.waits != "":
		r.shown = time.Time{}
	case r.shown.IsZero():
		r.shown = time.Now()
	}
	why, hidden, shownFor := r.waits, r.hidden, time.Since(r.shown)
	r.mu.Unlock()
	switch {
	case why != "":
		r.showAgain()
		if before != why {
			h.options.Log.Info("repository is others' now, and stays until they have it", "repository", r.name, "why", why)
		}
		return
	case shownFor < h.options.Handover:
		return
	case hidden.IsZero():
		r.hide()
		return
	case time.Since(hidden) < farewell:
		return
	}
	h.mu.Lock()
	delete(h.repos, r.name)
	h.mu.Unlock()
	h.discard(r)
	h.options.Log.Info("repository dropped", "repository", r.name, "owners", owners)
}

// hide tells others that the repository is gone.
func (r *repository) hide() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.hidden = time.Now()
	r.host.serve.Hide(r.name)
}

// show ends what hide has begun.
func (r *repository) showAgain() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.hidden.IsZero() {
		return
	}
	r.hidden = time.Time{}
	if r.project != "" {
		if err := r.host.serve.Host(r.hosted, r.project); err != nil {
			r.host.options.Log.Warn("repository is not shown again", "repository", r.name, "why", err.Error())
		}
	}
}

// discard ends a repository and removes its clone, its index and its registration.
func (h *Host) discard(r *repository) {
	r.stop()
	h.takeDown(r)
	r.mu.Lock()
	id, replaces := r.place.ID, r.replaces
	r.mu.Unlock()
	if replaces != nil {
		h.discard(replaces)
	}
	var err error
	if id != "" {
		if _, err = mother.Remove(context.Background(), h.home, id); errors.Is(err, mother.ErrUnknown) {
			err = nil
		}
		err = errors.Join(err, registry.Forget(context.Background(), h.home, id))
	}
	err = errors.Join(err, clones.Remove(h.home, r.url))
	if err != nil {
		h.options.Log.Warn("not all of a repository was removed", "repository", r.name, "why", err.Error())
	}
}
