package main

import (
	"strings"
	"testing"
	"time"

	"patina/cmd/internal/cli"
)

// A long check shows its progress after a second and then removes it. A short one shows nothing.
func TestBar(t *testing.T) {
	var b strings.Builder
	now := time.Unix(0, 0)
	x := cli.NewBar(&b, func() time.Time { return now })
	x.Show("secrets", 1, 10)
	x.Clear()
	if b.Len() > 0 {
		t.Errorf("at once: %q", b.String())
	}
	now = now.Add(2 * time.Second)
	x.Show("secrets", 2, 10)
	x.Show("secrets", 3, 10) // too soon
	x.Clear()
	if want := "\r\x1b[Ksecrets 2/10\r\x1b[K"; b.String() != want {
		t.Errorf("drew %q", b.String())
	}
}
