package callers_test

import (
	"testing"

	"patina/code/callers"
)

func TestAsked(t *testing.T) {
	for question, want := range map[string]string{
		"who calls split_list":                   "split_list",
		"Callers of Pool.Take?":                  "Take",
		"where is `take` used":                   "take",
		"what calls take()":                      "take",
		"which functions use TakeAll":            "TakeAll",
		"where is a pool used":                   "", // a topic
		"who calls take":                         "", // a plain word
		"where is split_list defined":            "",
		"split_list":                             "",
		"who calls split_list with no arguments": "",
		"who calls split_list and take_all":      "",
		"calls":                                  "",
		"":                                       "",
	} {
		if n, ok := callers.Asked(question); ok != (want != "") || ok && n.Last != want {
			t.Errorf("%q asks for the callers of %q, %v, want %q", question, n.Last, ok, want)
		}
	}
}
