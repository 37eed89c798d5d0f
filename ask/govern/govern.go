// Package govern finds the knowledge that governs an act of a coding agent: the belief, the
// decision, the rule or the note about the file that is edited, the command that is run or the
// error that it gave.
//
// It is for a hook that a client waits for, so it reads a few rows and no vectors, and prefers
// silence: an item is found only if it names the file, a symbol in the edit or the command, or says
// most of the same words. Beliefs of a repository of other authors, imported notes, and a
// text that reads like an instruction to a model are never found (Refused).
//
// It decides nothing about sessions and clients, which package hookcmd under cmd knows.
package govern

import (
	"cmp"
	"context"
	"path"
	"slices"
	"strings"

	"patina/memory"
	"patina/store"
)

// An Act is an edit, a command, or a command that failed.
type Act struct {
	Paths   []string // files to be edited, from the root of the repository, with slashes
	Texts   []string // texts that the edit removes or adds
	Command string   // as typed into a shell
	Failure string   // the output of a failed command; empty before an act
}

// A Kind is the kind of an item.
type Kind string

// The kinds.
const (
	Belief   Kind = "belief"
	Decision Kind = "decision"
	Rule     Kind = "rule"
	Note     Kind = "note"
)

// An Item is a piece of knowledge that governs an act.
type Item struct {
	Kind   Kind
	ID     string
	Text   string  // its sentence, as written
	Path   string  // its file; empty for a note
	Line   int     // of its file, from 1
	Reason string  // such as "about this file"; it holds no word of the act
	Score  float64 // from 0 to 1
	About  string  // the edited file that it governs; empty for a command
}

// A Source is where knowledge is read from. Index and Notes may be nil.
type Source struct {
	Root  string // of the working tree
	Index *store.Reader
	Notes *memory.Store
}

// floor is the least score of an item. It was chosen on labelled edits (bench/history/act.md): a
// commit of two files that a belief cites as evidence scores .49, of three .40.
const floor = .45

// maxTexts bounds the bytes of an edit, a command or a failure that are compared.
const maxTexts = 32 << 10

// Find returns the items that govern an act, best first. It returns nil for most acts.
func Find(ctx context.Context, s Source, act Act) ([]Item, error) {
	act = act.bounded()
	var all []Item
	if s.Notes != nil {
		notes, err := findNotes(ctx, s.Notes, act)
		if err != nil {
			return nil, err
		}
		all = notes
	}
	// A generation in which no commit is the user's speaks for its authors alone.
	if s.Index != nil && s.Index.Generation().Own && act.Failure == "" {
		snap, err := s.Index.Snapshot(ctx)
		if err != nil {
			return nil, err
		}
		held, err := findHeld(ctx, s.Index, snap, act)
		if err != nil {
			return nil, err
		}
		rules, err := findRules(ctx, s.Index, snap, act)
		if err != nil {
			return nil, err
		}
		all = slices.Concat(all, held, rules)
	}
	all = slices.DeleteFunc(all, func(x Item) bool { return x.Score < floor || !x.isFit() || !x.holds(s.Root) })
	sortItems(all)
	return all, nil
}

// leastWords is the least length of a sentence. A shorter text is a link or a name.
const leastWords = 3

// isFit reports whether an item may be shown: it is a sentence, and neither it nor its provenance
// is refused.
func (x Item) isFit() bool {
	return len(strings.Fields(x.Text)) >= leastWords && Refused(x.Text) == "" && Refused(x.ID) == "" && Refused(x.Path) == ""
}

// sortItems sorts items, best first.
func sortItems(all []Item) {
	slices.SortStableFunc(all, func(a, b Item) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(order[a.Kind], order[b.Kind]),
			cmp.Compare(len(a.Text), len(b.Text)), cmp.Compare(a.ID, b.ID))
	})
}

// order is the order of items with equal scores. A note comes first, because somebody wrote it for
// this case.
var order = map[Kind]int{Note: 0, Belief: 1, Decision: 2, Rule: 3}

// bounded returns the act with clean paths inside of the root, and at most maxTexts bytes of each
// text.
func (a Act) bounded() Act {
	var paths []string
	for _, p := range a.Paths {
		if p = path.Clean(p); p != "." && !path.IsAbs(p) && p != ".." && !strings.HasPrefix(p, "../") {
			paths = append(paths, p)
		}
	}
	a.Paths = paths
	var texts []string
	left := maxTexts
	for _, t := range a.Texts {
		t = t[:min(len(t), left)]
		left -= len(t)
		texts = append(texts, t)
	}
	a.Texts = texts
	a.Command = a.Command[:min(len(a.Command), maxTexts)]
	a.Failure = a.Failure[max(0, len(a.Failure)-maxTexts):] // the end says why
	return a
}
