package fresh

import (
	"context"
	"os"
	"path/filepath"
	"strconv"
)

// barrier waits until all notifications about changes before the call have arrived, and reports
// whether they have. It writes a file of its own, whose notification comes last because
// notifications keep their order. It returns false if notifications are lost or ctx ends.
func (s *system) barrier(ctx context.Context) bool {
	s.mu.Lock()
	s.count++
	name := filepath.Join(s.own, strconv.Itoa(s.count))
	passed := make(chan struct{})
	s.crossed[name] = passed
	s.mu.Unlock()
	defer func() {
		s.mu.Lock()
		delete(s.crossed, name)
		s.mu.Unlock()
		_ = os.Remove(name)
	}()
	f, err := os.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return false
	}
	_ = f.Close()
	select {
	case <-passed:
		return true
	case <-s.lost:
	case <-ctx.Done():
	}
	return false
}

// passed reports whether a notification belongs to a barrier, and releases its caller.
func (s *system) passed(path string) bool {
	if filepath.Dir(path) != s.own {
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if c, ok := s.crossed[path]; ok {
		close(c)
		delete(s.crossed, path)
	}
	return true
}
