package actors

import (
	"fmt"
	"slices"
	"time"

	"patina/actors/api"
)

// gathering is the state of a query's actor: the lists that it waits for and those that it has,
// from a project's oracles or from projects. It knows nothing about actors, clocks or stores.
type gathering struct {
	query string
	// Lists from any other generation are refused. If 0, each answer has its own generation.
	generation int64
	awaited    []awaited
	got        []*api.Lists // in the order of awaited; nil if not answered yet
	missing    int
}

// awaited is an oracle or a project that was asked, and its channels.
type awaited struct {
	from     string
	project  string
	channels []string
}

func newGathering(query string, of []awaited) gathering {
	return gathering{query: query, awaited: of, got: make([]*api.Lists, len(of)), missing: len(of)}
}

// addAnswer records an answer and reports whether it was the last one. It drops an answer to
// another query, a second answer, and one from somebody who was not asked.
func (g *gathering) addAnswer(m *api.Lists) (last bool) {
	i := slices.IndexFunc(g.awaited, func(a awaited) bool { return a.from == m.From })
	if m.Query != g.query || i < 0 || g.got[i] != nil {
		return false
	}
	g.got[i] = g.checked(m)
	g.missing--
	return g.missing == 0
}

// checked returns an answer, or a refusal of it if it mixes generations.
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

// silent returns the names of those that have not answered, without except.
func (g *gathering) silent(except string) []string {
	var names []string
	for i, a := range g.awaited {
		if g.got[i] == nil && a.from != except {
			names = append(names, a.from)
		}
	}
	return names
}

// silence records an answer for those of names that have not answered, with a status and a detail
// for each channel.
func (g *gathering) silence(names []string, status api.Status, detail string, elapsed time.Duration) {
	for i, a := range g.awaited {
		if g.got[i] != nil || !slices.Contains(names, a.from) {
			continue
		}
		m := &api.Lists{Query: g.query, From: a.from, Index: api.IndexState{Project: a.project, Behind: -1}}
		for _, ch := range a.channels {
			m.Channels = append(m.Channels,
				api.ChannelState{Project: a.project, Channel: ch, Status: status, Elapsed: elapsed, Detail: detail})
		}
		g.got[i] = m
		g.missing--
	}
}

// answered returns the answers that have come, in the order of asking.
func (g *gathering) answered() []*api.Lists {
	return slices.DeleteFunc(slices.Clone(g.got), func(m *api.Lists) bool { return m == nil })
}

// channels returns the state of every channel that has answered, in the order of asking.
func (g *gathering) channels() []api.ChannelState {
	var out []api.ChannelState
	for _, m := range g.answered() {
		out = append(out, m.Channels...)
	}
	return out
}
