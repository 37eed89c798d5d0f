package eval

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"patina/store/text"
)

// A look makes an agent's next call, and reports whether a wanted line is on the screen then.
type look func(ctx context.Context) (made, printed string, seen bool, err error)

// follow plays until a wanted line was printed, or eight calls are spent.
func (q LineQuestion) follow(ctx context.Context, next look) (Play, error) {
	var p Play
	for len(p.Calls) < mostCalls && !p.All {
		made, printed, seen, err := next(ctx)
		if err != nil {
			return p, fmt.Errorf("play question %q: %w", q.Query, err)
		}
		if made == "" {
			break
		}
		p.Calls = append(p.Calls, Call{Made: made, Tokens: len(printed) / bytesPerToken})
		p.Tokens += len(printed) / bytesPerToken
		p.All = seen
	}
	if p.All {
		p.Seen = 1
	}
	return p, nil
}

func (q LineQuestion) places() (all []expectedPlace) {
	for _, e := range q.Expect {
		all = append(all, placeOf(e))
	}
	return all
}

// WithPatina asks with patina until a wanted line is on the screen. The order of calls is fixed,
// and was fixed before any run: scry QUESTION, then --detail of its results, the first one first.
func (q LineQuestion) WithPatina(ctx context.Context, tools Tools) (Play, error) {
	id, rank := "", 0
	return q.follow(ctx, func(ctx context.Context) (made, printed string, seen bool, err error) {
		args := []string{"-"}
		if rank > 0 {
			args = []string{"--detail", id, strconv.Itoa(rank)}
		}
		if rank > 0 && id == "" || rank > shownResults {
			return "", "", false, nil
		}
		if printed, err = tools.Patina(ctx, q.Query, args...); err != nil {
			return "", "", false, err
		}
		if rank == 0 {
			id = queryID.FindString(printed)
		}
		rank++
		shown := linesPrinted(printed)
		seen = slices.ContainsFunc(q.places(), func(p expectedPlace) bool { return p.among(shown) })
		return "scry " + strings.Join(args, " "), printed, seen, nil
	})
}

// shownResults is how many results an answer has.
const shownResults = 10

// WithRipgrep asks with ripgrep and by reading: the question's searches in turn, then sixty lines
// around the first hit in the file with most hits, in the next one, and so on. Hits beyond the
// first hundred lines of a search are not known.
func (q LineQuestion) WithRipgrep(ctx context.Context, tree []string, tools Tools) (Play, error) {
	searches, found := q.RG, map[string]*hits{}
	var files []string
	return q.follow(ctx, func(ctx context.Context) (made, printed string, seen bool, err error) {
		shown := map[string][]span{}
		switch {
		case len(searches) > 0:
			args, err := RipgrepArgs(searches[0])
			if err != nil {
				return "", "", false, err
			}
			if printed, err = tools.Ripgrep(ctx, args); err != nil {
				return "", "", false, err
			}
			made = "rg -n " + searches[0]
			for _, m := range hitLines.FindAllStringSubmatch(printed, -1) {
				n, _ := strconv.Atoi(m[2])
				path := strings.TrimPrefix(m[1], "./")
				shown[path] = append(shown[path], span{n, n})
			}
			countHits(found, tree, printed)
			if searches = searches[1:]; len(searches) == 0 {
				files = mostHits(found)
			}
		case len(files) > 0:
			path := files[0]
			files = files[1:]
			first := max(1, found[path].first-around/2)
			if printed, err = tools.Read(path, first, around); err != nil {
				return "", "", false, err
			}
			made = fmt.Sprintf("read %s from line %d", path, first)
			shown[path] = []span{{first, first + strings.Count(printed, "\n") - 1}}
		}
		seen = slices.ContainsFunc(q.places(), func(p expectedPlace) bool { return p.among(shown) })
		return made, printed, seen, nil
	})
}

// Words returns the question with one search in place of its own: for any of its words, as somebody
// would search who does not know the code.
func (q LineQuestion) Words() LineQuestion {
	var words []string
	text.Runs(q.Query, func(run string) {
		if len(run) > 2 && !text.IsStop(strings.ToLower(run)) && !slices.Contains(words, run) {
			words = append(words, run)
		}
	})
	q.RG = []string{"-i -w -e '" + strings.Join(words, "|") + "'"}
	return q
}

// A span is lines of a file, both included.
type span struct{ first, last int }

// among reports whether lines that were shown hold one of the place's.
func (p expectedPlace) among(shown map[string][]span) bool {
	if p.last == 0 {
		return len(shown[p.path+p.sha]) > 0
	}
	return slices.ContainsFunc(shown[p.path], func(s span) bool { return s.first <= p.last && s.last >= p.first })
}

var (
	hitLines   = regexp.MustCompile(`(?m)^(.+?):(\d+):`)
	resultHead = regexp.MustCompile(`^(?:\d+\. )?\[\w+\] (.+?):\d`)
	numbered   = regexp.MustCompile(`^ *(\d+)  `)
)

// linesPrinted returns the numbered lines of an answer or a detail, by file.
func linesPrinted(printed string) map[string][]span {
	shown, path := map[string][]span{}, ""
	for line := range strings.Lines(printed) {
		if m := resultHead.FindStringSubmatch(line); m != nil {
			path = m[1]
		} else if m := numbered.FindStringSubmatch(line); m != nil && path != "" {
			n, _ := strconv.Atoi(m[1])
			shown[path] = append(shown[path], span{n, n})
		}
	}
	return shown
}
