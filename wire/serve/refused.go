package serve

// Refused counts calls that were refused, by the reason.
type Refused struct {
	Draining int64 // the server ends
	Full     int64 // its slots are taken
	AtOnce   int64 // the user has too many questions under way
	Rate     int64 // the user began too many in a second
	Unknown  int64 // there is no certificate, or none that is valid
	Revoked  int64 // the certificate is
}

// count changes the counts of a gate.
func (g *Gate) countRefused(change func(*Refused)) {
	g.mu.Lock()
	defer g.mu.Unlock()
	change(&g.refused)
}

// Refused returns how many calls the gate has refused.
func (g *Gate) Refused() Refused {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.refused
}

// Refused returns how many calls the server and its gate have refused.
func (s *Base) Refused() Refused {
	r := s.options.Gate.Refused()
	s.mu.Lock()
	defer s.mu.Unlock()
	r.Draining, r.Full = s.refused.Draining, s.refused.Full
	return r
}

// Boot returns the name of this start of the server.
func (s *Base) Boot() string { return s.boot }

// Slots returns how many calls the server works on at once.
func (s *Base) Slots() int { return s.options.Slots }

// IsDraining reports whether new calls are refused, because the server ends.
func (s *Base) IsDraining() bool { return isClosed(s.draining) }
