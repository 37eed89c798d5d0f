package ab

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"patina/actors/api"
	"patina/fusion"
	"patina/store/doc"
)

// An Arm is one configuration of answers. ParseArm makes it; the zero value must not be used.
type Arm struct {
	Name        string            `json:"name"`
	Settings    map[string]string `json:"settings"` // every key with its value
	beliefs     bool              // whether beliefs are results of their own
	annotations bool              // whether code names the beliefs about it
	full        bool              // whether documents are shown whole
	limit       int
	budget      int // tokens; 0: the usual ceiling for snippets, no ceiling for whole documents
	rule        fusion.Rule
	oracles     []string
	tuning      fusion.Tuning
}

// presets are arms by name. With "beliefs-on" and "snippets", answers are as users get them.
var presets = map[string]string{
	"beliefs-on":  "",
	"beliefs-off": "beliefs=off,annotations=off",
	"annotations": "beliefs=off",
	"channel":     "annotations=off",
	"snippets":    "",
	"full":        "view=full",
}

// Presets returns the names of the arms that need no settings, sorted.
func Presets() []string { return slices.Sorted(maps.Keys(presets)) }

// The keys of settings, in the order in which they are explained.
var keys = []string{"beliefs", "annotations", "view", "limit", "budget", "rule", "oracles", "weight.NAME", "place.KIND"}

const (
	usualLimit = 10
	mostLimit  = 100 // the bound of the setting "limit"
	mostBudget = 100_000
)

// ParseArm reads an arm: "NAME", which must be a preset, or "NAME:key=value,…". The first part
// after the colon may be a preset whose settings the others change. An error names the part that is
// wrong, and the choices.
func ParseArm(spec string) (Arm, error) {
	name, rest, settings := strings.Cut(spec, ":")
	a := Arm{Name: name, beliefs: true, annotations: true, limit: usualLimit, rule: fusion.Blend}
	if strings.TrimSpace(name) == "" {
		return a, fmt.Errorf("arm %q has no name", spec)
	}
	if !settings {
		preset, ok := presets[name]
		if !ok {
			return a, fmt.Errorf("no arm %q; there are %s, and NAME:key=value,…", name, strings.Join(Presets(), ", "))
		}
		rest = preset
	}
	for i, part := range strings.Split(rest, ",") {
		if part = strings.TrimSpace(part); part == "" {
			continue
		}
		if preset, ok := presets[part]; ok && i == 0 {
			if err := a.setAll(preset); err != nil {
				return a, err
			}
			continue
		}
		if err := a.setAll(part); err != nil {
			return a, fmt.Errorf("arm %q: %w", name, err)
		}
	}
	a.Settings = a.settings()
	return a, nil
}

// setAll sets comma-separated settings.
func (a *Arm) setAll(settings string) error {
	for part := range strings.SplitSeq(settings, ",") {
		key, value, ok := strings.Cut(part, "=")
		if part == "" {
			continue
		}
		if !ok {
			return fmt.Errorf("%q is not key=value, nor a preset as the first part; presets are %s", part,
				strings.Join(Presets(), ", "))
		}
		if err := a.set(strings.TrimSpace(key), strings.TrimSpace(value)); err != nil {
			return err
		}
	}
	return nil
}

func (a *Arm) set(key, value string) (err error) {
	switch key {
	case "beliefs":
		a.beliefs, err = onOff(value)
	case "annotations":
		a.annotations, err = onOff(value)
	case "view":
		if a.full = value == "full"; !a.full && value != "snippets" {
			err = errors.New("want snippets or full")
		}
	case "limit":
		a.limit, err = number(value, 1, mostLimit)
	case "budget":
		a.budget, err = number(value, 0, mostBudget)
	case "rule":
		if a.rule = fusion.Rule(value); a.rule != fusion.Blend && a.rule != fusion.RRF {
			err = fmt.Errorf("want %s or %s", fusion.Blend, fusion.RRF)
		}
	case "oracles":
		a.oracles, err = channels(value)
	default:
		return a.tune(key, value)
	}
	if err != nil {
		return fmt.Errorf("%s=%s: %w", key, value, err)
	}
	return nil
}

