package actors

import (
	"math"
	"slices"
	"strings"
	"testing"

	"patina/actors/api"
	"patina/fusion"
	"patina/store/doc"
)

// Without beliefs, the other results must keep their order and descriptions. An invalid tuning must
// be refused.
func TestTuning(t *testing.T) {
	e := newEngine(t, Options{Projects: []Project{newProject(t, "app")}})
	ask := func(tuning fusion.Tuning) (ids []string, beliefs int) {
		a, err := e.Scry(t.Context(), api.Request{Text: "dial a connection once", Tuning: tuning, Timeout: ample})
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range a.Results {
			if r.Kind == doc.Belief {
				beliefs++
				continue
			}
			ids = append(ids, r.DocID)
		}
		return ids, beliefs
	}
	all, n := ask(fusion.Tuning{})
	if n == 0 || len(all) == 0 {
		t.Fatalf("found %q and %d beliefs", all, n)
	}
	none, n := ask(fusion.Tuning{Kinds: map[string]float64{"belief": 0}})
	if n != 0 || !slices.Equal(none, all) {
		t.Errorf("without beliefs: %q and %d beliefs, with them %q", none, n, all)
	}
	if _, n := ask(fusion.Tuning{Channels: map[string]float64{"belief": 0}}); n != 0 {
		t.Errorf("without their channel: %d beliefs", n)
	}
	for want, tuning := range map[string]fusion.Tuning{
		`no channel "code"`:    {Channels: map[string]float64{"code": 1}},
		`no kind "lexical"`:    {Kinds: map[string]float64{"lexical": 1}},
		`weight 11 of "code"`:  {Kinds: map[string]float64{"code": 11}},
		`weight NaN of "code"`: {Kinds: map[string]float64{"code": math.NaN()}},
		`place -1 of "belief"`: {Places: map[string]int{"belief": -1}},
		`"memory" has one`:     {Places: map[string]int{"memory": 0}},
	} {
		if _, err := e.Scry(t.Context(), api.Request{Text: "x", Tuning: tuning, Timeout: ample}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %v, want %s", tuning, err, want)
		}
	}
}
