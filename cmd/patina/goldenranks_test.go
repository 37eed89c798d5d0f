package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"patina/bench/eval"
)

// A goldenQuestion is a row in questions.json. Expect has paths, doc_ids, or "subject:" before a
// commit's subject. It must be written before the question is first asked, and never be changed to
// fit the results.
type goldenQuestion struct {
	eval.Question
	Args []string `json:"args,omitempty"` // flags; such questions are left out of the ranks
}

func readGoldenQuestions(t *testing.T, path string, commits map[string]string) []goldenQuestion {
	t.Helper()
	if _, err := eval.Load(path); err != nil { // checks the rules for question sets
		t.Fatal(err)
	}
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var qs []goldenQuestion
	if err := json.Unmarshal(b, &qs); err != nil {
		t.Fatal(err)
	}
	for _, q := range qs {
		for i, x := range q.Expect {
			subject, ok := strings.CutPrefix(x, "subject:")
			if !ok {
				continue
			}
			if commits[subject] == "" {
				t.Fatalf("question %s: no commit has the subject %q", q.ID, subject)
			}
			q.Expect[i] = commits[subject]
		}
	}
	return qs
}

// rankStats asks the questions without flags: of each channel alone, all but one, all together, and
// plain BM25.
func (g *goldens) rankStats() string {
	var qs []eval.Question
	for _, q := range g.questions {
		if len(q.Args) == 0 {
			qs = append(qs, q.Question)
		}
	}
	b, err := json.Marshal(qs)
	if err != nil {
		g.t.Fatal(err)
	}
	set := filepath.Join(g.t.TempDir(), "set.json")
	if err := os.WriteFile(set, b, 0o644); err != nil {
		g.t.Fatal(err)
	}
	var r eval.Report
	if err := json.Unmarshal([]byte(g.run("eval", "retrieval", "-q", set, "--json")), &r); err != nil {
		g.t.Fatal(err)
	}
	if slices.ContainsFunc(r.Systems, func(s eval.System) bool { return s.Partial > 0 }) {
		g.t.Fatal("a channel did not answer in time")
	}
	g.checkPaths(qs)
	return writeStats(&r)
}

// checkPaths fails for expected paths that the fixture lacks, because they could never be found.
func (g *goldens) checkPaths(qs []eval.Question) {
	for _, q := range qs {
		for _, x := range q.Expect {
			if strings.ContainsAny(x, "/.") {
				if _, err := os.Stat(filepath.Join(g.root, x)); err != nil {
					g.t.Errorf("question %s: %v", q.ID, err)
				}
			}
		}
	}
}

func writeStats(r *eval.Report) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d questions with an answer: refused %d, weak %d; %d absurd ones: refused %d, weak %d\n\n",
		r.Real.N, r.Real.Refused, r.Real.Weak, r.Absurd.N, r.Absurd.Refused, r.Absurd.Weak)
	line := func(name string, rows []eval.Row) { fmt.Fprintf(&b, "%-17s %s\n", name, statsOf(rows)) }
	heading := func(name string) {
		fmt.Fprintf(&b, "%-17s %3s  %5s  %6s  %7s  %5s  %5s  %6s\n", name, "n", "P@5", "MRR@10", "NDCG@10", "hit@1",
			"hit@5", "hit@10")
	}
	heading("system")
	category, order := map[string]string{}, []string{}
	for _, q := range r.Questions {
		if !q.Absurd() && !slices.Contains(order, q.Category) {
			order = append(order, q.Category)
		}
		category[q.ID] = q.Category
	}
	for _, s := range r.Systems {
		line(s.Name, answerable(r, s.Rows))
	}
	b.WriteString("\n")
	heading("fused, by intent")
	for _, c := range order {
		line(c, slices.DeleteFunc(slices.Clone(r.Systems[0].Rows),
			func(x eval.Row) bool { return category[x.ID] != c }))
	}
	b.WriteString("\nplace of the first expected (\"all\": of the last); - where it is not in the first thirty\n\n")
	writeRanks(&b, r)
	return b.String()
}

// answerable drops the rows for questions without an answer.
func answerable(r *eval.Report, rows []eval.Row) []eval.Row {
	return slices.DeleteFunc(slices.Clone(rows), func(x eval.Row) bool {
		return slices.ContainsFunc(r.Questions, func(q eval.Question) bool { return q.ID == x.ID && q.Absurd() })
	})
}

func statsOf(rows []eval.Row) string {
	var right, reciprocal, gain, hit1, hit5, hit10 float64
	for _, x := range rows {
		right += float64(x.Right) / 5
		reciprocal += x.RR()
		gain += x.NDCG
		hit10 += x.Hit()
		if x.Rank >= 1 && x.Rank <= 5 {
			hit5++
		}
		if x.Rank == 1 {
			hit1++
		}
	}
	n := float64(len(rows))
	return fmt.Sprintf("%3d  %.3f   %.3f    %.3f  %.3f  %.3f   %.3f", len(rows), right/n, reciprocal/n, gain/n, hit1/n,
		hit5/n, hit10/n)
}

// writeRanks writes one line a question, with its rank in every system.
func writeRanks(b *strings.Builder, r *eval.Report) {
	short := strings.NewReplacer("only ", "", "without ", "-", "lexical", "lex", "semantic", "sem", "temporal", "temp")
	fmt.Fprintf(b, "%-20s", "question")
	for _, s := range r.Systems {
		fmt.Fprintf(b, " %5s", short.Replace(s.Name))
	}
	b.WriteString("  relevance\n")
	for _, q := range r.Questions {
		fmt.Fprintf(b, "%-20s", q.ID)
		relevance := ""
		for _, s := range r.Systems {
			place := "-"
			for _, x := range s.Rows {
				if x.ID != q.ID {
					continue
				}
				if x.Rank > 0 {
					place = fmt.Sprint(x.Rank)
				}
				if x.Relevance != "" {
					relevance = string(x.Relevance)
				}
			}
			fmt.Fprintf(b, " %5s", place)
		}
		fmt.Fprintf(b, "  %s\n", relevance)
	}
}
