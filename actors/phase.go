package actors

import "time"

// A deadline is sent to itself by a query's actor, when the time for a phase is over.
type deadline struct {
	droppable
	of        phase
	processor time.Duration // so much processor time was used; 0: the ceiling was reached
}

// A phase says which answers a query's actor waits for.
type phase int

const (
	collecting phase = iota // for lists
	finishing               // for the lists by words alone, or for projects that wait for theirs
	weighing                // for evidence (a project's)
	describing              // for descriptions, or to be asked for them
	over                    // for nothing
)

// droppable marks messages that may find their receiver gone. A late reply is dropped without a log
// line.
type droppable struct{}

// Droppable implements actor.Droppable.
func (droppable) Droppable() {}
