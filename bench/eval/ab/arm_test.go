package ab

import (
	"strings"
	"testing"

	"patina/store/doc"
)

func TestParseArm(t *testing.T) {
	for spec, want := range map[string]map[string]string{
		"beliefs-on":                       {"beliefs": "on", "annotations": "on", "view": "snippets", "limit": "10"},
		"beliefs-off":                      {"beliefs": "off", "annotations": "off"},
		"annotations":                      {"beliefs": "off", "annotations": "on"},
		"channel":                          {"beliefs": "on", "annotations": "off"},
		"full":                             {"view": "full"},
		"mine:":                            {"beliefs": "on", "annotations": "on"},
		"mine:annotations, limit=20":       {"beliefs": "off", "annotations": "on", "limit": "20"},
		"w:weight.semantic=0.5":            {"weight.semantic": "0.5"},
		"w:weight.beliefs=2,place.belief=": nil,
		"w:weight.beliefs=2":               {"weight.belief": "2"},
		"w:place.belief=0,budget=400":      {"place.belief": "0", "budget": "400"},
		"w:rule=rrf,oracles=lexical+belief": {
			"rule": "rrf", "oracles": "lexical+belief",
		},
	} {
		a, err := ParseArm(spec)
		if (err != nil) != (want == nil) {
			t.Errorf("%q: %v", spec, err)
			continue
		}
		for key, value := range want {
			if a.Settings[key] != value {
				t.Errorf("%q: %s=%s, want %s", spec, key, a.Settings[key], value)
			}
		}
	}
	for spec, want := range map[string]string{
		"beleifs-on":            `no arm "beleifs-on"; there are annotations, beliefs-off`,
		":beliefs=on":           "has no name",
		"":                      "has no name",
		"x:belief=on":           `arm "x": no key "belief"; there are beliefs, annotations`,
		"x:beliefs=yes":         "beliefs=yes: want on or off",
		"x:limit=10,full":       `"full" is not key=value, nor a preset as the first part`,
		"x:view=whole":          "want snippets or full",
		"x:limit=0":             "limit=0: want a whole number from 1 to 100",
		"x:budget=-1":           "want a whole number from 0",
		"x:rule=borda":          "want blend or rrf",
		"x:oracles=grep":        `no oracle "grep"; there are `,
		"x:weight.semantik=1":   `no channel or kind "semantik"; channels are`,
		"x:weight.semantic=11":  "want a factor from 0 to 10",
		"x:weight.semantic=NaN": "want a factor from 0 to 10",
		"x:weight.semantic=x":   "want a factor from 0 to 10",
		"x:place.lexical=1":     `no channel or kind "lexical"`,
		"x:place.memory=0":      "want a whole number from 1 to 100",
	} {
		if _, err := ParseArm(spec); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", spec, err, want)
		}
	}
}

// An arm without beliefs must ask for no beliefs, and must not change the weights of other arms.
func TestRequest(t *testing.T) {
	a, err := ParseArm("x:annotations,weight.code=2")
	if err != nil {
		t.Fatal(err)
	}
	r := a.request("q")
	if r.Tuning.Keeps("belief", string(doc.Belief)) || r.Tuning.Kinds["code"] != 2 || len(a.tuning.Kinds) != 1 {
		t.Errorf("request %+v of arm %+v", r.Tuning, a.tuning)
	}
	if a.shows(doc.Belief) || !a.shows(doc.Code) {
		t.Error("shows beliefs, or no code")
	}
	for _, name := range Presets() {
		if _, err := ParseArm(name); err != nil {
			t.Errorf("preset %q: %v", name, err)
		}
	}
	b, err := ParseArm("x:oracles=lexical")
	if err != nil || b.shows(doc.Belief) || !b.shows(doc.Pattern) {
		t.Errorf("lexical alone, %v: beliefs come from their own channel, sections do not", err)
	}
}
