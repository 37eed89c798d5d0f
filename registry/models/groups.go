package models

import (
	"slices"

	"patina/store/doc"
)

// groups are the texts that a model can be chosen for, those first of which there are few.
var groups = []struct {
	name  string
	kinds []doc.Kind
}{
	{"beliefs", []doc.Kind{doc.Belief}},
	{"notes", []doc.Kind{doc.Memory, doc.Persona}},
	{"sessions", []doc.Kind{doc.Session}},
	{"documents", []doc.Kind{doc.Pattern}},
	{"commits", []doc.Kind{doc.Commit}},
	{"code", []doc.Kind{doc.Code}},
}

// Groups returns the names of the groups, those first of which there are few texts.
func Groups() (names []string) {
	for _, g := range groups {
		names = append(names, g.name)
	}
	return names
}

// UsualGroups returns the groups that a model is chosen for unless the user names others: those of
// which a repository has few texts.
func UsualGroups() []string { return Groups()[:4] }

// Kinds returns the kinds of documents in a group, or nil if there is no such group.
func Kinds(group string) []doc.Kind {
	for _, g := range groups {
		if g.name == group {
			return slices.Clone(g.kinds)
		}
	}
	return nil
}

// GroupOf returns the group of a kind, or "" if the kind has no group.
func GroupOf(kind doc.Kind) string {
	for _, g := range groups {
		if slices.Contains(g.kinds, kind) {
			return g.name
		}
	}
	return ""
}
