package memory

import (
	"path/filepath"
	"testing"
)

func TestSimilar(t *testing.T) {
	ctx := t.Context()
	s := opened(t, filepath.Join(t.TempDir(), "memory.db"))
	a := added(t, s, Memory{Content: "The connection pool holds 8 connections in production"}).ID
	b := added(t, s, Memory{Content: "The connection pool holds 16 connections in production"}).ID
	added(t, s, Memory{Content: "Bananas ripen faster beside apples"})
	near := func(id string) []Likeness {
		t.Helper()
		found, err := s.Similar(ctx, NoteModel(), Memory{ID: id})
		if err != nil {
			t.Fatal(err)
		}
		return found
	}
	link := func() {
		t.Helper()
		if err := s.Link(ctx, NoteModel()); err != nil {
			t.Fatal(err)
		}
	}
	if got := near(a); len(got) != 0 {
		t.Errorf("without vectors: %v", got)
	}
	if err := s.Embed(ctx, NoteModel()); err != nil {
		t.Fatal(err)
	}
	if got := near(a); len(got) != 1 || got[0].ID != b {
		t.Errorf("before Link: %v", got)
	}
	link()
	for id, other := range map[string]string{a: b, b: a} {
		if got := near(id); len(got) != 1 || got[0].ID != other || got[0].Cosine < .7 {
			t.Errorf("similar to %s: %v", id, got)
		}
	}
	// A change of tags and another model must keep the links, a change of the text must not.
	change := func(id string, edit func(*Memory)) {
		t.Helper()
		if _, err := s.Edit(ctx, id, false, edit); err != nil {
			t.Fatal(err)
		}
	}
	change(a, func(m *Memory) { m.Tags = []string{"db"} })
	if err := s.Embed(ctx, renamed{NoteModel()}); err != nil {
		t.Fatal(err)
	}
	if got := near(b); len(got) != 1 || got[0].ID != a {
		t.Errorf("after a change of tags: %v", got)
	}
	change(a, func(m *Memory) { m.Content = "Apples are stored in the cellar" })
	link()
	if got := near(b); len(got) != 0 {
		t.Errorf("after a change of the text: %v", got)
	}
	change(a, func(m *Memory) { m.Content = "The connection pool holds 8 connections in production" })
	link()
	if got := near(b); len(got) != 1 {
		t.Errorf("after the change back: %v", got)
	}
	if _, err := s.Forget(ctx, a); err != nil {
		t.Fatal(err)
	}
	if got := near(b); len(got) != 0 {
		t.Errorf("a forgotten one: %v", got)
	}
	if _, err := s.Purge(ctx, a); err != nil {
		t.Fatal(err)
	}
	var n int
	if err := s.db.QueryRow(`SELECT count(*) FROM similar`).Scan(&n); err != nil || n != 0 {
		t.Errorf("%d links of a purged memory, %v", n, err)
	}
}
