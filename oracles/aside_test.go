package oracles

import (
	"errors"
	"testing"
)

func TestAside(t *testing.T) {
	failed := errors.New("failed")
	if err := aside(func() error { return failed })(); err != failed {
		t.Errorf("error %v", err)
	}
	wait := aside(func() error { panic("broken list") })
	defer func() {
		if p := recover(); p != "broken list" {
			t.Errorf("panic %v", p)
		}
	}()
	t.Errorf("no panic: %v", wait())
}
