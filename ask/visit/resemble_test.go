package visit

import "testing"

func TestResembles(t *testing.T) {
	for _, test := range []struct {
		a, b  string
		alike bool
	}{
		{"home", "home", true},
		{"h\u03bfme", "home", true},         // Greek omicron
		{"h\u043eme", "home", true},         // Cyrillic o
		{"\u04bbome", "home", true},         // Cyrillic shha
		{"Home", "home", true},              // case
		{"ho\u200bme", "home", true},        // a space of no width
		{"h\u00f6me", "home", true},         // an accent
		{"\uff48\uff4fme", "home", true},    // full width
		{"h0me", "home", true},              // a digit
		{"horne", "home", true},             // two letters
		{"Iib", "lib", true},                // a capital
		{"\u0430\u0440\u0440", "app", true}, // letters of another script
		{"homes", "home", false},
		{"lib", "app", false},
		{"\u4e2d\u6587", "app", false},
	} {
		if got := resembles(test.a, test.b); got != test.alike {
			t.Errorf("%q and %q: %v", test.a, test.b, got)
		}
	}
}
