package archtest

import (
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"patina/belief"
	"patina/store/markdown"
)

var (
	wikilink  = regexp.MustCompile(`\[\[([^\]]+)\]\](?:, "([^"]+)")?`)
	codePath  = regexp.MustCompile("`(\\.?[\\w-]+/[\\w./-]*|[\\w-]+\\.(?:go|md))`")
	commitID  = regexp.MustCompile(`^commit-([0-9a-f]{7,40})$`)
	evidence  = regexp.MustCompile(`^- \[\[.+ \(weight: (0\.\d\d|1\.00)\)$`)
	frontKeys = []string{
		"type: belief\n", "persona: ", "facets: [", "confidence:\n  score: 0.", "entrenchment: ", "status: ",
		"extracted: 20",
	}
)

// layer returns the documents of this project's layer by path, and its beliefs by id.
func layer(t *testing.T) (texts map[string]string, beliefs map[string]belief.Belief) {
	t.Helper()
	texts, beliefs = make(map[string]string), make(map[string]belief.Belief)
	for _, pattern := range []string{"layer/core/*", "layer/surface/epistemic/beliefs/*"} {
		found, err := filepath.Glob(filepath.FromSlash(pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range found {
			name := filepath.ToSlash(f)
			texts[name] = readFile(t, name)
			if belief.IsPath(name) {
				b := belief.Parse(name, texts[name])
				beliefs[b.ID] = b
			}
		}
	}
	return texts, beliefs
}

// Every belief must have the fields of the format, one sentence, and evidence with weights. Its id
// must be the name of its file without the extension.
func TestBeliefsAreWhole(t *testing.T) {
	texts, beliefs := layer(t)
	active := 0
	for id, b := range beliefs {
		if reason := belief.Broken(texts[b.Path]); reason != "" {
			t.Errorf("%s: %s", b.Path, reason)
		}
		block, body, _ := markdown.SplitFrontMatter(texts[b.Path])
		front := block.Text
		for _, key := range frontKeys {
			if !strings.Contains(front, key) {
				t.Errorf("%s: no %q in the front matter", b.Path, key)
			}
		}
		if id != strings.TrimSuffix(path.Base(b.Path), ".md") {
			t.Errorf("%s has the id %q", b.Path, id)
		}
		if !strings.HasPrefix(strings.TrimSpace(body), "# "+id+"\n\n"+b.Statement+"\n\n## Evidence\n") {
			t.Errorf("%s: want its id, its statement and its evidence on top", b.Path)
		}
		if !strings.HasSuffix(b.Statement, ".") || strings.Contains(b.Statement, ". ") {
			t.Errorf("%s: %q is not one sentence", b.Path, b.Statement)
		}
		_, after, _ := strings.Cut(body, "## Evidence\n")
		items, _, _ := strings.Cut(after, "\n## ")
		for item := range strings.SplitSeq(strings.TrimSpace(items), "\n") {
			if !evidence.MatchString(item) {
				t.Errorf("%s: evidence in another form: %q", b.Path, item)
			}
		}
		if b.Status == "active" {
			active++
		} else if b.Status != "defeated" {
			t.Errorf("%s has the status %q", b.Path, b.Status)
		}
	}
	if active < 20 || len(beliefs)-active < 3 {
		t.Errorf("%d active beliefs and %d others", active, len(beliefs)-active)
	}
}

// Both sides of an attack must name each other. A defeated belief must be attacked by an active
// one, and must not support or attack anything.
func TestBeliefsLeadToEachOther(t *testing.T) {
	_, beliefs := layer(t)
	targets := func(edges []belief.Edge) (ids []string) {
		for _, e := range edges {
			ids = append(ids, e.Target)
		}
		return ids
	}
	for id, b := range beliefs {
		for _, target := range slices.Concat(targets(b.Supports), targets(b.Attacks)) {
			if beliefs[target].ID == "" || target == id || b.Status != "active" {
				t.Errorf("%s supports or attacks %q", b.Path, target)
			}
		}
		for _, target := range targets(b.Attacks) {
			if beliefs[target].Status != "defeated" || !slices.Contains(targets(beliefs[target].AttackedBy), id) {
				t.Errorf("%s attacks %q, which does not say so", b.Path, target)
			}
		}
		for _, target := range targets(b.AttackedBy) {
			if !slices.Contains(targets(beliefs[target].Attacks), id) {
				t.Errorf("%s is attacked by %q, which does not say so", b.Path, target)
			}
		}
		if (b.Status == "defeated") != (len(b.AttackedBy) > 0) {
			t.Errorf("%s is %s, with %d attacks on it", b.Path, b.Status, len(b.AttackedBy))
		}
	}
}

// A pattern of the core must have its front matter, and a line with its purpose.
func TestPatternsHaveAPurpose(t *testing.T) {
	texts, _ := layer(t)
	patterns := 0
	for name, text := range texts {
		if belief.IsPath(name) {
			continue
		}
		patterns++
		block, body, _ := markdown.SplitFrontMatter(text)
		front := block.Text
		stem := strings.TrimSuffix(path.Base(name), ".md")
		if !strings.Contains(front, "id: "+stem+"\nlayer: core\nstatus: active\n") {
			t.Errorf("%s: front matter %q", name, front)
		}
		if !regexp.MustCompile(`^\s*# .+\n\n\*\*Purpose:\*\* \S.+\n`).MatchString(body) {
			t.Errorf("%s does not say its purpose below its title", name)
		}
	}
	if patterns < 2 {
		t.Errorf("%d patterns", patterns)
	}
}

// Every path and section named in the layer must exist, and every link must lead to a belief, a
// path or a commit.
func TestLayerNamesWhatExists(t *testing.T) {
	texts, beliefs := layer(t)
	var commits []string
	for name, text := range texts {
		for _, m := range codePath.FindAllStringSubmatch(text, -1) {
			if _, err := os.Stat(filepath.FromSlash(m[1])); err != nil {
				t.Errorf("%s names %q: %v", name, m[1], err)
			}
		}
		for _, m := range wikilink.FindAllStringSubmatch(text, -1) {
			target, heading := m[1], m[2]
			if c := commitID.FindStringSubmatch(target); c != nil {
				commits = append(commits, c[1])
				continue
			}
			if beliefs[target].ID != "" && heading == "" {
				continue
			}
			cited, err := os.ReadFile(filepath.FromSlash(target))
			if err != nil {
				t.Errorf("%s leads to %q, which is no belief and no file", name, target)
			} else if heading != "" && !strings.Contains(string(cited), "# "+heading+"\n") {
				t.Errorf("%s names %q, which has no section %q", name, target, heading)
			}
		}
	}
	checkCommits(t, commits)
}

// checkCommits asks git for commits. It skips the test in a shallow clone.
func checkCommits(t *testing.T, commits []string) {
	t.Helper()
	if len(commits) < 20 {
		t.Errorf("the layer cites %d commits", len(commits))
	}
	shallow, err := exec.CommandContext(t.Context(), "git", "rev-parse", "--is-shallow-repository").Output()
	if err != nil || strings.TrimSpace(string(shallow)) != "false" {
		t.Skip("commits are looked up in a repository with its whole history")
	}
	for _, c := range commits {
		if err := exec.CommandContext(t.Context(), "git", "merge-base", "--is-ancestor", c, "HEAD").Run(); err != nil {
			t.Errorf("the history has no commit %q: %v", c, err)
		}
	}
}
