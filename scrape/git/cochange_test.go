package git

import (
	"fmt"
	"math/rand"
	"slices"
	"strings"
	"testing"

	"patina/store/doc"
)

// slowPairs counts as the definition says.
func slowPairs(commits [][]string) []doc.CoChange {
	var counted [][]string
	names := map[string]bool{}
	for _, files := range commits {
		if len(files) >= 1 && len(files) <= 50 {
			counted = append(counted, files)
			for _, f := range files {
				names[f] = true
			}
		}
	}
	count := func(want ...string) (n int) {
		for _, files := range counted {
			all := true
			for _, w := range want {
				all = all && slices.Contains(files, w)
			}
			if all {
				n++
			}
		}
		return n
	}
	var pairs []doc.CoChange
	for a := range names {
		for b := range names {
			n := count(a, b)
			lift := float64(n) * float64(len(counted)) / (float64(count(a)) * float64(count(b)))
			if a < b && n >= 3 && lift > 1 {
				pairs = append(pairs, doc.CoChange{A: a, B: b, Count: n, Lift: lift})
			}
		}
	}
	slices.SortFunc(pairs, func(x, y doc.CoChange) int { return strings.Compare(x.A+"\x00"+x.B, y.A+"\x00"+y.B) })
	return pairs
}

func randomCommits(r *rand.Rand, n, files, most int) [][]string {
	var commits [][]string
	for range n {
		var set []string
		group := r.Intn(files)
		for range r.Intn(most) {
			f := r.Intn(files)
			if r.Intn(2) == 0 {
				f = (group + r.Intn(3)) % files
			}
			if name := fmt.Sprintf("f%d", f); !slices.Contains(set, name) {
				set = append(set, name)
			}
		}
		commits = append(commits, set)
	}
	return commits
}

func TestCoChangesAgreeWithSlow(t *testing.T) {
	found := 0
	for seed := range int64(30) {
		r := rand.New(rand.NewSource(seed))
		commits := randomCommits(r, 60, 15, 6)
		for _, size := range []int{50, 51} { // the last size that counts, and the first that does not
			var big []string
			for i := range size {
				big = append(big, fmt.Sprintf("f%d", i))
			}
			commits = append(commits, big)
		}
		var c CoChanges
		for _, files := range commits {
			c.Add(files, files)
		}
		check(t, fmt.Sprint("pairs, seed ", seed), c.Pairs(), slowPairs(commits))
		found += len(c.Pairs())
	}
	if found == 0 {
		t.Error("no pair in any of them: nothing was tested")
	}
}

func TestCoChangesOrder(t *testing.T) {
	var c CoChanges
	if c.Pairs() != nil {
		t.Error("pairs of nothing")
	}
	for range 3 {
		c.Add([]string{"z", "b", "a", "b"}, []string{"z", "b", "a", "b"}) // one of them twice
	}
	c.Add([]string{"x"}, []string{"x"})
	third := 4.0 / 3
	want := []doc.CoChange{
		{A: "a", B: "b", Count: 3, Lift: third},
		{A: "a", B: "z", Count: 3, Lift: third},
		{A: "b", B: "z", Count: 3, Lift: third},
	}
	check(t, "pairs", c.Pairs(), want)
}

// With a limit, only real pairs are found, no count is too high, and all frequent pairs are found.
func TestCoChangesBounded(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	commits := randomCommits(r, 600, 120, 8)
	for i := range commits {
		if i%3 == 0 {
			commits[i] = []string{"often1", "often2"}
		}
	}
	full, small := CoChanges{}, CoChanges{limit: 500}
	for _, files := range commits {
		full.Add(files, files)
		small.Add(files, files)
		if len(small.pairs) > small.limit {
			t.Fatalf("%d pairs at hand, at most %d allowed", len(small.pairs), small.limit)
		}
	}
	all := map[[2]string]int{}
	for _, p := range full.Pairs() {
		all[[2]string{p.A, p.B}] = p.Count
	}
	for _, p := range small.Pairs() {
		if n := all[[2]string{p.A, p.B}]; p.Count > n {
			t.Errorf("%s, %s: counted %d, there are %d", p.A, p.B, p.Count, n)
		}
	}
	i := slices.IndexFunc(small.Pairs(), func(p doc.CoChange) bool { return p.A == "often1" })
	if i < 0 || small.Pairs()[i].Count != 200 {
		t.Errorf("often1, often2: not found 200 times")
	}
	if len(full.Pairs()) <= len(small.Pairs()) {
		t.Error("nothing was forgotten: nothing was tested")
	}
}

func TestCoChangesOfRenamedFiles(t *testing.T) {
	var c CoChanges
	for range 3 {
		c.Add([]string{"a", "b"}, []string{"src/a", "b"})
	}
	c.Add([]string{"a", "src/a"}, []string{"src/a", "src/a"})
	for range 2 {
		c.Add([]string{"b", "src/a"}, []string{"b", "src/a"})
	}
	c.Add([]string{"x"}, []string{"x"})
	check(t, "pairs", c.Pairs(), []doc.CoChange{
		{A: "a", B: "b", Count: 3, Lift: 3. * 7 / (4 * 5)},
		{A: "b", B: "src/a", Count: 5, Lift: 5. * 7 / (5 * 6)},
	})
}
