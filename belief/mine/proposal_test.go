package mine_test

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"patina/belief/mine"
	"patina/code/lookup"
	"patina/scrape"
	"patina/scrape/scrapetest"
	"patina/store"
	"patina/store/storetest"
)

func TestProposable(t *testing.T) {
	for _, s := range []string{
		"Rows are never reordered here, because readers hold their numbers.",
		"Because published tables are never changed in place, a reader keeps a consistent one.",
		"A rename is used to publish, because a reader must never see half a file.",
		"(The lock is a file rather than a socket, because sockets outlive a crash.)",
		"First in, first out is the only order, because old items are paid for.",
		"From https://example.org/rfc: A server must never send a body here, because of caches.",
		"A page is read whole, because level-triggered I/O must not be asked twice.",
		"Python 3.13 closes it after https://example.org/pull/1 which must not be undone.",
	} {
		if !mine.IsOfferable(s) {
			t.Errorf("left out: %q", s)
		}
	}
	for _, s := range []string{
		"Too short because so.",
		"Never " + strings.Repeat("long ", 80) + "because so.",
		"This commit keeps the lock rather than a socket because of crashes.",
		"Removed the lock, since the table must never be changed by two.",
		"(Now the lock is kept rather than dropped because of crashes.)",
		"The lock is no longer needed because one process must write at a time.",
		"An error was returned to callers instead of an empty list, because of the cache.",
		"The list throws on an empty row because it must have a first one.",
		"We always do this before the flush, because readers look at the old page.",
		"An error is not returned in this case, since callers must go on anyway.",
		"because readers hold a number, rows are never reordered by the writer.",
		"Some tests must be told of the lock, because it is chosen by the writer.",
		"I've kept the lock, because the table must never be changed by two.",
		"Deprecated: use the other one instead, because the lock is not fair.",
		"Reviewer #1: the lock must be kept, because readers hold its number.",
		"Always keep the body https://example.org/a Use the old one to avoid a copy.",
		"The slot must never be reused, because readers hold it TODO: lift that",
		"The trait must not be reused here, because I could find no bound for it.",
		"The reset \x1b]0;x\a must never be sent here, because terminals act on it.",
		"The order \u202e must never be turned here, because readers trust it.",
		"Only these may be kept, because of the following two reasons, as said:",
	} {
		if mine.IsOfferable(s) {
			t.Errorf("kept: %q", s)
		}
	}
}

// A copied comment with another name is proposed and counted once.
func TestCopiesAreProposedOnce(t *testing.T) {
	root, dir := t.TempDir(), filepath.Join(t.TempDir(), "store")
	files := map[string]string{}
	for _, driver := range []string{"mysql", "sqlite", "oracle"} {
		files[driver+".go"] = fmt.Sprintf(
			"package app\n\n// A migration must never run twice at a time, because the driver of %s cannot roll a table back.\n\nvar x%s = 1\n", driver, driver)
	}
	files["other.go"] = "package app\n\n// Readers must never wait for a writer, because an answer is due within a second.\n\nvar y = 1\n"
	scrapetest.Git(t, root, "init", "-q")
	scrapetest.Tree(t, root, files)
	scrapetest.Git(t, root, "add", "-A")
	scrapetest.Git(t, root, "commit", "-q", "-m", "all")
	_, err := scrape.Run(t.Context(), scrape.Options{Root: root, StoreDir: dir})
	storetest.Check(t, err)
	r := storetest.Pin(t, dir)
	all := func(mine.Proposal) bool { return true }
	found, err := mine.Proposals(t.Context(), r, 20, all)
	storetest.Check(t, err)
	n, err := mine.CountProposals(t.Context(), r, 20, all)
	storetest.Check(t, err)
	if len(found) != 2 || n != 2 {
		t.Errorf("%+v, %d counted, want 2", found, n)
	}
}

func TestProposalsOfARepository(t *testing.T) {
	root, dir := t.TempDir(), filepath.Join(t.TempDir(), "store")
	scrapetest.Reasoned(t, root)
	_, err := scrape.Run(t.Context(), scrape.Options{Root: root, StoreDir: dir})
	storetest.Check(t, err)
	r := storetest.Pin(t, dir)
	all := func(mine.Proposal) bool { return true }
	found, err := mine.Proposals(t.Context(), r, 20, all)
	storetest.Check(t, err)
	if len(found) == 0 {
		t.Fatal("nothing is proposed")
	}
	for i, p := range found {
		at, err := mine.ProposalAt(t.Context(), r, p.Source)
		if err != nil || at.Text != p.Text || at.Key() != p.Key() {
			t.Errorf("%s: %+v, %v, want %q", p.Source, at, err, p.Text)
		}
		if p.Score <= 0 || p.Score > 1 {
			t.Errorf("%s: score %v", p.Source, p.Score)
		}
		for limit := range 3 {
			some, err := mine.Proposals(t.Context(), r, limit, func(x mine.Proposal) bool { return x.Text != p.Text })
			storetest.Check(t, err)
			if len(some) > limit {
				t.Errorf("%d proposals, want at most %d", len(some), limit)
			}
			for _, x := range some {
				if x.Text == p.Text {
					t.Errorf("%d. is proposed against keep", i+1)
				}
			}
		}
	}
	for _, source := range []string{
		"", ":", "lock.go", "lock.go:", "lock.go:x", "lock.go:0", "lock.go:-1", "lock.go:99999999999999999999",
		"none.go:1",
		"commit:", "commit:0123456789ab", found[0].Source + "#0", found[0].Source + "#9", found[0].Source + "#x",
		"belief:x", "../lock.go:5", "\x00:1",
	} {
		if p, err := mine.ProposalAt(t.Context(), r, source); !errors.Is(err, lookup.ErrNoDocument) ||
			errors.Is(err, store.ErrDamaged) {
			t.Errorf("%q: %+v, %v", source, p, err)
		}
	}
}
