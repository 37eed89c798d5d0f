package store_test

import (
	"context"
	"slices"
	"testing"

	"patina/store/doc"
	"patina/store/storetest"
)

// Evidence is 0 up to the level of random pairs, 1 for the same text, and rises in between.
func TestCalibration(t *testing.T) {
	c := make(doc.Calibration, 101)
	for i := range c {
		c[i] = float64(i)/100 - 0.5 // -0.5 to 0.5
	}
	for cosine, want := range map[float64]float64{-1: 0, 0: 0, 0.49: 0, 0.745: 0.25, 1: 1, 1.01: 1} {
		if got := c.Evidence(cosine); got < want-1e-9 || got > want+1e-9 {
			t.Errorf("evidence of %v is %v, want %v", cosine, got, want)
		}
	}
	for _, short := range []doc.Calibration{nil, {0.1, 0.2}} {
		if short.Evidence(1) != 0 {
			t.Errorf("%v says something", short)
		}
	}
}

// A store keeps quantiles from its own random pairs.
func TestStoreIsCalibrated(t *testing.T) {
	c := storetest.NewCorpus(2)
	c.Fill()
	dir := t.TempDir()
	c.Build(t, dir)
	random, err := storetest.Pin(t, dir).Calibration(context.Background())
	storetest.Check(t, err)
	if len(random) != 101 || random[0] > random[50] || random[50] > random[100] || random[100] > 1.05 || random[100] < 0.5 {
		t.Errorf("quantiles %v", random)
	}
	if e := random.Evidence(1); e != 1 {
		t.Errorf("the same text is evidence %v", e)
	}
}

// The same documents in another order, brought by other workers, give the same quantiles.
func TestCalibrationKnowsNoOrder(t *testing.T) {
	c := storetest.NewCorpus(3)
	c.Fill()
	var first doc.Calibration
	for i := range 4 {
		dir := t.TempDir()
		c.Build(t, dir) // which worker takes a file is drawn anew
		random, err := storetest.Pin(t, dir).Calibration(t.Context())
		storetest.Check(t, err)
		if i == 0 {
			first = random
		} else if !slices.Equal(first, random) {
			t.Fatalf("quantiles of build %d: %v, of the first: %v", i+1, random, first)
		}
	}
}
