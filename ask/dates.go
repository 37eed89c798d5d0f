package ask

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"patina/actors/api"
	"patina/ask/project"
	"patina/fusion/period"
	"patina/store/doc"
)

// when parses Since, Until and Author. The error names the argument and the value.
func (r Request) when(now time.Time) (w doc.When, err error) {
	read := func(name, value string) (period.Span, error) {
		if value == "" {
			return period.Span{}, nil
		}
		s, err := period.Parse(value, now)
		if err != nil {
			return s, project.AddHint(fmt.Errorf("read %s: %w", name, err), period.Forms)
		}
		return s, nil
	}
	from, err := read("since", r.Since)
	if err != nil {
		return w, err
	}
	to, err := read("until", r.Until)
	if err != nil {
		return w, err
	}
	if r.Until != "" && to.Until.IsZero() { // "this week" and "last 3 days" end now
		to.Until = now
	}
	w.Since, w.Until, w.Only = from.Since, to.Until, true
	if w.Author = strings.TrimSpace(r.Author); w.Author == "" && r.Author != "" {
		return w, project.AddHint(errors.New("author is blank"),
			"give a part of a name or of an address, such as ann@example.com")
	}
	if !w.Since.IsZero() && !w.Until.IsZero() && !w.Since.Before(w.Until) {
		return w, project.AddHint(fmt.Errorf("since %q is after until %q", r.Since, r.Until),
			"the day of until is with it")
	}
	return w, nil
}

// unmatched returns a sentence that no commit has the requested time and author, in the words of
// the request. It returns "" if a commit has.
func (r Request) unmatched(read api.FromWords) string {
	if !read.Counted || read.Commits > 0 {
		return ""
	}
	var of []string
	for _, f := range [][2]string{{"author", r.Author}, {"since", r.Since}, {"until", r.Until}} {
		if f[1] != "" {
			of = append(of, f[0]+" "+strconv.Quote(f[1]))
		}
	}
	if len(of) == 0 {
		return ""
	}
	return "no commit in the index has " + strings.Join(of, " and ")
}

// narrow limits a question to the requested time and author. A time excludes kinds without dates,
// and an author excludes all but commits. It returns an error if the request names an excluded
// kind.
func (r Request) narrow(q *api.Request) (err error) {
	q.Now, q.AsWritten = time.Now(), r.AsWritten
	if q.Filter.When, err = r.when(q.Now); err != nil || !q.Filter.When.Set() {
		return err
	}
	var dated []doc.Kind
	for _, k := range doc.Kinds() {
		if t := k.Traits().Dates; t == doc.Moment || t == doc.Day && r.Author == "" {
			dated = append(dated, k)
		}
	}
	name := "until"
	switch {
	case r.Author != "":
		name = "author"
	case r.Since != "":
		name = "since"
	}
	if len(q.Filter.Kinds) == 0 {
		q.Filter.Kinds = dated
	}
	for _, k := range q.Filter.Kinds {
		if !slices.Contains(dated, k) {
			return &UndatedKindError{Argument: name, Kind: k}
		}
	}
	return nil
}
