package govern

import (
	"context"
	"path"
	"slices"
	"strings"

	"patina/internal/lazyregexp"
	"patina/memory"
	"patina/store/text"
)

// The scores of the ways in which a note governs an act.
const (
	placedSymbol = 1.0 // its symbol is in the edit
	placedFile   = .95 // its place is the file
	placedFolder = .6  // its place is a folder above
	quotedError  = 1.0 // it quotes a part of the error
	sameError    = .8  // it shares a run of words with a line of the error
	likeError    = .55 // it has most of the words of a line of the error
	failedBefore = .5  // it warns of the command that failed
)

// maxShared bounds the notes that are compared with an act by their words.
const maxShared = 64

// findNotes returns the notes about the files, the symbols, the command or the failure of an act.
// Notes from elsewhere (memory.Imported, memory.Untrusted) are never among them.
func findNotes(ctx context.Context, s *memory.Store, act Act) (found []Item, err error) {
	names := identifiers(act.Texts)
	seen := map[string]int{}
	add := func(m memory.Memory, score float64, reason, about string) {
		if score == 0 || m.Origin != memory.User && m.Origin != memory.Agent {
			return
		}
		x := Item{Kind: Note, ID: m.ID, Text: m.Content, Score: score, Reason: reason, About: about}
		if i, ok := seen[m.ID]; !ok {
			seen[m.ID] = len(found)
			found = append(found, x)
		} else if found[i].Score < score {
			found[i] = x
		}
	}
	for _, p := range act.Paths {
		for dir := p; dir != "." && dir != "/"; dir = path.Dir(dir) {
			placed, err := s.About(ctx, dir, "")
			if err != nil {
				return nil, err
			}
			for _, m := range placed {
				score, reason := ratePlace(m, dir, p, names)
				add(m, score, reason, p)
			}
		}
	}
	near, err := s.Sharing(ctx, slices.Concat(act.Paths, act.Texts, []string{act.Command, strings.Join(errorLinesOf(act), "\n")}),
		maxShared)
	if err != nil {
		return nil, err
	}
	for _, m := range near {
		switch {
		case act.Failure != "":
			score, reason := rateFailure(m.Content, act)
			add(m, score, reason, "")
		case act.Command != "":
			if name := namedCommand(m.Content, act.Command); name != "" && saysMore(m.Content) {
				add(m, namesCommand, "names this command", "")
			}
		default:
			for _, p := range act.Paths {
				if m.Path == "" || m.Path == p {
					score, reason := rateNote(m, p, names, act.Texts)
					add(m, score, reason, p)
				}
			}
		}
	}
	return found, nil
}

func errorLinesOf(act Act) []string {
	if act.Failure == "" {
		return nil
	}
	return errorLines(act.Failure)
}

// ratePlace returns how surely a note with a place governs the edit of a file. dir is its place:
// the file or a folder above it.
func ratePlace(m memory.Memory, dir, p string, names map[string]bool) (float64, string) {
	switch {
	case dir != p:
		return placedFolder, "about its folder"
	case m.Symbol == "":
		return placedFile, "about this file"
	case names[lastName(m.Symbol)]:
		return placedSymbol, "about code of this edit"
	}
	return 0, "" // about another symbol of the file
}

// rateNote returns how surely a note without a place governs the edit of a file.
func rateNote(m memory.Memory, p string, names map[string]bool, texts []string) (score float64, reason string) {
	if m.Path == "" && m.Symbol != "" && names[lastName(m.Symbol)] {
		return namesSymbol, "about code of this edit"
	}
	if score, reason = rateText(m.Content, p, names); score > 0 {
		return score, reason
	}
	stems, _ := stemSet(m.Content)
	for _, has := range windows(texts, p) {
		if part, n := share(stems, has, func(string) float64 { return 1 }); part >= leastShare && n >= leastStems {
			score = max(score, wordsScore*part)
			reason = "says what the edit says"
		}
	}
	return score, reason
}

func lastName(symbol string) string {
	return symbol[strings.LastIndexAny(symbol, ".:>#")+1:]
}

const (
	sameRun     = 4  // neighbouring words that a note and a line of an error share
	likeShare   = .6 // of the words of a line
	likeStems   = 3
	leastQuoted = 12 // bytes of a quoted part
)

// quotedParts matches the parts of a note in quotes or back-ticks.
var quotedParts = lazyregexp.New("`([^`]+)`|\"([^\"]+)\"|'([^']{12,})'")

// rateFailure returns how surely a note is about a failure.
func rateFailure(note string, act Act) (score float64, reason string) {
	said := plainWords(note)
	stems, has := stemSet(note)
	var parts [][]string
	for _, m := range quotedParts().FindAllStringSubmatch(note, -1) {
		if part := m[1] + m[2] + m[3]; len(part) >= leastQuoted {
			parts = append(parts, plainWords(part))
		}
	}
	own := quotedNames(note)
	for _, line := range errorLines(act.Failure) {
		words := plainWords(line)
		if names := quotedNames(line); len(own) > 0 && len(names) > 0 && !shareName(own, names) {
			continue // the same error about something else
		}
		for _, part := range parts {
			if len(part) >= 2 && containsRun(words, part) || len(part) == 1 && slices.Contains(words, part[0]) {
				return quotedError, "quotes the error"
			}
		}
		if score < sameError && sharesRun(said, words) {
			score, reason = sameError, "about this error"
		}
		if score < likeError && len(stems) > 0 {
			of, _ := stemSet(withoutPlaces(line))
			if part, n := share(of, has, func(string) float64 { return 1 }); part >= likeShare && n >= likeStems {
				score, reason = likeError, "about an error like this"
			}
		}
	}
	if score == 0 && saysMore(note) {
		if name := namedCommand(note, act.Command); name != "" {
			return failedBefore, "names this command"
		}
	}
	return score, reason
}

// quotedName matches a single word in quotes.
var quotedName = lazyregexp.New("[\"'`]([^\"'`\\s]{2,60})[\"'`]")

// quotedNames returns the single words in quotes, which name the subject of an error.
func quotedNames(s string) (names []string) {
	for _, m := range quotedName().FindAllStringSubmatch(s, -1) {
		names = append(names, strings.ToLower(m[1]))
	}
	return names
}

func shareName(a, b []string) bool {
	return slices.ContainsFunc(a, func(name string) bool { return slices.Contains(b, name) })
}

// sharesRun reports whether two texts share sameRun neighbouring words, of which half are no stop
// words and no number is counted.
func sharesRun(a, b []string) bool {
	for i := 0; i+sameRun <= len(b); i++ {
		run := b[i : i+sameRun]
		said := 0
		for _, w := range run {
			if len(w) > 2 && !text.IsStop(w) && strings.Trim(w, "0123456789.:-") != "" {
				said++
			}
		}
		if 2*said >= sameRun && containsRun(a, run) {
			return true
		}
	}
	return false
}

// withoutPlaces returns a line without the words that are paths, numbers or hashes.
func withoutPlaces(line string) string {
	words := strings.Fields(line)
	words = slices.DeleteFunc(words, func(w string) bool {
		return strings.ContainsAny(w, "/\\") || strings.IndexFunc(w, func(r rune) bool { return '0' <= r && r <= '9' }) >= 0
	})
	return strings.Join(words, " ")
}
