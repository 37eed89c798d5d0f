package actors

import "time"

// A deadline is sent by a query's actor to itself when the time for a phase is over.
type deadline struct {
	droppable
	of        phase
	processor time.Duration // processor time that was used; 0 if the ceiling was reached
}

// A phase is the kind of answers for which a query's actor waits.
type phase int

const (
	collecting phase = iota // for lists
	finishing               // for the lists by words, or for projects that wait for them
	weighing                // for evidence, in a project
	describing              // for descriptions, or for Describe
	over                    // for nothing
)

// droppable marks messages whose receiver may be gone. A late reply is dropped without a log line.
type droppable struct{}

// Droppable implements actor.Droppable.
func (droppable) Droppable() {}
