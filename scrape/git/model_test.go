package git

import (
	"fmt"
	"math/rand"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"patina/store/doc"
)

// A model is a random history: the repository's contents, and the expected result of reading it.
type model struct {
	dir     string
	want    map[string]doc.Revision // by id, with files in order of their names
	parents map[string][]string
	head    string
}

// Fragments of text as people, tools and attackers write them. They must not contain a NUL, because
// git refuses it or cuts there.
var (
	hostileText = []string{
		"fix", "|", "a\tb", "\x01", "\x1e\x1f", "%x00%H%n", "\xff\xfe", "日本語", "'", `"`, "\x1b[31mred", `\0`, "é", "--",
		"-z", "\u202e", "commit 0123456789012345678901234567890123456789", "diff --git a/x b/x", "tree",
		"Merge branch 'x'", ":::", "\x7f",
	}
	hostileBody = append([]string{"\n", "\n\n", "\r\n", "\n---\n", "\nNotes:\n    x", "\nSigned-off-by: A <a@b>\n"},
		hostileText...)
	hostileName = []string{
		"a.go", "b c.txt", "tab\there", "line\nfeed", "\nleading", "trailing\n", `quo"te`, `back\slash`, "日本語.md",
		"\xff\xfe", "-z", "%x00", " blank ", "dir/a.go", "dir/\n/x", "ü/é", ":(top)x", "*?[x]", "commit", "d\x01/e\x1f",
		"A.GO",
	}
	hostilePeople = []string{"A U Thor", "日本", "\xe9", "a|b", "", "x, y", "'", "-c"}
)

func join(r *rand.Rand, pieces []string, most int) string {
	var b strings.Builder
	for range r.Intn(most + 1) {
		b.WriteString(pieces[r.Intn(len(pieces))])
		if r.Intn(2) == 0 {
			b.WriteByte(' ')
		}
	}
	return b.String()
}

// newModel writes a random history with n commits by git fast-import, which takes any bytes.
func newModel(t testing.TB, seed int64, n int) model {
	t.Helper()
	r := rand.New(rand.NewSource(seed))
	m := model{dir: newRepo(t), want: map[string]doc.Revision{}, parents: map[string][]string{}}
	var script strings.Builder
	var revs []doc.Revision
	var parents [][]int
	var files []map[string]int // of each commit: path → content
	for i := range n {
		of := randomParents(r, parents, n)
		subject, body := strings.TrimSpace(join(r, hostileText, 4)), strings.Trim(join(r, hostileBody, 8), "\r\n ")
		message := subject + "\n\n" + body + "\n"
		if subject == "" || body == "" {
			message, body = subject, ""
		}
		rev := doc.Revision{
			Merge: len(of) > 1, Author: hostilePeople[r.Intn(len(hostilePeople))], Email: "a@b",
			Time: time.Unix(int64(1e9+r.Intn(1e6)), 0).UTC(), Subject: cleanText([]byte(subject), false),
			Body: cleanText([]byte(strings.TrimSpace(body)), false),
		}
		fmt.Fprintf(&script, "commit refs/heads/b%d\nmark :%d\nauthor %s <a@b> 5 +0000\ncommitter C <c@d> %d +0100\n",
			i, i+1, rev.Author, rev.Time.Unix())
		fmt.Fprintf(&script, "data %d\n%s\n", len(message), message)
		now := map[string]int{}
		for k, p := range of {
			fmt.Fprintf(&script, "%s :%d\n", []string{"from", "merge"}[min(k, 1)], p+1)
			if k == 0 {
				for name, content := range files[p] {
					now[name] = content
				}
			}
		}
		writeFiles(r, &script, now, i)
		if len(of) < 2 {
			before := map[string]int{}
			if len(of) == 1 {
				before = files[of[0]]
			}
			rev.Files = changed(before, now)
		}
		rev.Author = cleanText([]byte(rev.Author), false)
		revs, parents, files = append(revs, rev), append(parents, of), append(files, now)
	}
	fmt.Fprintf(&script, "reset refs/heads/main\nfrom :%d\n", n)
	m.importScript(t, script.String(), revs, parents)
	return m
}

// randomParents chooses parents for the next of n commits: roots, chains, forks, merges with up to
// four parents, and a last commit that joins all ends.
func randomParents(r *rand.Rand, parents [][]int, n int) []int {
	i := len(parents)
	if i == n-1 {
		return ends(parents)
	}
	if i == 0 || r.Intn(20) == 0 {
		return nil
	}
	of := []int{max(0, i-1-r.Intn(3))}
	if r.Intn(6) == 0 {
		for range 1 + r.Intn(3) {
			if p := r.Intn(i); !slices.Contains(of, p) {
				of = append(of, p)
			}
		}
	}
	return of
}

// writeFiles changes up to three files in commit i, and records their contents in now.
func writeFiles(r *rand.Rand, script *strings.Builder, now map[string]int, i int) {
	for k := range r.Intn(4) {
		name := hostileName[r.Intn(len(hostileName))]
		if _, old := now[name]; old && r.Intn(3) == 0 {
			fmt.Fprintf(script, "D %s\n", quote(name))
			delete(now, name)
			continue
		}
		now[name] = i*10 + k
		data := fmt.Sprint(now[name])
		fmt.Fprintf(script, "M 100644 inline %s\ndata %d\n%s\n", quote(name), len(data), data)
	}
}

func (m *model) importScript(t testing.TB, script string, revs []doc.Revision, parents [][]int) {
	t.Helper()
	marks := filepath.Join(m.dir, ".git/marks")
	gitInput(t, m.dir, script, "fast-import", "--quiet", "--date-format=raw", "--export-marks="+marks)
	ids := make([]string, len(revs))
	for line := range strings.Lines(string(read(t, marks))) {
		var mark int
		var id string
		if _, err := fmt.Sscanf(line, ":%d %s", &mark, &id); err != nil {
			t.Fatal(err)
		}
		ids[mark-1] = id
	}
	for i, rev := range revs {
		rev.SHA = ids[i]
		m.want[ids[i]] = rev
		for _, p := range parents[i] {
			m.parents[ids[i]] = append(m.parents[ids[i]], ids[p])
		}
	}
	m.head = ids[len(ids)-1]
}

// ends returns the commits that are no commit's parent.
func ends(parents [][]int) []int {
	parent := map[int]bool{}
	for _, of := range parents {
		for _, p := range of {
			parent[p] = true
		}
	}
	var all []int
	for i := len(parents) - 1; i >= 0; i-- {
		if !parent[i] {
			all = append(all, i)
		}
	}
	return all
}

func changed(before, now map[string]int) []string {
	var names []string
	for name, content := range now {
		if old, ok := before[name]; !ok || old != content {
			names = append(names, name)
		}
	}
	for name := range before {
		if _, ok := now[name]; !ok {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// quote returns a path as fast-import reads it.
func quote(name string) string {
	var b strings.Builder
	for i := range len(name) {
		fmt.Fprintf(&b, `\%03o`, name[i])
	}
	return `"` + b.String() + `"`
}

// ancestors returns a commit and all commits before it.
func (m *model) ancestors(id string) map[string]bool {
	all, open := map[string]bool{}, []string{id}
	for len(open) > 0 {
		id, open = open[0], open[1:]
		if !all[id] {
			all[id] = true
			open = append(open, m.parents[id]...)
		}
	}
	return all
}
