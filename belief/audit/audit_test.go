package audit_test

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"patina/belief/audit"
	"patina/scrape"
	"patina/scrape/scrapetest"
	"patina/store"
	"patina/store/storetest"
)

const folder = "layer/surface/beliefs/"

func text(id, head, body string) string {
	return "---\nid: " + id + "\n" + head + "---\n# " + id + "\n\n" + id + " holds.\n\n" + body
}

// layer has one belief for each flaw, and others without flaws.
var layer = map[string]string{
	"src/cache.go":      "package src\n",
	"src/old.go":        "package src\n",
	folder + "sound.md": text("sound", "", "## Evidence\n- [[src/cache.go]]\n"),
	folder + "user.md": text("user", "",
		"## Evidence\n- [[session-20240101-120000]]\n\n## Supports\n- [[sound]]\n\n## Attacks\n- [[nobody]] (status: defeated)\n"),
	folder + "lost.md": text("lost", "",
		"## Evidence\n- [[src/none.go]]\n- words\n\n## Supports\n- [[none]]\n- [[none]]\n"),
	folder + "selfish.md": text("selfish", "", "## Attacks\n- [[selfish]]\n"),
	folder + "one.md":     text("one", "", "## Supports\n- [[two]]\n"),
	folder + "two.md":     text("two", "", "## Supports\n- [[One]]\n"),
	folder + "weak.md":    text("weak", "entrenchment: low\n", "## Evidence\n- [[sound]]\n"),
	folder + "strong.md": text("strong", "entrenchment: very-high\n",
		"## Evidence\n- [[sound]]\n\n## Attacks\n- [[weak]]\n"),
	folder + "given-up.md": text("given-up", "status: defeated\n", "## Evidence\n- [[src/gone.go]]\n"),
	folder + "checked.md": text("checked", "",
		"## Verification\n```verify type=\"sql\" expect=\"= 1\"\nSELECT 1\n```\n"),
	folder + "stale.md":  text("stale", "extracted: 2001-01-01\n", "## Evidence\n- [[src/old.go]]\n"),
	folder + "broken.md": "no front matter\n",
	folder + "odd.md": text("odd", "status: activ\nentrenchment: hihg\n",
		"## Evidence\n- [[src/cache.go:1-2]]\n\n## Attacked-By\n- [[x]] (status: dfeated)\n"),
	folder + "sound2.md": text("sound", "",
		"## Evidence\n- [[src]]\n- [[owner/name]]\n- [[https://example.org/x.md]]\n- [[src/cache.go]]\n"),
	folder + "foe.md": text("foe", "", "## Evidence\n- [[sound]]\n\n## Attacks\n- [[rival]]\n"),
	folder + "rival.md": text("rival", "",
		"## Evidence\n- [[sound]]\n\n## Attacks\n- [[foe]]\n- [[calm]]\n"),
	folder + "calm.md": text("calm", "entrenchment: low\n",
		"## Evidence\n- [[sound]]\n\n## Attacked-By\n- [[rival]] (status: defeated)\n"),
	folder + "idle.md":                  text("idle", "", "## Evidence\n- [[session-20240101-120000]]\n"),
	folder + "told-of.md":               text("told-of", "", "## Evidence\n- [[session-20240101-120000]]\n"),
	"README.md":                         "# X\n\nWe hold to told-of, and are idle.\n",
	"layer/sessions/20240101-120000.md": "# Session: One\n\n## Goals\n\nSee [[user]], [[stale]], [[lost]], [[selfish]], [[weak]], [[strong]], [[checked]].\n",
}

func read(t *testing.T, files map[string]string, f func(ctx context.Context, r *store.Reader)) {
	t.Helper()
	root := t.TempDir()
	scrapetest.Tree(t, root, files)
	scrapetest.Git(t, root, "init", "-q")
	scrapetest.Git(t, root, "add", "-A")
	scrapetest.Git(t, root, "commit", "-qm", "all")
	if files["src/old.go"] != "" {
		storetest.Check(t,
			os.WriteFile(filepath.Join(root, "src", "old.go"), []byte("package src\n\nfunc New() {}\n"), 0o644))
		later := exec.CommandContext(t.Context(), "git", "-C", root, "-c", "user.name=a", "-c", "user.email=a@b.c",
			"commit", "-qam", "change the evidence")
		later.Env = append(os.Environ(), "GIT_AUTHOR_DATE=2090-01-02T03:04:05Z",
			"GIT_COMMITTER_DATE=2090-01-02T03:04:05Z")
		storetest.Check(t, later.Run())
	}
	dir := filepath.Join(root, ".patina")
	_, err := scrape.Run(t.Context(), scrape.Options{Root: root, StoreDir: dir})
	storetest.Check(t, err)
	storetest.Check(t, storetest.Opened(dir, func(r *store.Reader) error {
		f(t.Context(), r)
		return nil
	}))
}

