package store_test

import (
	"context"
	"testing"

	"patina/store"
)

// Evidence is nothing up to what random pairs reach, all for the same text, and rises in between.
func TestCalibration(t *testing.T) {
	c := make(store.Calibration, 101)
	for i := range c {
		c[i] = float64(i)/100 - 0.5 // -0.5 to 0.5
	}
	for cosine, want := range map[float64]float64{-1: 0, 0: 0, 0.49: 0, 0.745: 0.25, 1: 1, 1.01: 1} {
		if got := c.Evidence(cosine); got < want-1e-9 || got > want+1e-9 {
			t.Errorf("evidence of %v is %v, want %v", cosine, got, want)
		}
	}
	for _, short := range []store.Calibration{nil, {0.1, 0.2}} {
		if short.Evidence(1) != 0 {
			t.Errorf("%v says something", short)
		}
	}
}

// A store keeps what its own random pairs are like.
func TestStoreIsCalibrated(t *testing.T) {
	c := newCorpus(2)
	c.fill()
	dir := t.TempDir()
	c.build(t, dir)
	random, err := pin(t, dir).Calibration(context.Background())
	check(t, err)
	if len(random) != 101 || random[0] > random[50] || random[50] > random[100] || random[100] > 1.05 || random[100] < 0.5 {
		t.Errorf("quantiles %v", random)
	}
	if e := random.Evidence(1); e != 1 {
		t.Errorf("the same text is evidence %v", e)
	}
}
