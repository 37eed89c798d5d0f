package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"patina/bench/eval/fixture"
	"patina/bench/eval/rankings"
)

// All measurements run on the invented project, as docs/evaluation.md shows them.
func TestMeasurements(t *testing.T) {
	repo, work := filepath.Join(t.TempDir(), "tidemark"), t.TempDir()
	if err := os.Mkdir(repo, 0o755); err != nil {
		t.Fatal(err)
	}
	if _, err := fixture.Lay(t.Context(), repo); err != nil {
		t.Fatal(err)
	}
	report := filepath.Join(work, "report.json")
	saved := `{"schema": "patina-eval/1", "systems": [{"name": "fused", "rows": [{"score": 0.83, "first": true, "top": ["a"]}, {"score": 0.81, "top": ["b"]}]}]}`
	if err := os.WriteFile(report, []byte(saved), 0o600); err != nil {
		t.Fatal(err)
	}
	set, kept := filepath.Join(work, "set.json"), filepath.Join(work, "ranks.json")
	questions := `[{"id": "alike", "query": "how does a lease move", "expect": ["server/internal/lease/lease.go"]},
		{"id": "apart", "query": "zebra", "expect": ["server/internal/lease/lease.go"]}]`
	if err := os.WriteFile(set, []byte(questions), 0o600); err != nil {
		t.Fatal(err)
	}
	tree := filepath.Join(work, "tidemark")
	for _, x := range []struct {
		args  string
		wants []string
		err   string
	}{
		{
			"commits -work " + work + " -n 8 -vectors=false -json " + kept + " " + repo,
			[]string{"| tidemark | ", "\n5 questions;", "\n| RRF(BM25c, history) | ", "\n| engine | "},
			"",
		},
		{"functions -pool 20 " + tree, []string{
			"tidemark: ", "\n| static | ",
			"sentence without any word that is in the name",
		}, ""},
		{"literals -n 4 -misses " + tree, []string{
			"| tidemark | verbatim | 4 | 1.000 | 1.000 | 1.000 |",
			"\n| all | quoted | ",
		}, ""},
		{"literals", nil, "scraped folder"},
		{"lines -q " + set, nil, "-trees"},
		{"lines -patina " + work + "/none -trees " + work + " -q ../sets/where.json", nil, `repository "mopidy"`},
		{"overlap -q " + set + " -C " + tree, []string{"alike: leas\n"}, "1 questions share words"},
		{"overlap -q " + set + " -C " + work, nil, `question "alike"`},
		{"functions -pool 100000 " + tree, nil, "too few functions"},
		{"commits " + repo, nil, "-work"},
		{"calibration " + report + " " + report, []string{"\n0.8 to 0.9  4", "0.500", "\nall "}, ""},
		{"calibration", nil, "name reports"},
		{"calibration " + set, nil, "read report"},
		{"speed", nil, names},
		{"", nil, names},
	} {
		var out strings.Builder
		err := command(t.Context(), strings.Fields(x.args), &out)
		if (err == nil) != (x.err == "") || err != nil && !strings.Contains(err.Error(), x.err) {
			t.Fatalf("%s: %v, want %q\n%s", x.args, err, x.err, out.String())
		}
		for _, want := range x.wants {
			if !strings.Contains(out.String(), want) {
				t.Errorf("%s: no %q in\n%s", x.args, want, out.String())
			}
		}
	}
	var r rankings.MacroReport
	b, err := os.ReadFile(kept)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(b, &r); err != nil || len(r.Repositories) != 1 || len(r.Repositories[0].Questions) != 5 {
		t.Errorf("kept ranks: %v\n%s", err, b)
	}
}

func TestNamesOfRepositories(t *testing.T) {
	for path, want := range map[string]string{
		"/a/caddy": "caddy", "a/caddy/.git": "caddy",
		"o+caddy/repo/.git/": "o+caddy", "repo": "repo",
	} {
		if got := nameOf(path); got != want {
			t.Errorf("%q is %q, want %q", path, got, want)
		}
	}
}
