package ground

import (
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"patina/scrape/parse"
	"patina/store/doc"
)

// The number of symbols that are tried in this tree and in each given one, and of commits.
const (
	perTree     = 12
	perGiven    = 50
	manyCommits = 100
)

// TestRealSymbols tries symbols of this project, and of the trees in $PATINA_GROUND_TREES.
// Formatting, moving or renaming them must not change the ground. Changing one word in them must.
func TestRealSymbols(t *testing.T) {
	trees, some := []string{"../.."}, perTree
	if given := os.Getenv("PATINA_GROUND_TREES"); given != "" {
		trees, some = strings.Split(given, ","), perGiven
	}
	for _, tree := range trees {
		t.Run(filepath.Base(tree), func(t *testing.T) {
			r := rand.New(rand.NewPCG(1, 1))
			all := symbolsOf(t, tree)
			r.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
			if len(all) < 20 {
				t.Fatalf("only %d symbols", len(all))
			}
			tried := map[string]int{}
			for _, s := range all[:min(some, len(all))] {
				s.try(t, r, tried)
			}
			t.Logf("tried: %v", tried)
		})
	}
}

// A symbol is a definition in a file. Its lines count from 0.
type symbol struct {
	name, file  string
	lines       []string
	first, last int
}

// symbolsOf returns functions and the like in a tree, with at least four lines and with unique
// names in their files. Symbols with strings over several lines are left out, because the layout of
// such strings is not formatting.
func symbolsOf(t *testing.T, tree string) (all []symbol) {
	err := filepath.WalkDir(tree, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == ".git" || d.Name() == "third_party" || d.Name() == "testdata" ||
			d.Name() == "vendor"):
			return fs.SkipDir
		case !d.Type().IsRegular() || styleOf(path).line == nil || styles["ya"].indent && filepath.Ext(path) == ".yml":
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil || len(text) > 100_000 {
			return err
		}
		file, _ := parse.Parse(parse.Input{Path: d.Name(), Text: text})
		lines := strings.SplitAfter(string(text), "\n")
		seen := map[string]int{}
		for _, e := range file.Entries {
			seen[e.Name]++
			seen[doc.LastName(doc.BareName(e.Name))]++
		}
		for _, e := range file.Entries {
			part := doc.Lines(string(text), e.First, e.Last)
			odd := strings.ContainsAny(part, "`\\") || strings.Contains(part, `"""`) || strings.Contains(part, "'''") ||
				strings.Contains(part, "<<")
			if e.Last-e.First < 3 || e.Last > len(lines) || odd || seen[e.Name] > 2 ||
				seen[doc.LastName(doc.BareName(e.Name))] > 2 {
				continue
			}
			all = append(all, symbol{e.Name, d.Name(), lines, e.First - 1, e.Last})
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func (s symbol) text() string { return strings.Join(s.lines, "") }

// with returns the file's text with another text for the symbol.
func (s symbol) with(part string) string {
	return strings.Join(s.lines[:s.first], "") + part + strings.Join(s.lines[s.last:], "")
}

func (s symbol) try(t *testing.T, r *rand.Rand, tried map[string]int) {
	hash := Hash(s.file, []byte(s.text()), s.name)
	if hash == "" {
		t.Errorf("%s in %s: no ground", s.name, s.file)
		return
	}
	part := s.lines[s.first:s.last]
	for what, text := range map[string]string{
		"lines above":      "\n\n" + s.text(),
		"wider indent":     s.with(indented(part)),
		"empty lines":      s.with(spread(part)),
		"spaces at ends":   s.with(strings.ReplaceAll(strings.Join(part, ""), "\n", " \n")),
		"carriage returns": strings.ReplaceAll(s.text(), "\n", "\r\n"),
	} {
		if tried[what]++; Hash(s.file, []byte(text), s.name) != hash {
			t.Errorf("%s in %s: %s moved the ground", s.name, s.file, what)
		}
	}
	for range 3 {
		if changed, ok := s.changed(r); ok {
			if tried["a changed word"]++; Hash(s.file, []byte(s.with(changed)), s.name) == hash {
				t.Errorf("%s in %s: a change left the ground:\n%s", s.name, s.file, changed)
			}
		}
	}
	s.inGit(t, hash, tried)
}

// inGit renames the file, and then moves the symbol into another file.
func (s symbol) inGit(t *testing.T, hash string, tried map[string]int) {
	dir, run := repository(t)
	write(t, dir, s.file, s.text())
	run("add", ".")
	run("commit", "-qm", "the file")
	written := time.Now()
	later := "renamed" + filepath.Ext(s.file)
	run("mv", s.file, later)
	run("commit", "-qm", "renamed")
	if tried["a rename"]++; moved(t, dir, s.file, s.name, hash, written) != nil {
		t.Errorf("%s in %s: a rename moved the ground", s.name, s.file)
	}
	write(t, dir, later, s.with(""))
	if first := s.lines[s.first]; strings.TrimLeft(first, " \t") != first {
		return // inside another symbol
	}
	other := "other" + filepath.Ext(s.file)
	write(t, dir, other, "\n"+strings.Join(s.lines[s.first:s.last], ""))
	if Hash(other, []byte(strings.Join(s.lines[s.first:s.last], "")), s.name) != hash {
		return // its name needs its former context
	}
	if tried["a move to another file"]++; moved(t, dir, later, s.name, hash, written) != nil {
		t.Errorf("%s in %s: a move to another file moved the ground", s.name, s.file)
	}
}

// indented doubles the depth of each line relative to the first.
func indented(lines []string) string {
	var b strings.Builder
	base := len(lines[0]) - len(strings.TrimLeft(lines[0], " \t"))
	for _, l := range lines {
		if depth := len(l) - len(strings.TrimLeft(l, " \t")); depth > base {
			l = l[:depth-base] + l
		}
		b.WriteString(l)
	}
	return b.String()
}

func spread(lines []string) string {
	return strings.Join(lines, "\n")
}

var longWord = regexp.MustCompile(`[A-Za-z_][A-Za-z0-9_]{2,}`)

// changed changes one word in a line without comments and strings.
func (s symbol) changed(r *rand.Rand) (text string, ok bool) {
	part := append([]string{}, s.lines[s.first:s.last]...)
	for range 20 {
		i := r.IntN(len(part))
		trimmed := strings.TrimSpace(part[i])
		if strings.ContainsAny(part[i], "#/*'\"") || strings.HasPrefix(trimmed, "--") || inComment(part[:i]) {
			continue
		}
		if at := longWord.FindAllStringIndex(part[i], -1); len(at) > 0 {
			end := at[r.IntN(len(at))][1]
			part[i] = part[i][:end] + "X" + part[i][end:]
			return strings.Join(part, ""), true
		}
	}
	return "", false
}

// inComment reports whether a block comment is open after lines.
func inComment(lines []string) bool {
	text := strings.Join(lines, "")
	return strings.LastIndex(text, "/*") > strings.LastIndex(text, "*/")
}

// TestRealHistories compares symbols before and after commits in the trees of $PATINA_GROUND_TREES.
// Changes of white space must not change the ground. Changes of code must.
func TestRealHistories(t *testing.T) {
	given := os.Getenv("PATINA_GROUND_TREES")
	if given == "" {
		t.Skip("names no trees")
	}
	for tree := range strings.SplitSeq(given, ",") {
		t.Run(filepath.Base(tree), func(t *testing.T) {
			git := func(args ...string) string {
				out, _ := exec.Command("git", append([]string{"-C", tree}, args...)...).Output()
				return string(out)
			}
			layout, code := 0, 0
			for part := range strings.SplitSeq(git("log", "--no-merges", "--diff-filter=M", "--name-only",
				"--format=%x01%H", fmt.Sprint("-n", manyCommits)), "\x01") {
				f := strings.Fields(part)
				for _, file := range f[min(1, len(f)):] {
					if styleOf(file).line == nil {
						continue
					}
					old, now := git("show", f[0]+"~1:"+file), git("show", f[0]+":"+file)
					compareVersions(t, f[0], file, old, now, &layout, &code)
				}
			}
			t.Logf("%d symbols of another layout, %d of other code", layout, code)
		})
	}
}

func compareVersions(t *testing.T, sha, file, old, now string, layout, code *int) {
	was, _ := parse.Parse(parse.Input{Path: file, Text: []byte(old)})
	texts := map[string]string{}
	for _, e := range was.Entries {
		texts[e.Name] = doc.Lines(old, e.First, e.Last)
	}
	is, _ := parse.Parse(parse.Input{Path: file, Text: []byte(now)})
	for _, e := range is.Entries {
		a, ok := texts[e.Name]
		b := doc.Lines(now, e.First, e.Last)
		if !ok || a == b || strings.Contains(e.Name, "#") {
			continue
		}
		same := Hash(file, []byte(old), e.Name) == Hash(file, []byte(now), e.Name)
		switch {
		case packed(a) == packed(b):
			if *layout++; !same && !styleOf(file).indent {
				t.Errorf("%.10s %s %s: another layout moved the ground", sha, file, e.Name)
			}
		case packed(uncommented(a)) != packed(uncommented(b)):
			if *code++; same {
				t.Errorf("%.10s %s %s: other code left the ground\n%s\n%s", sha, file, e.Name, a, b)
			}
		}
	}
}

func packed(s string) string { return strings.Join(strings.Fields(s), "") }

var comments = regexp.MustCompile(`(?m)(^|\s)(#|//).*$|(?s)/\*.*?\*/|,(\s*[)\]}])`)

// uncommented drops comments, and commas before closing brackets.
func uncommented(s string) string { return comments.ReplaceAllString(s, "$3") }
