package eval

import (
	"cmp"
	"context"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Tools run the tools of both agents in the tree of a task. What a tool says on either stream is
// returned.
type Tools struct {
	// Patina runs "patina scry" with arguments; "-" among them reads the text.
	Patina func(ctx context.Context, text string, args ...string) (string, error)
	// Ripgrep runs "rg -n" with arguments and returns the first hundred lines. Nil leaves its agent
	// out.
	Ripgrep func(ctx context.Context, args []string) (string, error)
	// Read returns up to count lines of a file, from the first, which is 1.
	Read func(path string, first, count int) (string, error)
}

// WithPatina plays a task with patina. The order of calls is fixed, and was fixed before any run:
//
//  1. scry TASK
//  2. scry --file F, F the best code file so far
//  3. scry --content-type code TASK
//  4. scry --file F, F the next best code file
//  5. scry --content-type commit TASK
//  6. scry --detail of the first code result of call 1
//  7. scry --detail of the second
//  8. scry --file F, F the next best code file
//
// A call without its file or result is left out.
func (t Task) WithPatina(ctx context.Context, tree []string, tools Tools) (Play, error) {
	a := patinaAgent{tree: tree}
	moves := []func() []string{
		func() []string { return []string{"-"} },
		a.coChanges,
		func() []string { return []string{"--content-type", "code", "-"} },
		a.coChanges,
		func() []string { return []string{"--content-type", "commit", "-"} },
		a.detail,
		a.detail,
		a.coChanges,
	}
	return t.play(ctx, tree, func(ctx context.Context) (string, string, error) {
		var args []string
		for args == nil && len(moves) > 0 {
			args, moves = moves[0](), moves[1:]
		}
		if args == nil {
			return "", "", nil
		}
		printed, err := tools.Patina(ctx, t.Task, args...)
		if err != nil {
			return "", "", err
		}
		a.read(printed)
		return "scry " + strings.Join(args, " "), printed, nil
	})
}

// A patinaAgent remembers the code results it was shown.
type patinaAgent struct {
	tree  []string
	id    string   // of the first answer
	ranks []string // of its code results, not yet shown whole
	files []string // code files, best first, of all answers
	asked int      // of files, for co-changes
}

var (
	queryID = regexp.MustCompile(`^q_\w+`)
	result  = regexp.MustCompile(`(?m)^(\d+)\. \[code\] (.+?):\d`)
)

func (a *patinaAgent) read(printed string) {
	id := queryID.FindString(printed)
	firstAnswer := a.id == "" && id != ""
	if firstAnswer {
		a.id = id
	}
	for _, m := range result.FindAllStringSubmatch(printed, -1) {
		if firstAnswer {
			a.ranks = append(a.ranks, m[1])
		}
		if slices.Contains(a.tree, m[2]) && !slices.Contains(a.files, m[2]) {
			a.files = append(a.files, m[2])
		}
	}
}

func (a *patinaAgent) coChanges() []string {
	if a.asked == len(a.files) {
		return nil
	}
	a.asked++
	return []string{"--file", a.files[a.asked-1]}
}

func (a *patinaAgent) detail() []string {
	if len(a.ranks) == 0 {
		return nil
	}
	rank := a.ranks[0]
	a.ranks = a.ranks[1:]
	return []string{"--detail", a.id, rank}
}

// around is how many lines an agent with ripgrep reads of a file.
const around = 60

// WithRipgrep plays a task with ripgrep and by reading: the task's searches in turn, then sixty
// lines around the first hit in the file with most hits, in the next one, and so on. Hits beyond
// the first hundred lines of a search are not known.
func (t Task) WithRipgrep(ctx context.Context, tree []string, tools Tools) (Play, error) {
	searches, found := t.RG, map[string]*hits{}
	var files []string
	return t.play(ctx, tree, func(ctx context.Context) (string, string, error) {
		if len(searches) > 0 {
			args, err := RipgrepArgs(searches[0])
			if err != nil {
				return "", "", err
			}
			printed, err := tools.Ripgrep(ctx, args)
			if err != nil {
				return "", "", err
			}
			made := "rg -n " + searches[0]
			countHits(found, tree, printed)
			if searches = searches[1:]; len(searches) == 0 {
				files = mostHits(found)
			}
			return made, printed, nil
		}
		if len(files) == 0 {
			return "", "", nil
		}
		path := files[0]
		files = files[1:]
		first := max(1, found[path].first-around/2)
		printed, err := tools.Read(path, first, around)
		return fmt.Sprintf("read %s from line %d", path, first), printed, err
	})
}

// hits are those in one file.
type hits struct{ count, first int }

var hitLine = regexp.MustCompile(`^(.+?):(\d+):`)

// countHits adds the hits in a search's output. A path alone, as printed by -l, is a hit in line 1.
func countHits(found map[string]*hits, tree []string, printed string) {
	for line := range strings.Lines(printed) {
		path, number := strings.TrimSuffix(line, "\n"), 1
		if m := hitLine.FindStringSubmatch(line); m != nil {
			path = m[1]
			number, _ = strconv.Atoi(m[2]) // digits; one too large stays 0
		}
		if path = strings.TrimPrefix(path, "./"); !slices.Contains(tree, path) {
			continue
		}
		if found[path] == nil {
			found[path] = &hits{first: number}
		}
		found[path].count++
	}
}

// mostHits orders files by their hits; equal ones by path.
func mostHits(found map[string]*hits) []string {
	var files []string
	for path := range found {
		files = append(files, path)
	}
	slices.SortFunc(files, func(a, b string) int {
		return cmp.Or(cmp.Compare(found[b].count, found[a].count), strings.Compare(a, b))
	})
	return files
}
