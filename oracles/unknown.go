package oracles

import (
	"context"
	"strings"
	"unicode"

	"patina/store"
	"patina/store/literal"
	"patina/store/text"
)

// Bounds of the search for the unknown names of one question.
const (
	maxUnknown   = 2   // names that are reported
	longestName  = 120 // bytes
	fewestInName = 4   // letters
)

// An UnknownName is a name in a question that does not occur in the index.
type UnknownName struct {
	Name  string // as written in the question
	Part  string // its first part that is unknown
	Whole bool   // the question is only this name, whose last part is unknown
}

// UnknownNames returns the names in a question that are written as code and do not occur in the
// index: in no symbol, text or path, and in no message of a commit. It returns nil for a long text.
func UnknownNames(
	ctx context.Context, r *store.Reader, q text.Question,
) (names []UnknownName, err error) {
	if q.Long {
		return nil, nil
	}
	written := codeNames(q.Raw)
	if len(written) == 0 {
		return nil, nil
	}
	x, err := findingOf(ctx, r, q)
	if err != nil {
		return nil, err
	}
	s := &literals{ctx: ctx, reader: r, scoring: x.scoring, texts: map[int64]string{}}
	for _, n := range written {
		unknown := UnknownName{Name: n}
		for part := range strings.SplitSeq(strings.ReplaceAll(n, "::", "."), ".") {
			known, err := s.knows(part)
			if err != nil {
				return nil, err
			}
			if !known && unknown.Part == "" {
				unknown.Part = part
			}
			unknown.Whole = !known && strings.Trim(strings.TrimSpace(q.Raw), "`'\"()") == n
		}
		if unknown.Part != "" && len(names) < maxUnknown {
			names = append(names, unknown)
		}
	}
	return names, nil
}

// codeNames returns the words of a question that are written as code: with an inner capital, "_",
// "." or "::", or alone in back-ticks.
func codeNames(question string) (names []string) {
	for _, w := range strings.Fields(question) {
		ticked := len(w) > 2 && w[0] == '`' && strings.Count(w, "`") == 2
		w = strings.Trim(w, "`'\"?!,;:.()[]{}<>")
		letters := 0
		for _, r := range w {
			if unicode.IsLetter(r) {
				letters++
			}
		}
		if letters >= fewestInName && len(w) <= longestName && isName(w) && (ticked || isCode(w)) {
			names = append(names, w)
		}
	}
	return names
}

// isName reports whether a text is a name, or several names joined by "." or "::".
func isName(w string) bool {
	for part := range strings.SplitSeq(strings.ReplaceAll(w, "::", "."), ".") {
		for i, r := range part {
			if r != '_' && !unicode.IsLetter(r) && (i == 0 || !unicode.IsDigit(r)) {
				return false
			}
		}
		if part == "" {
			return false
		}
	}
	return true
}

// isCode reports whether a name has a mark of code inside: "_", "." or "::", or a capital after a
// small letter.
func isCode(w string) bool {
	before := rune(0)
	for _, r := range w {
		if before != 0 && strings.ContainsRune("_.:", r) || unicode.IsUpper(r) && unicode.IsLower(before) {
			return true
		}
		before = r
	}
	return false
}

// knows reports whether a part of a name may occur in the index. A part of several words, such as
// a_b, must occur with its words in a row.
func (s *literals) knows(name string) (bool, error) {
	p := literal.Verbatim(name)
	holders, sure, err := s.holding(p.Runs())
	if err != nil || !sure {
		return true, err
	}
	if len(p.Runs()) == 1 {
		return len(holders) > 0, nil
	}
	for _, h := range holders {
		f, err := s.reader.BareFileAt(s.ctx, s.scoring.snap, h.key)
		if err != nil {
			return true, store.Damaged(err)
		}
		body, err := s.readText(f.Key)
		if err != nil || s.ctx.Err() != nil || s.read > maxRead {
			return true, err
		}
		if _, ok := p.Find(f.Path + "\n" + body); ok {
			return true, nil
		}
	}
	return false, nil
}
