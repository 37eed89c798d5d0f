package ui

import (
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"patina/ask"
	"patina/store/doc"
)

// A question is a question with its filters, as the address of a page holds it.
type question struct {
	Text                    string
	Kinds, Paths, Languages []string
	Since, Until, Author    string
	Repos                   []string
	All                     bool // related projects are asked, too
	Limit                   int  // 0: as set
}

// questionOf reads a question from an address.
func questionOf(q url.Values) question {
	limit, _ := strconv.Atoi(q.Get("n"))
	return question{
		Text: q.Get("q"), Kinds: ask.Parts(q["kind"]), Paths: nonEmpty(q["path"]), Languages: ask.Parts(q["lang"]),
		Since: strings.TrimSpace(q.Get("since")), Until: strings.TrimSpace(q.Get("until")),
		Author: strings.TrimSpace(q.Get("author")), Repos: nonEmpty(q["repo"]), All: q.Get("all") != "",
		Limit: min(max(limit, 0), 100),
	}
}

// values returns the address of a question.
func (q question) values() url.Values {
	out := url.Values{}
	set := func(name string, values ...string) {
		for _, x := range nonEmpty(values) {
			out.Add(name, x)
		}
	}
	set("q", q.Text)
	set("kind", q.Kinds...)
	set("path", q.Paths...)
	set("lang", q.Languages...)
	set("since", q.Since)
	set("until", q.Until)
	set("author", q.Author)
	set("repo", q.Repos...)
	if q.All {
		set("all", "1")
	}
	if q.Limit > 0 {
		set("n", strconv.Itoa(q.Limit))
	}
	return out
}

// request returns the request for a question.
func (q question) request() ask.Request {
	return ask.Request{
		Form: ask.Find, Text: q.Text, Kinds: q.Kinds, Paths: q.Paths, Languages: q.Languages, Since: q.Since,
		Until: q.Until, Author: q.Author,
	}
}

// A chip is a filter that a click sets or removes.
type chip struct {
	Name, Link string
	On         bool
}

// toggled returns the address of the question with a value of a filter added, or removed.
func (q question) toggled(name, value string) string {
	v := q.values()
	if at := slices.Index(v[name], value); at >= 0 {
		v[name] = slices.Delete(v[name], at, at+1)
	} else {
		v[name] = append(v[name], value)
	}
	return "/?" + v.Encode()
}

// kindChips returns a chip for each kind of documents.
func (q question) kindChips() (all []chip) {
	for _, k := range doc.Kinds() {
		on := slices.ContainsFunc(q.Kinds, func(name string) bool {
			named, ok := doc.KindNamed(name)
			return ok && named == k
		})
		value := k.Label()
		if on { // as it is written in the address
			value = q.Kinds[slices.IndexFunc(q.Kinds, func(name string) bool {
				named, ok := doc.KindNamed(name)
				return ok && named == k
			})]
		}
		all = append(all, chip{Name: k.Label(), Link: q.toggled("kind", value), On: on})
	}
	return all
}

// setChips returns a chip for each other filter that is set. A click removes it.
func (q question) setChips() (all []chip) {
	v := q.values()
	for _, name := range []string{"path", "lang", "since", "until", "author", "repo"} {
		for _, value := range v[name] {
			all = append(all, chip{Name: filterNames[name] + " " + value, Link: q.toggled(name, value), On: true})
		}
	}
	if q.All {
		all = append(all, chip{Name: "related projects", Link: q.toggled("all", "1"), On: true})
	}
	return all
}

// filterNames are the names of filters in chips.
var filterNames = map[string]string{
	"path": "path", "lang": "language", "since": "since", "until": "until", "author": "by", "repo": "also in",
}

// timeChips returns chips for usual times, if no time is set.
func (q question) timeChips(now time.Time) (all []chip) {
	if q.Since != "" || q.Until != "" {
		return nil
	}
	for _, x := range []struct {
		name string
		days int
	}{{"last week", 7}, {"last month", 30}, {"last year", 365}} {
		all = append(all, chip{Name: x.name, Link: q.toggled("since", now.AddDate(0, 0, -x.days).Format(time.DateOnly))})
	}
	return all
}
