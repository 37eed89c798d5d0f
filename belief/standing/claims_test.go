package standing_test

import (
	"fmt"
	"math"
	"testing"

	"patina/belief/standing"
)

func link(target, status string, confidence float64) []standing.Link {
	return []standing.Link{{Target: target, Status: status, Confidence: confidence}}
}

// The effect of each kind of edge, for a belief held at 0.8 beside one at 0.5.
func TestClaims(t *testing.T) {
	fall := func(e float64) float64 { return 0.8 - 0.8*e*e/(1+e*e) }
	for name, test := range map[string]struct {
		a, b standing.Claim
		want float64
	}{
		"alone":    {standing.Claim{}, standing.Claim{}, 0.8},
		"attacked": {standing.Claim{}, standing.Claim{Attacks: link("a", "", -1)}, fall(0.5)},
		"attacked, and called defeated": {
			standing.Claim{},
			standing.Claim{Attacks: link("a", "defeated", -1)},
			fall(0.5),
		},
		"attacked in a scope": {
			standing.Claim{},
			standing.Claim{Attacks: link("a", "scoped", -1)},
			fall(0.25),
		},
		"the attack was defeated": {
			standing.Claim{AttackedBy: link("b", "defeated", -1)},
			standing.Claim{Attacks: link("a", "", -1)},
			0.8,
		},
		"said by both": {
			standing.Claim{AttackedBy: link("b", "active", -1)},
			standing.Claim{Attacks: link("a", "", -1)},
			fall(0.5),
		},
		"said by the target": {
			standing.Claim{AttackedBy: link("b", "active", 0.4)},
			standing.Claim{},
			fall(0.2),
		},
		"attacked by no belief": {
			standing.Claim{AttackedBy: link("z", "active", 0.3)},
			standing.Claim{},
			fall(0.3),
		},
		"attacked by no belief, unsure": {standing.Claim{AttackedBy: link("z", "", -1)}, standing.Claim{}, fall(0.5)},
		"supported":                     {standing.Claim{}, standing.Claim{Supports: link("a", "", -1)}, 0.8 + 0.2*0.2},
		"supports itself":               {standing.Claim{Supports: link("a", "", -1)}, standing.Claim{}, 0.8},
		"leads nowhere": {
			standing.Claim{Supports: link("z", "", -1), Attacks: link("z", "", -1)},
			standing.Claim{},
			0.8,
		},
	} {
		test.a.ID, test.a.Entrenchment, test.a.Held = "a", 0.8, true
		test.b.ID, test.b.Entrenchment, test.b.Held = "b", 0.5, true
		if got := of(t, standing.Of([]standing.Claim{test.a, test.b}), "a"); math.Abs(got-test.want) > 1e-6 {
			t.Errorf("%s: %.6f, want %.6f", name, got, test.want)
		}
	}
}

// Edges of a belief that is no longer held do not count, in whichever file they are.
func TestDefeatedClaims(t *testing.T) {
	gone := standing.Claim{ID: "gone", Entrenchment: 0.9, Attacks: link("a", "", -1), Supports: link("a", "", -1)}
	a := standing.Claim{ID: "a", Entrenchment: 0.8, Held: true, AttackedBy: link("gone", "active", 0.9)}
	if got := of(t, standing.Of([]standing.Claim{a, gone}), "a"); got != 0.8 {
		t.Errorf("%v", got)
	}
}

// Of two beliefs with one id, the first counts, with the edges of both.
func TestDuplicateClaims(t *testing.T) {
	g := standing.Of([]standing.Claim{
		{ID: "a", Entrenchment: 0.8, Held: true},
		{ID: "a", Entrenchment: 0.1, Held: true, AttackedBy: link("z", "", 0.5)},
	})
	if got := of(t, g, "a"); got >= 0.8 || got <= 0.5 {
		t.Errorf("%v", got)
	}
}

// A claim may attack itself, by either list, or be in a cycle with a claim that it supports.
func TestClaimsInCycles(t *testing.T) {
	own := func(c standing.Claim) float64 {
		c.ID, c.Entrenchment, c.Held = "a", 0.8, true
		return of(t, standing.Of([]standing.Claim{c}), "a")
	}
	// s = 0.8 - 0.8 s²/(1 + s²)
	for name, got := range map[string]float64{
		"attacks":        own(standing.Claim{Attacks: link("a", "", -1)}),
		"is attacked by": own(standing.Claim{AttackedBy: link("a", "active", -1)}),
		"both":           own(standing.Claim{Attacks: link("a", "", -1), AttackedBy: link("a", "active", -1)}),
	} {
		if want := 0.8 - 0.8*got*got/(1+got*got); math.Abs(got-want) > 1e-6 || got >= 0.8 {
			t.Errorf("%s itself: %.6f is no fixed point (%.6f)", name, got, want)
		}
	}
	if got := own(standing.Claim{Attacks: link("a", "", -1), AttackedBy: link("a", "defeated", -1)}); got != 0.8 {
		t.Errorf("a defeated attack on itself: %v", got)
	}
	g := standing.Of([]standing.Claim{
		{ID: "a", Entrenchment: 0.8, Held: true, Supports: link("b", "", -1)},
		{ID: "b", Entrenchment: 0.8, Held: true, Attacks: link("a", "", -1)},
	})
	if ok, _ := g.Settled(); !ok || of(t, g, "a") >= 0.8 || of(t, g, "b") <= 0.8 {
		t.Errorf("settled %v: %v, %v", ok, of(t, g, "a"), of(t, g, "b"))
	}
}

// Ten thousand claims name only attackers and supporters that do not exist.
func TestMissingTargets(t *testing.T) {
	claims := make([]standing.Claim, 10_000)
	for i := range claims {
		claims[i] = standing.Claim{
			ID: fmt.Sprint("c", i), Entrenchment: 0.8, Held: true,
			Supports: link("nobody", "", -1), Attacks: link("", "", -1), AttackedBy: link("nobody", "", 0.5),
		}
	}
	g := standing.Of(claims)
	want := 0.8 - 0.8*0.25/1.25
	if a, b := of(t, g, "c0"), of(t, g, "c9999"); math.Abs(a-want) > 1e-6 || a != b {
		t.Errorf("%v and %v, want %v", a, b, want)
	}
}

func TestFactor(t *testing.T) {
	for score, want := range map[float64]float64{0: 0.5, 1: 1, 0.5: 0.75, 2: 1, math.Inf(-1): 0.5} {
		if got := standing.Factor(score); got != want {
			t.Errorf("%v: %v, want %v", score, got, want)
		}
	}
}