func TestAudit(t *testing.T) {
	read(t, layer, func(ctx context.Context, r *store.Reader) {
		found, n, err := audit.Audit(ctx, r)
		storetest.Check(t, err)
		var got []string
		for _, f := range found {
			got = append(got, fmt.Sprintf("%s|%s|%s", f.Flaw, strings.TrimPrefix(f.Path, folder), f.Text))
			if f.Fix == "" || f.Line == 0 && f.Flaw != audit.NoBelief {
				t.Errorf("%+v", f)
			}
		}
		want := []string{
			"not read|broken.md|no front matter",
			`broken link|given-up.md|evidence "src/gone.go" leads to nothing in the index`,
			`broken link|lost.md|evidence "src/none.go" leads to nothing in the index`,
			`broken link|lost.md|supports "none", which is no belief`,
			"self attack|selfish.md|attacks itself",
			"cycle|one.md|its supports lead back to it: one → two → one",
			"contradicted|weak.md|strong attacks it and stands at 0.95, it at 0.1",
			"stale|stale.md|changed since 20",
			"unverifiable|lost.md|no evidence that leads to something, and no check",
			"unverifiable|one.md|no evidence that leads to something, and no check",
			"unverifiable|selfish.md|no evidence that leads to something, and no check",
			"unverifiable|two.md|no evidence that leads to something, and no check",
			"misread|odd.md|status \"activ\" is none of",
			"misread|odd.md|entrenchment \"hihg\" is no number",
			"misread|odd.md|the link's status \"dfeated\"",
			"twice|sound2.md|its id is that of layer/surface/beliefs/sound.md",
			"cycle|foe.md|its attacks lead back to it: foe → rival → foe",
			"contradicted|foe.md|rival attacks it",
			"contradicted|rival.md|foe attacks it",
			"unused|idle.md|no belief, session or file names it, and it is about no known file",
		}
		for _, w := range want {
			if !slices.ContainsFunc(got, func(g string) bool { return strings.HasPrefix(g, w) }) {
				t.Errorf("%q is missing in\n%s", w, strings.Join(got, "\n"))
			}
		}
		if n != 18 || len(found) != len(want) {
			t.Errorf("%d beliefs, %d findings:\n%s", n, len(found), strings.Join(got, "\n"))
		}
	})
}

// A link is reported at both ends, with the status of the other end, and once if both files have
// it.
func TestLinks(t *testing.T) {
	files := map[string]string{
		folder + "a.md": text("a", "",
			"## Supports\n- [[B]]\n- [[plan]]\n- [[none]]\n\n## Attacks\n- [[c]] (status: defeated, reason: slow)\n- [[a]]\n"),
		folder + "b.md":      text("b", "", "## Attacks\n- [[a]]\n"),
		folder + "c.md":      text("c", "status: defeated\n", "## Attacked-By\n- [[a]] (status: active)\n"),
		"layer/core/plan.md": "# Plan\n\nA plan.\n",
		"docs/adr/0001-x.md": "# 1. Use X\n\n## Status\n\nSuperseded by [2](0002-y.md)\n\n## Decision\n\nWe will use X.\n",
		"docs/adr/0002-y.md": "# 2. Use Y\n\n## Status\n\nAccepted\n\n## Decision\n\nWe will use Y.\n",
	}
	read(t, files, func(ctx context.Context, r *store.Reader) {
		entries, _, err := audit.Read(ctx, r, nil)
		storetest.Check(t, err)
		var got []string
		for _, e := range entries {
			for _, x := range slices.Concat(e.Edges, e.Others) {
				got = append(got, fmt.Sprintf("%s %s %s [%s]", e.ID, x.Relation, x.Name, cmp.Or(x.Stands, x.DocID)))
			}
		}
		want := []string{
			"0001-x superseded by 0002-y [active]", "0002-y supersedes 0001-x [archived]",
			"a supports B [active]", "a supports plan [pattern:layer/core/plan.md]", "a supports none []",
			"a attacks c [defeated]", "a attacks a [active]",
			"a attacked by b [active]", "b attacks a [active]", "b supported by a [active]", "c attacked by a [active]",
		}
		if !slices.Equal(got, want) {
			t.Errorf("got  %q\nwant %q", got, want)
		}
	})
}

// Evidence has changed if it has commits since the belief was dated, or since the belief's own last
// commit.
func TestStale(t *testing.T) {
	files := map[string]string{
		"src/old.go":        "package src\n",
		folder + "old.md":   text("old", "extracted: 2001-01-01\n", "## Evidence\n- [[src/old.go]]\n"),
		folder + "later.md": text("later", "revised: 2100-01-01\n", "## Evidence\n- [[src/old.go]]\n"),
	}
	read(t, files, func(ctx context.Context, r *store.Reader) {
		entries, missing, err := audit.Read(ctx, r, []string{"OLD", "later", "none"})
		storetest.Check(t, err)
		if len(entries) != 2 || !slices.Equal(missing, []string{"none"}) {
			t.Fatalf("%+v, missing %q", entries, missing)
		}
		if later := entries[0].Sources[0]; later.Commits != 0 || later.DocID != "src/old.go" {
			t.Errorf("dated later: %+v", later)
		}
		if old := entries[1].Sources[0]; old.Commits != 1 || old.Changed.Year() != 2090 {
			t.Errorf("dated before: %+v", old)
		}
	})
}

// The committed beliefs of this project must have no flaw but hints.
func TestOwnBeliefs(t *testing.T) {
	if testing.Short() {
		t.Skip("reads this whole project")
	}
	root, dir := filepath.Join(t.TempDir(), "clone"), t.TempDir()
	if out, err := exec.CommandContext(t.Context(), "git", "clone", "-q", "--shared", filepath.Join("..", ".."),
		root).CombinedOutput(); err != nil {
		t.Skipf("not in a repository: %v: %s", err, out)
	}
	_, err := scrape.Run(t.Context(), scrape.Options{Root: root, StoreDir: dir})
	storetest.Check(t, err)
	storetest.Check(t, storetest.Opened(dir, func(r *store.Reader) error {
		found, n, err := audit.Audit(t.Context(), r)
		for _, f := range found {
			if !f.Flaw.Hint() {
				t.Errorf("%s:%d %s: %s", f.Path, f.Line, f.Flaw, f.Text)
			}
		}
		if n < 40 {
			t.Errorf("%d beliefs", n)
		}
		return err
	}))
}
