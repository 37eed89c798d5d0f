package actors

import (
	"fmt"
	"slices"
	"time"

	"patina/actors/api"
)

// gathering is the state of a query's actor: the lists it waits for, and the ones it has. On one
// level they come from a project's oracles, on the other from projects. It knows nothing about
// actors, clocks or stores.
type gathering struct {
	query string
	// Lists from any other generation are refused; 0: each answer has its own.
	generation int64
	awaited    []awaited
	got        []*api.Lists // in the order of awaited, nil where none has come
	missing    int
}

// awaited is an oracle or a project asked, and the channels it speaks for.
type awaited struct {
	from     string
	project  string
	channels []string
}

func newGathering(query string, of []awaited) gathering {
	return gathering{query: query, awaited: of, got: make([]*api.Lists, len(of)), missing: len(of)}
}

// addAnswer notes an answer and reports whether it was the last one. It drops an answer to another
// query, a second answer, and one from somebody not asked.
func (g *gathering) addAnswer(m *api.Lists) (last bool) {
	i := slices.IndexFunc(g.awaited, func(a awaited) bool { return a.from == m.From })
	if m.Query != g.query || i < 0 || g.got[i] != nil {
		return false
	}
	g.got[i] = g.checked(m)
	g.missing--
	return g.missing == 0
}

// checked refuses an answer that mixes generations.
func (g *gathering) checked(m *api.Lists) *api.Lists {
	want := m.Index.Generation.Number
	if g.generation != 0 {
		want = g.generation
	}
	for _, l := range m.Lists {
		if l.Generation == want {
			continue
		}
		refused := *m
		refused.Lists, refused.Evidence, refused.Exact = nil, nil, nil
		refused.Channels = slices.Clone(m.Channels)
		for i := range refused.Channels {
			c := &refused.Channels[i]
			c.Status, c.Hits = api.Failed, 0
			c.Detail = fmt.Sprintf("list of generation %d, asked for %d", l.Generation, want)
		}
		return &refused
	}
	return m
}

// silent names who has not answered, except one.
func (g *gathering) silent(except string) []string {
	var names []string
	for i, a := range g.awaited {
		if g.got[i] == nil && a.from != except {
			names = append(names, a.from)
		}
	}
	return names
}

// silence answers for those of the silent ones that are named: each of their channels with status
// and detail.
func (g *gathering) silence(names []string, status api.Status, detail string, elapsed time.Duration) {
	for i, a := range g.awaited {
		if g.got[i] != nil || !slices.Contains(names, a.from) {
			continue
		}
		m := &api.Lists{Query: g.query, From: a.from, Index: api.IndexState{Project: a.project, Behind: -1}}
		for _, ch := range a.channels {
			m.Channels = append(m.Channels, api.ChannelState{Project: a.project, Channel: ch, Status: status, Elapsed: elapsed, Detail: detail})
		}
		g.got[i] = m
		g.missing--
	}
}

// channels lists the state of every channel asked, in the order of asking.
func (g *gathering) channels() []api.ChannelState {
	var out []api.ChannelState
	for _, m := range g.got {
		if m != nil {
			out = append(out, m.Channels...)
		}
	}
	return out
}
