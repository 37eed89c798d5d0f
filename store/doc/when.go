package doc

import (
	"fmt"
	"slices"
	"strconv"
	"time"

	"patina/fusion/period"
	"patina/internal/lazyregexp"
)

// A When restricts the kinds that have dates: commits by their committer's time and their author,
// sessions by the day on which they began. Every other kind passes. The zero value lets everything
// pass.
type When struct {
	period.Span
	Author string // empty: any author
	Named  bool   // Author must match whole words (period.Is), not any part (period.Matches)
	Only   bool   // a session without a date does not pass
}

// Set reports whether the When restricts anything.
func (w When) Set() bool { return w.Span.Set() || w.Author != "" }

// Holds reports whether a time is in the span. The start belongs to it, the end does not.
func (w When) Holds(at time.Time) bool {
	return (w.Since.IsZero() || !at.Before(w.Since)) && (w.Until.IsZero() || at.Before(w.Until))
}

// Wrote reports whether a commit's author passes.
func (w When) Wrote(name, email string) bool {
	switch {
	case w.Author == "":
		return true
	case w.Named:
		return period.Is(name, email, w.Author)
	}
	return period.Matches(name, email, w.Author)
}

// Dated reports whether documents of a kind have dates.
func (k Kind) Dated() bool { return k.Traits().Dates != NoDates }

// An Author is a person in a commit.
type Author struct{ Name, Email string }

// writtenDay finds a day in a session's header or id: 2026-01-31 or 20260131.
var writtenDay = lazyregexp.New(`(\d{4})-?(\d{2})-?(\d{2})`)

// FindDay returns the first day that is written in one of the texts, in local time. It returns the
// zero time if no text has one.
func FindDay(texts ...string) time.Time {
	for _, s := range texts {
		if m := writtenDay().FindStringSubmatch(s); m != nil {
			if at, err := time.ParseInLocation("20060102", m[1]+m[2]+m[3], time.Local); err == nil {
				return at
			}
		}
	}
	return time.Time{}
}

// coAuthorLine matches the trailer with which a commit names a further author.
var coAuthorLine = lazyregexp.New(`(?im)^co-authored-by:[ \t]*([^<\n]*?)[ \t]*<([^>\n]*)>`)

// maxCoAuthors bounds the further authors of a commit.
const maxCoAuthors = 100

// CoAuthors returns the authors in the "Co-authored-by" lines of a commit's body, at most
// maxCoAuthors. It returns nil if there are none.
func CoAuthors(body string) (people []Author) {
	for _, m := range coAuthorLine().FindAllStringSubmatch(body, maxCoAuthors) {
		people = append(people, Author{m[1], m[2]})
	}
	return people
}

// WroteWith reports whether a commit passes, by its author or by one that its message names in a
// line "Co-authored-by: Ann <ann@example.com>".
func (w When) WroteWith(name, email, body string) bool {
	return w.Wrote(name, email) || slices.ContainsFunc(CoAuthors(body), func(a Author) bool {
		return w.Wrote(a.Name, a.Email)
	})
}

// String returns the When in words, such as "2024-01-01 to 2024-12-31, by Ann". The zero value
// gives "".
func (w When) String() string {
	out := ""
	if w.Span.Set() {
		out = w.Span.String()
	}
	if w.Author != "" {
		if out != "" {
			out += ", "
		}
		who := w.Author
		if !w.Named {
			who = strconv.Quote(who)
		}
		out += fmt.Sprintf("by %s", who)
	}
	return out
}
