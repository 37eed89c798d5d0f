package booking

import "time"

// A Hold keeps a seat for somebody who has not paid yet.
type Hold struct {
	Seat  string
	Until time.Time
}

// Expired reports whether the seat is free again.
func (h Hold) Expired(now time.Time) bool { return now.After(h.Until) }
