package mcp

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
)

// maxArgument bounds a text in a call, in bytes. It is far more than the 64 words that count in a
// question.
const maxArgument = 64 << 10

// A Scry holds the arguments of scry.
type Scry struct {
	Query, Mode, QueryID, DocID, Belief string
	Rank, Page, Days, Limit, Budget     int
	Timeout                             int // seconds
	ContentType, Path, Lang             []string
	Since, Until, Author                string
	Repo, Format                        string
	AllRepos                            bool
}

func (a *Scry) fields() map[string]any {
	return map[string]any{
		"query": &a.Query, "mode": &a.Mode, "query_id": &a.QueryID, "rank": &a.Rank, "doc_id": &a.DocID,
		"page":   &a.Page,
		"belief": &a.Belief, "content_type": &a.ContentType, "path": &a.Path, "lang": &a.Lang, "days": &a.Days,
		"since": &a.Since, "until": &a.Until, "author": &a.Author,
		"limit": &a.Limit, "budget": &a.Budget, "timeout": &a.Timeout, "repo": &a.Repo, "all_repos": &a.AllRepos,
		"format": &a.Format,
	}
}

// A Context holds the arguments of context.
type Context struct {
	Topic        string
	Budget       int
	Repo, Format string
}

func (a *Context) fields() map[string]any {
	return map[string]any{"topic": &a.Topic, "budget": &a.Budget, "repo": &a.Repo, "format": &a.Format}
}

// An Assay holds the arguments of assay.
type Assay struct {
	QueryType, Pattern string
	Limit, Budget      int
	Timeout            int // seconds
	Repo, Format       string
	AllRepos           bool
}

func (a *Assay) fields() map[string]any {
	return map[string]any{
		"query_type": &a.QueryType, "pattern": &a.Pattern, "limit": &a.Limit, "budget": &a.Budget,
		"timeout": &a.Timeout, "repo": &a.Repo, "all_repos": &a.AllRepos, "format": &a.Format,
	}
}

// A Remember holds the arguments of remember.
type Remember struct {
	Text, Type, Path, Symbol string
	Tags                     []string
	Repo, Format             string
}

func (a *Remember) fields() map[string]any {
	return map[string]any{
		"text": &a.Text, "type": &a.Type, "tags": &a.Tags, "path": &a.Path, "symbol": &a.Symbol, "repo": &a.Repo,
		"format": &a.Format,
	}
}

// readArguments fills fields with the arguments of a call. It accepts numbers as texts and a word
// for a list, as models write them. A nil argument is skipped. An unknown one is an error.
func readArguments(tool string, given any, fields map[string]any) error {
	if given == nil {
		return nil
	}
	args, ok := given.(map[string]any)
	if !ok {
		return refuse(fmt.Sprintf("the arguments of %s are no object", tool),
			fmt.Sprintf(`such as {"%s": …}`, slices.Sorted(maps.Keys(fields))[0]))
	}
	for _, name := range slices.Sorted(maps.Keys(args)) {
		if args[name] == nil {
			continue
		}
		field, ok := fields[name]
		if !ok {
			return refuse(fmt.Sprintf("unknown argument %s of %s", brief(name), tool),
				"there are: "+strings.Join(slices.Sorted(maps.Keys(fields)), ", "))
		}
		if want := setField(field, args[name]); want != "" {
			return refuse(fmt.Sprintf("%s: want %s, not %s", name, want, brief(args[name])))
		}
	}
	return nil
}

// setField stores a value in a field. If the value has the wrong type, it returns a description of
// the right one.
func setField(field, value any) (want string) {
	switch to := field.(type) {
	case *string:
		s, ok := value.(string)
		if !ok {
			return "a text"
		}
		if len(s) > maxArgument {
			return fmt.Sprintf("at most %d bytes", maxArgument)
		}
		*to = s
	case *int:
		n, ok := wholeNumber(value)
		if !ok {
			return "a whole number"
		}
		*to = n
	case *bool:
		switch value {
		case true, "true":
			*to = true
		case false, "false":
			*to = false
		default:
			return "true or false"
		}
	case *[]string:
		var all []string
		if _, one := value.(string); one {
			value = []any{value}
		}
		values, ok := value.([]any)
		if !ok || len(values) > 100 {
			return "a text, or a list of at most 100"
		}
		for _, v := range values {
			var s string
			if setField(&s, v) != "" {
				return "a text, or a list of texts"
			}
			all = append(all, s)
		}
		*to = all
	}
	return ""
}

// wholeNumber returns a number that fits into 32 bits, or false.
func wholeNumber(value any) (int, bool) {
	switch v := value.(type) {
	case float64:
		return int(v), v == math.Trunc(v) && math.Abs(v) <= math.MaxInt32
	case json.Number:
		n, err := strconv.ParseInt(v.String(), 10, 32)
		return int(n), err == nil
	case string:
		n, err := strconv.ParseInt(strings.TrimSpace(v), 10, 32)
		return int(n), err == nil
	}
	return 0, false
}

// brief returns the beginning of a value as JSON.
func brief(value any) string {
	text, err := json.Marshal(value)
	if err != nil {
		return "something else"
	}
	if len(text) > 60 {
		return strings.ToValidUTF8(string(text[:60]), "") + "…"
	}
	return string(text)
}
