package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

const (
	searches    = 4   // number of keywords that are searched for, the rarest
	searchLines = 100 // that the search tool shows
	around      = 60  // lines that are read of a file
	longest     = 500 // bytes that are read of a line
)

// search plays a task with ripgrep and by reading files:
//
//  1. one call counts the files with each keyword of the text, in any case
//  2. a search for each of the rarest four, with line numbers, the rarest first
//  3. sixty lines around the first hit of the file with the most keywords and then hits, of the
//     next one, and so on; tests and documents come last
//
// Keywords are the text's words of four letters and more, without their endings, because they
// should match more forms. The order should favour this agent: it knows all counts, and skips files
// that are not programs.
func (b *bench) search(ctx context.Context, tree string, t task) (p play, err error) {
	words, counted, err := b.rarest(ctx, tree, keywords(t.Text))
	if err != nil {
		return p, err
	}
	p.count(counted)
	found := map[string]*hits{}
	for _, w := range words[:min(len(words), searches)] {
		printed, err := b.grep(ctx, tree, "-n", w)
		if err != nil {
			return p, err
		}
		p.count(printed)
		collect(found, w, printed)
	}
	for _, file := range best(found) {
		if p.found || p.calls == mostCalls {
			break
		}
		text, err := lines(filepath.Join(tree, file), found[file].first-around/2)
		if err != nil {
			return p, err
		}
		p.count(text)
		p.found = slices.Contains(t.Files, file)
	}
	return p, nil
}

// count adds one call, which printed a text.
func (p *play) count(text string) {
	p.calls++
	p.tokens += tokens(text)
}

// common are words of questions that no programmer would search for.
const common = ` about after again also although another because been before being between both code could does done each else even
 ever every find found from give given have here into itself just keep kept like made make many more most much must need never
 none only other over same should some such than that their them then there these they this those through under until very want
 were what when where which while whose will with within without would your already still several whether decided decide that's
 come came goes gets used user users `

var letters = regexp.MustCompile(`[A-Za-z][A-Za-z0-9]{2,}`)

// keywords returns the words of a text to search for.
func keywords(text string) (words []string) {
	for _, w := range letters.FindAllString(strings.ToLower(text), -1) {
		if len(w) < 4 && w != "ipv" || strings.Contains(common, " "+w+" ") {
			continue
		}
		for _, end := range []string{"ations", "ation", "ings", "ing", "ies", "ed", "es", "s", "e", "y"} {
			if stem, ok := strings.CutSuffix(w, end); ok && len(stem) >= 4 {
				w = stem
				break
			}
		}
		if !slices.Contains(words, w) {
			words = append(words, w)
		}
	}
	return words
}

// rarest returns the words in ascending order of the number of files that have them, without words
// that no file has. printed is the output of a shell that counts them.
func (b *bench) rarest(ctx context.Context, tree string, words []string) (kept []string, printed string, err error) {
	counts := map[string]int{}
	for _, w := range words {
		out, err := b.grep(ctx, tree, "-l", w)
		if err != nil {
			return nil, "", err
		}
		counts[w] = strings.Count(out, "\n")
		printed += fmt.Sprintf("%s %d\n", w, counts[w])
		if counts[w] > 0 {
			kept = append(kept, w)
		}
	}
	slices.SortStableFunc(kept, func(x, y string) int { return cmp.Compare(counts[x], counts[y]) })
	return kept, printed, nil
}

// grep searches the tree for a word, in any case. Without ripgrep it uses git grep. A search with
// line numbers returns the first hundred lines, and long lines are cut.
func (b *bench) grep(ctx context.Context, tree, form, word string) (string, error) {
	args := []string{
		"--no-config", "--no-heading", "--color=never", "--sort=path", "--max-columns=200",
		"--max-columns-preview", "-i", form, "-e", word, ".",
	}
	program := b.ripgrep
	if program == "" {
		program, args = "git", []string{"grep", "-I", "-i", form, "-e", word}
	}
	c := exec.CommandContext(ctx, program, args...)
	c.Dir = tree
	out, err := c.Output()
	var exit *exec.ExitError
	if err != nil && (!errors.As(err, &exit) || exit.ExitCode() > 1) {
		return "", fmt.Errorf("search for %q: %w", word, err)
	}
	var shown strings.Builder
	left := searchLines
	for line := range bytes.Lines(out) {
		if left--; left < 0 && form == "-n" {
			break
		}
		shown.Write(bytes.TrimPrefix(line, []byte("./")))
	}
	return shown.String(), nil
}

// hits are the hits in one file.
type hits struct {
	words        map[string]bool
	count, first int
}

var hitLine = regexp.MustCompile(`(?m)^(.+?):(\d+):`)

// collect adds the hits of one search to found.
func collect(found map[string]*hits, word, printed string) {
	for _, m := range hitLine.FindAllStringSubmatch(printed, -1) {
		h := found[m[1]]
		if h == nil {
			h = &hits{words: map[string]bool{}}
			h.first, _ = strconv.Atoi(m[2]) // digits
			found[m[1]] = h
		}
		h.words[word] = true
		h.count++
	}
}

var aside = regexp.MustCompile(`(?i)(^|[/_.-])(tests?|testing|testdata|docs?|examples?|changelog|vendor|site)([/_.-]|$)|\.(md|rst|txt|json|lock)$`)

// best returns the files, best first: programs first, then by the number of words, then by hits.
func best(found map[string]*hits) []string {
	behind := func(file string) int {
		if aside.MatchString(file) {
			return 1
		}
		return 0
	}
	return slices.SortedFunc(maps.Keys(found), func(x, y string) int {
		a, b := found[x], found[y]
		return cmp.Or(cmp.Compare(behind(x), behind(y)), cmp.Compare(len(b.words), len(a.words)),
			cmp.Compare(b.count, a.count), cmp.Compare(path.Clean(x), path.Clean(y)))
	})
}

// lines returns the lines of a file that are read at once, from line first on. It counts from 0.
func lines(file string, first int) (string, error) {
	b, err := os.ReadFile(file)
	if err != nil {
		return "", err
	}
	all := bytes.Split(b, []byte("\n"))
	first = min(max(0, first), len(all))
	var read strings.Builder
	for _, line := range all[first:min(first+around, len(all))] {
		read.Write(line[:min(len(line), longest)])
		read.WriteByte('\n')
	}
	return read.String(), nil
}
