package actors

import (
	"runtime/debug"
	"testing"
	"time"
)

// A resident process collects late and returns memory after its last question. The environment
// takes precedence.
func TestReside(t *testing.T) {
	before := debug.SetGCPercent(150)
	t.Cleanup(func() {
		debug.SetGCPercent(before)
		if r := rest.Swap(nil); r != nil {
			r.Stop()
		}
		held = nil
	})
	t.Setenv("GOMEMLIMIT", "")
	t.Setenv("GOGC", "150")
	stayAwake()
	if Reside(); len(held) > 0 || debug.SetGCPercent(150) != 150 {
		t.Error("GOGC of the environment does not hold")
	}
	t.Setenv("GOGC", "")
	Reside()
	if percent := debug.SetGCPercent(77); percent != 100 || len(held) != ballast {
		t.Errorf("collects at %d%%, with %d bytes more", percent, len(held))
	}
	if Reside(); debug.SetGCPercent(77) != 77 {
		t.Error("a process resides twice")
	}
	rested := make(chan bool)
	rest.Store(time.AfterFunc(time.Hour, func() { close(rested) }))
	rest.Load().Reset(0)
	<-rested
	stayAwake()
	if !rest.Load().Stop() {
		t.Error("a question does not put off the rest")
	}
}
