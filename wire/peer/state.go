package peer

import (
	"fmt"
	"time"

	"patina/wire"
	"patina/wire/nodepb"
)

// The times of a node's condition. grpc notices a stopped process after ten seconds at the
// earliest, so beats do.
const (
	// Beat is the time between two beats of a node, unless Options have another one.
	Beat = 200 * time.Millisecond
	// suspectBeats are the beats after whose time a silent node is asked only where there is no
	// other one, and downBeats those after which it is not asked at all: 400 and 600 ms. Where only
	// the way to a node is cut, its beats still arrive for some 400 ms, which makes a second.
	suspectBeats = 2
	downBeats    = 3
	// stalled is how late this process may look at a node's silence. Later, it did not run itself,
	// and beats may wait unread. Then the node has another Beat.
	stalled = 50 * time.Millisecond
)

// A Condition says whether a node may be asked.
type Condition int

// The conditions of a node, best first.
const (
	Up      Condition = iota
	Suspect           // it is silent
	Unknown           // nothing was heard since the start, and it is not silent for long
	Down              // it is silent, its connection broke, or it speaks another protocol
)

// String returns the condition as it is shown.
func (c Condition) String() string {
	return [...]string{"up", "suspect", "unknown", "down"}[c]
}

// An action tells the owner of a state how to follow up an event.
type action struct {
	changed bool // the condition is another one
	end     bool // cancel the calls under way, because the node is down
	redial  bool // close the connection, so that the way back is a new dial
}

// A state holds the known facts about one node. It does not do anything and has no lock.
type state struct {
	beat      time.Duration
	condition Condition
	since     time.Time // of the condition
	why       string    // it is down
	heard     time.Time // last sign of life, or the start
	returned  time.Time // it was heard after it was down, or for the first time
	boot      string
	version   string
	draining  bool
	foreign   bool // it speaks another protocol
	inFlight  int  // at the node, as it said
	slots     int
	expires   int64                     // when its certificate does, in seconds; 0: it has none
	hosted    map[string]*nodepb.Hosted // by repository; nil before the first snapshot
}

// newState returns the state of a node that is to be heard from now on.
func newState(beat time.Duration, now time.Time) *state {
	return &state{beat: beat, condition: Unknown, since: now, heard: now}
}

// enter changes the condition.
func (s *state) enter(c Condition, why string, now time.Time) action {
	if s.condition == c {
		return action{}
	}
	was := s.condition
	if c == Up && (was == Down || s.boot == "") {
		s.returned = now
	}
	s.condition, s.since, s.why = c, now, why
	return action{changed: true, end: c == Down, redial: c == Down}
}

// onState takes a message of the node: a snapshot, a change or a beat.
func (s *state) onState(m *nodepb.State, now time.Time) action {
	s.heard = now
	s.draining, s.inFlight, s.slots = m.GetDraining(), int(m.GetInFlight()), int(m.GetSlots())
	s.expires = m.GetCertificateUnix()
	if m.GetSnapshot() {
		s.version = m.GetVersion()
		s.foreign = !wire.Speaks(m.GetProtocol())
		s.hosted = make(map[string]*nodepb.Hosted, len(m.GetHosted()))
	}
	if s.foreign {
		v, own := m.GetProtocol(), wire.Protocol()
		why := fmt.Sprintf("speaks protocol %d to %d, here %d to %d", v.GetMin(), v.GetMax(), own.GetMin(), own.GetMax())
		a := s.enter(Down, why, now)
		a.redial = false // another connection would not change that
		return a
	}
	if s.hosted == nil { // a change of nothing that is known
		return action{}
	}
	for _, h := range m.GetHosted() {
		s.hosted[h.GetRepository()] = h
	}
	for _, name := range m.GetGone() {
		delete(s.hosted, name)
	}
	a := s.enter(Up, "", now)
	s.boot = m.GetBootId()
	return a
}

// onSilence takes that the time of wake has come. It reports suspicion and death.
func (s *state) onSilence(now time.Time) action {
	due := s.wake()
	if due.IsZero() || now.Before(due) {
		return action{}
	}
	if now.Sub(due) > stalled {
		s.heard = now.Add(s.beat - s.patience())
		return action{}
	}
	if s.condition == Up {
		return s.enter(Suspect, "", now)
	}
	return s.enter(Down, fmt.Sprintf("silent for %d ms", now.Sub(s.heard).Milliseconds()), now)
}

// patience is the silence after which the condition changes.
func (s *state) patience() time.Duration {
	if s.condition == Up {
		return suspectBeats * s.beat
	}
	return downBeats * s.beat
}

// wake returns when onSilence is to be called next. It is zero for a node that is down, because
// silence is expected of it.
func (s *state) wake() time.Time {
	if s.condition == Down {
		return time.Time{}
	}
	return s.heard.Add(s.patience())
}

// onBroken takes that the connection or the stream of beats broke.
func (s *state) onBroken(why string, now time.Time) action {
	if s.condition == Down {
		return action{redial: !s.foreign}
	}
	return s.enter(Down, why, now)
}

// onStarted takes that a stream of beats was opened, so that the node has its time to speak.
func (s *state) onStarted(now time.Time) {
	if s.condition == Unknown {
		s.heard = now
	}
}

// text says in which condition the node is and since when.
func (s *state) text(name string) string {
	t := fmt.Sprintf("%s %s since %s", name, s.condition, s.since.Format(time.TimeOnly))
	if s.why != "" {
		t += " (" + s.why + ")"
	}
	return t
}
