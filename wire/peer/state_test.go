package peer

import (
	"strings"
	"testing"
	"time"

	"patina/wire"
	"patina/wire/nodepb"
)

// testBeat is the time between beats in these tests.
const testBeat = 250 * time.Millisecond

// start0 is when the fake clock of these tests begins.
var start0 = time.Date(2030, 1, 2, 10, 0, 0, 0, time.UTC)

func startPlus(ms int) time.Time { return start0.Add(time.Duration(ms) * time.Millisecond) }

func snapshot(boot string, names ...string) *nodepb.State {
	m := &nodepb.State{Snapshot: true, Protocol: wire.Protocol(), BootId: boot}
	for _, n := range names {
		m.Hosted = append(m.Hosted, &nodepb.Hosted{Repository: n})
	}
	return m
}

// A node goes through its conditions by beats, silence and a broken stream, at the times that were
// promised.
func TestConditions(t *testing.T) {
	type event struct {
		ms   int
		do   string
		want Condition
		act  action
	}
	var none action
	changed, died := action{changed: true}, action{changed: true, end: true, redial: true}
	for name, events := range map[string][]event{
		"never heard": {{749, "silence", Unknown, none}, {750, "silence", Down, died}},
		"slow start": {
			{600, "started", Unknown, none},
			{1349, "silence", Unknown, none},
			{1350, "silence", Down, died},
		},
		"silent": {
			{10, "snapshot", Up, changed},
			{250, "beat", Up, none},
			{749, "silence", Up, none},
			{750, "silence", Suspect, changed},
			{999, "silence", Suspect, none},
			{1000, "silence", Down, died},
			{5000, "silence", Down, none},
			{6000, "beat", Up, changed},
		},
		"late beat": {
			{0, "snapshot", Up, changed},
			{500, "silence", Suspect, changed},
			{600, "beat", Up, changed},
			{1100, "silence", Suspect, changed},
		},
		"broken": {
			{0, "snapshot", Up, changed},
			{20, "broken", Down, died},
			{30, "broken", Down, action{redial: true}},
			{40, "snapshot", Up, changed},
		},
		"broken at the start": {{5, "broken", Down, died}, {10, "snapshot", Up, changed}},
		"beat before a snapshot": {
			{5, "beat", Unknown, none},
			{10, "snapshot", Up, changed},
		},
		// The process did not run: what it has not read is no silence.
		"own stall": {
			{0, "snapshot", Up, changed},
			{9000, "silence", Up, none},
			{9249, "silence", Up, none},
			{9250, "silence", Suspect, changed},
			{9500, "silence", Down, died},
		},
		"other protocol": {
			{0, "foreign", Down, action{changed: true, end: true}},
			{250, "beat", Down, none},
			{300, "broken", Down, none},
			{400, "snapshot", Up, changed},
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := newState(testBeat, startPlus(0))
			for _, e := range events {
				var got action
				switch e.do {
				case "snapshot":
					got = s.onState(snapshot("a", "r"), startPlus(e.ms))
				case "foreign":
					m := snapshot("a", "r")
					m.Protocol = &nodepb.Version{Min: wire.MaxProtocol + 1, Max: wire.MaxProtocol + 2}
					got = s.onState(m, startPlus(e.ms))
				case "beat":
					got = s.onState(&nodepb.State{BootId: "a"}, startPlus(e.ms))
				case "silence":
					got = s.onSilence(startPlus(e.ms))
				case "started":
					s.onStarted(startPlus(e.ms))
				case "broken":
					got = s.onBroken("connection reset", startPlus(e.ms))
				}
				if s.condition != e.want || got != e.act {
					t.Errorf("%s at %d: %s %+v, want %s %+v", e.do, e.ms, s.condition, got, e.want, e.act)
				}
				if got.changed && !s.since.Equal(startPlus(e.ms)) {
					t.Errorf("%s since %s", s.condition, s.since)
				}
				if wakes := !s.wake().IsZero(); wakes == (s.condition == Down) {
					t.Errorf("%s at %d: wakes %v", s.condition, e.ms, wakes)
				}
			}
		})
	}
}

// A node that is heard again says when, and one that only was slow does not.
func TestReturned(t *testing.T) {
	s := newState(testBeat, startPlus(0))
	s.onState(snapshot("a"), startPlus(100))
	if !s.returned.Equal(startPlus(100)) {
		t.Error(s.returned)
	}
	s.onSilence(startPlus(600))
	s.onState(&nodepb.State{BootId: "a"}, startPlus(700))
	if s.condition != Up || !s.returned.Equal(startPlus(100)) {
		t.Error(s.condition, s.returned)
	}
	s.onBroken("reset", startPlus(800))
	if text := s.text("node-1"); text != "node-1 down since 10:00:00 (reset)" {
		t.Error(text)
	}
	s.onState(snapshot("b"), startPlus(900))
	if !s.returned.Equal(startPlus(900)) || s.boot != "b" {
		t.Error(s.returned, s.boot)
	}
}

// What a node hosts is its snapshot with the changes since. It is kept while the node is down, so
// that its repositories are not taken for unknown.
func TestHosted(t *testing.T) {
	s := newState(testBeat, startPlus(0))
	names := func() string {
		var all []string
		for _, h := range hostedByName(s.hosted) {
			all = append(all, h.GetRepository()+h.GetHead())
		}
		return strings.Join(all, " ")
	}
	s.onState(snapshot("a", "x", "y"), startPlus(0))
	s.onState(&nodepb.State{
		Hosted: []*nodepb.Hosted{{Repository: "x", Head: "2"}, {Repository: "z"}},
		Gone:   []string{"y"}, Draining: true, InFlight: 3, Slots: 4,
	}, startPlus(1))
	if got := names(); got != "x2 z" || !s.draining || s.inFlight != 3 || s.slots != 4 {
		t.Error(got, s.draining)
	}
	s.onBroken("reset", startPlus(2))
	if got := names(); got != "x2 z" {
		t.Error(got)
	}
	s.onState(snapshot("b", "w"), startPlus(3))
	if got := names(); got != "w" || s.draining {
		t.Error(got, s.draining)
	}
}
