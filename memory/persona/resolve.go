package persona

import (
	"fmt"
	"slices"
	"strings"

	"patina/internal/lazyregexp"
)

// usable is the form of an id that can be part of a doc_id. Events with other ids are named by
// their place in the log.
var usable = lazyregexp.New(`^[A-Za-z0-9][A-Za-z0-9._:-]{0,95}$`)

// A State is a record's name and standing among all records.
type State struct {
	Name     string // unique except for twins; used in doc_ids
	HiddenBy string // the name of the superseding event; empty: the record holds
	Twin     bool   // repeats an earlier event with the same id
}

// IsShown reports whether a record is a note to be shown.
func (s State) IsShown(r Record) bool { return r.Content != "" && s.HiddenBy == "" && !s.Twin }

// Resolve names the records, and finds those that newer ones supersede. Records must be in the
// order of the log. A second event with the same id is another note, unless it repeats the first.
// Of events that supersede each other in a cycle, the newest holds.
func Resolve(all []Record) (states []State, faults []Fault) {
	states = make([]State, len(all))
	first := map[string]int{} // by id
	names := map[string]bool{}
	say := func(i int, format string, args ...any) {
		faults = append(faults, Fault{File: all[i].File, Line: all[i].Line, Reason: fmt.Sprintf(format, args...)})
	}
	for i, r := range all {
		before, taken := first[r.ID]
		switch {
		case r.ID == "":
			say(i, "no id")
		case taken && sameEvent(all[before].Event, r.Event):
			states[i] = State{Name: states[before].Name, Twin: true}
			say(i, "the same event as in %s:%d", all[before].File, all[before].Line)
			continue
		case taken:
			say(i, "its id is that of another event, in %s:%d", all[before].File, all[before].Line)
		default:
			first[r.ID] = i
			if usable().MatchString(r.ID) && !names[r.ID] {
				states[i].Name = r.ID
				names[r.ID] = true
				continue
			}
			say(i, "its id is no name")
		}
		states[i].Name = placeName(r, names)
		names[states[i].Name] = true
	}
	for i := range all { // an event without a usable id is referred to by its name
		if _, taken := first[states[i].Name]; !taken {
			first[states[i].Name] = i
		}
	}
	older := supersededRecords(all, first, say)
	newest := findCircles(older)
	for i, target := range older {
		if target < 0 || states[i].Twin {
			continue
		}
		if newest[i] == target {
			say(i, "it supersedes an event that supersedes it, and is older")
			continue
		}
		states[target].HiddenBy = states[i].Name
	}
	return states, faults
}

// sameEvent reports whether two events have the same content.
func sameEvent(a, b Event) bool {
	return a.Content == b.Content && a.Supersedes == b.Supersedes && slices.Equal(a.Domains, b.Domains)
}

// placeName returns a name made of the record's place in the log, which never changes.
func placeName(r Record, taken map[string]bool) string {
	name := fmt.Sprintf("%s.%d", strings.TrimSuffix(r.File, ending), r.Line)
	for base, n := name, 2; taken[name]; n++ { // already taken as an id
		name = fmt.Sprintf("%s.%d", base, n)
	}
	return name
}

// supersededRecords returns the index of the record that each record supersedes, or -1.
func supersededRecords(all []Record, first map[string]int, say func(int, string, ...any)) []int {
	out := make([]int, len(all))
	for i, r := range all {
		out[i] = -1
		if r.Supersedes == "" {
			continue
		}
		if t, ok := first[r.Supersedes]; ok {
			out[i] = t
		} else {
			say(i, "it supersedes an event that is not in the log")
		}
	}
	return out
}

// findCircles returns, for each record in a cycle, the newest record of the cycle: the last in the
// log. It returns -1 for other records. Each record supersedes at most one, so cycles never
// overlap.
func findCircles(older []int) []int {
	newest, walk := make([]int, len(older)), make([]int, len(older)) // number of the walk, from 1
	for i := range newest {
		newest[i] = -1
	}
	for start := range older {
		at := start
		for at >= 0 && walk[at] == 0 {
			walk[at] = start + 1
			at = older[at]
		}
		if at < 0 || walk[at] != start+1 {
			continue
		}
		last := at
		for x := older[at]; x != at; x = older[x] {
			last = max(last, x)
		}
		newest[at] = last
		for x := older[at]; x != at; x = older[x] {
			newest[x] = last
		}
	}
	return newest
}
