package mother

import (
	"context"
	"errors"
	"math/rand/v2"
	"sync"
	"time"

	"patina/actors/api"
	"patina/oracles"
	"patina/wire/peer"
)

// A target is a repository that is looked for when it is first asked. It implements api.Target and
// api.Returner.
type target struct {
	client     *Client
	repository string

	mu  sync.Mutex
	set *peer.Set  // of far
	far api.Target // nil before it was found
}

// Target returns a repository for an engine to ask, by its name on all machines. It is the same
// value at each call for one name. Nothing is reached before it is asked.
func (c *Client) Target(repository string) api.Target {
	c.mu.Lock()
	defer c.mu.Unlock()
	t := c.targets[repository]
	if t == nil {
		t = &target{client: c, repository: repository}
		c.targets[repository] = t
	}
	return t
}

// Name implements api.Target.
func (t *target) Name() string { return t.repository }

// Channels implements api.Target. They are the usual ones: those of an answer are its own.
func (t *target) Channels() (names []string) {
	for _, o := range oracles.Default() {
		names = append(names, o.Name())
	}
	return names
}

// Returned implements api.Returner.
func (t *target) Returned() time.Time {
	t.mu.Lock()
	far := t.far
	t.mu.Unlock()
	if r, ok := far.(api.Returner); ok {
		return r.Returned()
	}
	return time.Time{}
}

// find returns the repository at the fronts. It does not wait for them.
func (t *target) find() (api.Target, error) {
	set, err := t.client.open()
	if err != nil {
		return nil, failureOf(err)
	}
	set.Want(t.repository)
	t.client.compareSoon(set)
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.set == set {
		return t.far, nil
	}
	far, err := set.Target(t.repository)
	if err != nil {
		return nil, &api.Failure{Status: api.Unavailable, Detail: "no such repository", Causes: api.CausesOf(err)}
	}
	t.set, t.far = set, far
	return far, nil
}

// Ask implements api.Target.
func (t *target) Ask(ctx context.Context, m *api.Ask) (*api.Lists, error) {
	far, err := t.find()
	if err != nil {
		return nil, err
	}
	return patiently(ctx, func() (*api.Lists, error) { return far.Ask(ctx, m) })
}

// The pauses before a call is made again that was refused because too many are under way: those of
// one user count together, and what is asked once may go to three repositories. Others wait no
// longer than mostPatience for a machine that has too much to do.
const (
	firstPause   = 20 * time.Millisecond
	mostPause    = 160 * time.Millisecond
	mostPatience = 2 * time.Second
)

// patiently makes a call, again and again for a while if it is refused because too many are under
// way.
func patiently[T any](ctx context.Context, call func() (T, error)) (T, error) {
	began, pause := time.Now(), firstPause
	for {
		v, err := call()
		f, ok := errors.AsType[*api.Failure](err)
		if !ok || f.Status != api.Overloaded || time.Since(began) > mostPatience {
			return v, err
		}
		select {
		case <-time.After(pause/2 + rand.N(pause)):
		case <-ctx.Done():
			return v, err
		}
		pause = min(2*pause, mostPause)
	}
}

// Describe implements api.Target. If other fronts are asked since the Ask, they do not know the
// query.
func (t *target) Describe(ctx context.Context, m *api.Describe) (*api.Descriptions, error) {
	t.mu.Lock()
	far := t.far
	t.mu.Unlock()
	if far == nil { // nobody was found
		return nil, nil
	}
	return far.Describe(ctx, m)
}

// Read implements api.Target.
func (t *target) Read(ctx context.Context, r api.Lookup) (any, error) {
	far, err := t.find()
	if err != nil {
		f := *failureOf(err)
		f.Project, f.Read = t.repository, r.Verb()
		return nil, &f
	}
	return patiently(ctx, func() (any, error) { return far.Read(ctx, r) })
}
