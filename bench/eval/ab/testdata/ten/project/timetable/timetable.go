// Package timetable prints the timetable of a pier.
package timetable

import "time"

// A Crossing leaves a pier at a time of that pier.
type Crossing struct {
	From, To string
	At       time.Time
}

// Next returns the next crossing from a pier.
func Next(all []Crossing, pier string, now time.Time) (Crossing, bool) {
	for _, c := range all {
		if c.From == pier && c.At.After(now) {
			return c, true
		}
	}
	return Crossing{}, false
}
