package main

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
)

// nineteenWords are invented, so that no built-in model knows them. Each is in one repository.
var nineteenWords = strings.Fields(`Ablorite Bendrake Corvolin Dalmiset Esperand Fanquill Gorvadin Hestrovel Ilmarine
	Jorbandel Kestovar Lumirade Mondravel Norvalux Ostrabel Pelvamor Quindrast Rovelund Sarnapex`)

// One sync indexes nineteen registered repositories, which are then the nodes of the graph. Of
// nineteen questions, each about one of them, each asks it along an edge and has its result first:
// the recall of repositories is 1. Every result names its project and kind.
func TestNineteenRepositories(t *testing.T) {
	if testing.Short() {
		t.Skip("nineteen scrapes")
	}
	p := layPair(t)
	dir := filepath.Dir(p.app)
	for i, word := range nineteenWords {
		name := strings.ToLower(word)
		write(t, filepath.Join(dir, name, name+".go"), fmt.Sprintf(
			"package %s\n\n// Open%s makes the %s ready for the work of the day.\nfunc Open%s() {}\n", name, word, name, word))
		write(t, filepath.Join(dir, name, "layer", "surface", "beliefs", "late.md"), fmt.Sprintf(
			"---\ntype: belief\nid: late-%d\nentrenchment: high\nstatus: active\n---\n\n# late-%d\n\nA %s is closed late.\n",
			i, i, name))
		p.good(dir, "repo", "add", filepath.Join(dir, name), "--no-scrape")
	}
	p.good(p.app, "mother", "sync")
	var drawn struct{ Nodes []struct{ Name string } }
	if err := json.Unmarshal([]byte(p.good(p.app, "mother", "graph", "--format", "json")), &drawn); err != nil {
		t.Fatal(err)
	}
	nodes := map[string]bool{}
	for _, n := range drawn.Nodes {
		nodes[n.Name] = true
	}
	for _, word := range nineteenWords {
		name := strings.ToLower(word)
		if !nodes[name] {
			t.Errorf("%s is not in the graph", name)
		}
		p.good(p.app, "mother", "link", "app", name, "LEARNS_FROM")
	}
	asked := 0
	for _, word := range nineteenWords {
		name := strings.ToLower(word)
		for question, want := range map[string]string{
			"how is the " + name + " made ready": "[" + name + ":code] ",
			"is a " + name + " closed late?":     "[" + name + ":belief] ",
		} {
			text := p.good(p.app, "scry", "--all-repos", question)
			_, first, _ := strings.Cut(text, "\n1. ")
			first, _, _ = strings.Cut(first, "\n")
			if !strings.HasPrefix(first, want) || !strings.Contains(first, "via LEARNS_FROM") {
				t.Errorf("%s: the first result is %q, want one of %s", question, first, want)
				continue
			}
			asked++
		}
	}
	t.Logf("%d of %d questions have their repository first", asked, 2*len(nineteenWords))
}