func onOff(value string) (bool, error) {
	if value != "on" && value != "off" {
		return false, errors.New("want on or off")
	}
	return value == "on", nil
}

func number(value string, low, high int) (int, error) {
	n, err := strconv.Atoi(value)
	if err != nil || n < low || n > high {
		return 0, fmt.Errorf("want a whole number from %d to %d", low, high)
	}
	return n, nil
}

// channels reads names separated by "+". It returns an error if a name is not a channel.
func channels(value string) ([]string, error) {
	names := strings.Split(value, "+")
	for _, n := range names {
		if !slices.Contains(api.Channels(), n) {
			return nil, fmt.Errorf("no oracle %q; there are %s, with + between", n,
				strings.Join(api.Channels(), ", "))
		}
	}
	return names, nil
}

// tune reads weight.NAME and place.KIND. If a channel and a kind share a name, it means the kind.
func (a *Arm) tune(key, value string) error {
	what, name, _ := strings.Cut(key, ".")
	kind, isKind := doc.KindNamed(name)
	isChannel := slices.Contains(api.Channels(), name)
	switch {
	case what == "weight" && (isKind || isChannel):
		f, err := strconv.ParseFloat(value, 64)
		if err != nil || !(f >= 0 && f <= fusion.MostFactor) {
			return fmt.Errorf("%s=%s: want a factor from 0 to %d", key, value, fusion.MostFactor)
		}
		of, by := &a.tuning.Channels, name
		if isKind {
			of, by = &a.tuning.Kinds, string(kind)
		}
		if *of == nil {
			*of = map[string]float64{}
		}
		(*of)[by] = f
		return nil
	case what == "place" && isKind:
		low := 0
		if kind.Traits().Shape == doc.Outside {
			low = 1
		}
		n, err := number(value, low, mostLimit)
		if err != nil {
			return fmt.Errorf("%s=%s: %w", key, value, err)
		}
		if a.tuning.Places == nil {
			a.tuning.Places = map[string]int{}
		}
		a.tuning.Places[string(kind)] = n
		return nil
	case what == "weight" || what == "place":
		return fmt.Errorf("%s: no channel or kind %q; channels are %s, kinds %s", key, name,
			strings.Join(api.Channels(), ", "), kinds())
	}
	return fmt.Errorf("no key %q; there are %s", key, strings.Join(keys, ", "))
}

func kinds() string {
	var names []string
	for _, k := range doc.Kinds() {
		names = append(names, string(k))
	}
	return strings.Join(names, ", ")
}

// settings returns every key that has a value, for reports.
func (a *Arm) settings() map[string]string {
	out := map[string]string{
		"beliefs": word(a.beliefs, "on", "off"), "annotations": word(a.annotations, "on", "off"),
		"view":  word(a.full, "full", "snippets"),
		"limit": strconv.Itoa(a.limit), "budget": strconv.Itoa(a.budget), "rule": string(a.rule),
	}
	if len(a.oracles) > 0 {
		out["oracles"] = strings.Join(a.oracles, "+")
	}
	for _, of := range []map[string]float64{a.tuning.Channels, a.tuning.Kinds} {
		for name, f := range of {
			out["weight."+name] = strconv.FormatFloat(f, 'g', -1, 64)
		}
	}
	for name, p := range a.tuning.Places {
		out["place."+name] = strconv.Itoa(p)
	}
	return out
}

func word(is bool, yes, no string) string {
	if is {
		return yes
	}
	return no
}

// request returns the request that asks a question in the configuration of this arm.
func (a *Arm) request(query string) api.Request {
	t := a.tuning
	if !a.beliefs {
		t.Kinds = maps.Clone(t.Kinds)
		if t.Kinds == nil {
			t.Kinds = map[string]float64{}
		}
		t.Kinds[string(doc.Belief)] = 0
	}
	return api.Request{Text: query, Limit: a.limit, Rule: a.rule, Oracles: a.oracles, Timeout: patience, Tuning: t}
}
