package merge

import "testing"

func TestDiffer(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"Device alpha is a Synology box", "Device alpha is a Fnos box", true},
		{"The pool size is 8", "the pool size is 16.", true},
		{"Deploy on Fridays", "Never deploy on Fridays", true},
		{"Do not log tokens here", "Do log tokens here", true},
		{"The key rotates every 30 days", "The key rotates every 90 days", true},
		{"Device alpha is a Synology box", "device alpha is a Synology box.", false},
		{"Device alpha is a Synology box", "Device beta is a Fnos box", false},
		{"Use Zoom for video calls", "Use Google Meet for video calls", true},
		{"Always go to the IT room to work", "Always go to the common area to work", true},
		{"Use Zoom for calls", "Use Google Meet for private calls", false}, // in two places
		{"Use tabs", "Use spaces", false},                                  // too short to have a subject
		{"The cache expires hourly", "The queue is bounded at eight", false},
		{"", "", false},
		{"", "x", false},
	} {
		if got := Differ(c.a, c.b); got != c.want {
			t.Errorf("%q, %q: %v", c.a, c.b, got)
		}
		if Differ(c.a, c.b) != Differ(c.b, c.a) {
			t.Errorf("%q, %q: not symmetric", c.a, c.b)
		}
	}
}
