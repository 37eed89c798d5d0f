package embedders_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"patina/actors/api"
	"patina/ask/embedders"
	"patina/ask/project"
	"patina/ask/visit"
	"patina/memory"
	"patina/oracles/transformer"
	"patina/oracles/transformer/graphtest"
	"patina/registry/models"
	"patina/scrape"
	"patina/store/doc"
)

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// addModel writes a model, and adds it to the catalog of a home.
func addModel(t *testing.T, home, name string, seed uint64) models.Model {
	t.Helper()
	dir := filepath.Join(t.TempDir(), name)
	check(t, os.Mkdir(dir, 0o700))
	c := graphtest.Tiny
	c.Seed = seed
	graphtest.WriteModel(t, dir, c, strings.Fields("boil heats water kettle pour tea cold cup descale lime note guide the a of")...)
	d, err := transformer.Describe(transformer.Options{Dir: dir, MaxTokens: graphtest.Tiny.Positions})
	check(t, err)
	m := models.Model{
		Name: name, Dir: d.Dir, Graph: d.Graph, Runtime: graphtest.Library(t), ID: d.ID, Stamp: d.Stamp,
		Pooling: string(d.Pooling), Dimension: d.Dimension, MaxTokens: d.MaxTokens, Bytes: d.Bytes, Added: time.Now(),
	}
	check(t, models.Add(home, m))
	return m
}

// newPlace writes a small project and scrapes it.
func newPlace(t *testing.T, name string) project.Place {
	t.Helper()
	root := filepath.Join(t.TempDir(), name)
	check(t, os.MkdirAll(root, 0o700))
	write(t, root, "boil.go", "package tea\n\n// Boil heats water of "+name+".\nfunc Boil() {}\n")
	write(t, root, "GUIDE.md", "# Guide\n\n## Kettle\n\nDescale the kettle of "+name+".\n")
	p, err := project.At(root, "")
	check(t, err)
	return scraped(t, p)
}

func write(t *testing.T, root, name, content string) {
	t.Helper()
	check(t, os.WriteFile(filepath.Join(root, name), []byte(content), 0o600))
}

func scraped(t *testing.T, p project.Place) project.Place {
	t.Helper()
	_, err := project.Scrape(t.Context(), p, scrape.Options{}, func(err error) { t.Error(err) })
	check(t, err)
	return p.Of(p.Root, p.Store)
}

// embedProject makes the missing vectors, and returns how many texts were missing and embedded.
func embedProject(t *testing.T, p project.Place) (texts, embedded int) {
	t.Helper()
	all, err := project.EmbedChosen(t.Context(), p, nil)
	check(t, err)
	for _, e := range all {
		check(t, e.Err)
		texts, embedded = texts+e.Texts, embedded+e.Embedded
	}
	return texts, embedded
}

// ask asks at a place and at others, and returns what the channels of meaning and of notes say.
func ask(t *testing.T, home project.Place, question string, others ...project.Place) (details []string, a *api.Answer) {
	t.Helper()
	e, err := project.Open(t.Context(), home, 0)
	check(t, err)
	defer func() { check(t, e.Close(context.Background())) }()
	r := api.Request{Text: question, Timeout: time.Minute}
	to := visit.Route{}
	for _, o := range others {
		to.Visits = append(to.Visits, visit.Visit{Place: o, Name: o.Name, Weight: 1})
	}
	r, _, err = visit.Widen(t.Context(), home, e, nil, r, to)
	check(t, err)
	a, err = e.Scry(t.Context(), r)
	check(t, err)
	for _, c := range a.Channels {
		if c.Detail != "" && c.Channel != "temporal" { // there is no history
			details = append(details, c.Channel+": "+c.Detail)
		}
	}
	return details, a
}

// A chosen model answers once its vectors are made: not before, and not for what has changed since.
// Home and a foreign project with the same model embed a question once, with two models each its
// own.
func TestChosenModelsAnswer(t *testing.T) {
	home := t.TempDir()
	t.Setenv("PATINA_HOME", home)
	n := embedders.Process().Counting()
	tea, coffee := newPlace(t, "tea"), newPlace(t, "coffee")
	if details, _ := ask(t, tea, "heats water", coffee); len(details) != 0 || n.Opened.Load() != 0 {
		t.Fatalf("without a choice: %q, %d models", details, n.Opened.Load())
	}
	small := addModel(t, home, "small", 1)
	check(t, models.Choose(home, "", small.Name, []string{"documents", "code"}))
	details, _ := ask(t, tea, "heats water")
	if len(details) != 1 || !strings.Contains(details[0], "not all texts are embedded yet") || n.Opened.Load() != 0 {
		t.Errorf("before the first vectors: %q, %d models", details, n.Opened.Load())
	}
	for _, p := range []project.Place{tea, coffee} {
		if texts, embedded := embedProject(t, p); texts < 3 || embedded != texts {
			t.Errorf("%d of %d texts", embedded, texts)
		}
		if texts, _ := embedProject(t, p); texts != 0 {
			t.Errorf("%d texts again", texts)
		}
	}
	details, a := ask(t, tea, "heats water", coffee)
	if len(details) != 0 || n.Questions.Load() != 1 || n.Opened.Load() != 1 || len(a.Results) == 0 {
		t.Errorf("two projects, one model: %q, %d embeddings by %d models", details, n.Questions.Load(), n.Opened.Load())
	}

	other := addModel(t, home, "other", 2)
	check(t, models.Choose(home, coffee.ID, other.Name, []string{"documents", "code"}))
	details, _ = ask(t, tea, "heats water in a cup", coffee)
	if len(details) != 1 || !strings.Contains(details[0], "not all texts are embedded yet") || n.Questions.Load() != 2 {
		t.Errorf("another model without vectors: %q, %d embeddings", details, n.Questions.Load())
	}
	embedProject(t, coffee)
	details, _ = ask(t, tea, "pours water into a cup", coffee)
	if len(details) != 0 || n.Questions.Load() != 4 || n.Opened.Load() != 2 {
		t.Errorf("two models: %q, %d embeddings by %d models", details, n.Questions.Load(), n.Opened.Load())
	}

	write(t, tea.Root, "pour.go", "package tea\n\n// Pour pours tea into a cup.\nfunc Pour() {}\n")
	tea = scraped(t, tea)
	details, _ = ask(t, tea, "pours tea")
	if len(details) != 1 || !strings.Contains(details[0], "code by the built-in vectors") {
		t.Errorf("after a change: %q", details)
	}
	if texts, embedded := embedProject(t, tea); embedded == 0 || embedded > texts {
		t.Errorf("%d of %d texts after a change", embedded, texts)
	}
	if details, _ = ask(t, tea, "pours tea"); len(details) != 0 {
		t.Errorf("after the change: %q", details)
	}

	check(t, os.Rename(small.Dir, small.Dir+".away"))
	lost := embedders.NewPool(func(m models.Model) (embedders.Embedder, error) {
		return nil, fmt.Errorf("%s is gone", m.Dir)
	})
	chosen, err := lost.Chosen(home, tea.ID)
	check(t, err)
	if _, err := chosen[doc.Code].EmbedQuestion(t.Context(), nil); err == nil || !strings.Contains(err.Error(), "is gone") {
		t.Error(err)
	}
}

// Notes are compared by the chosen model, on the scale of the built-in one. A model that fails is
// said, and the notes are found by their words.
func TestNotesByAChosenModel(t *testing.T) {
	home := t.TempDir()
	t.Setenv("PATINA_HOME", home)
	p := newPlace(t, "tea")
	file := memory.File(home, p.ID)
	s, err := memory.Open(t.Context(), file)
	check(t, err)
	for _, text := range []string{"Descale the kettle with lime.", "The cup is cold.", "A guide of the tea."} {
		_, err := s.Add(t.Context(), memory.Memory{Content: text}, false)
		check(t, err)
	}
	check(t, s.Close())
	m := addModel(t, home, "notes", 3)
	check(t, models.Choose(home, "", m.Name, []string{"notes"}))
	recall := func(question string) (found []memory.Found, warned string) {
		t.Helper()
		check(t, project.WithNotesModel(t.Context(), p, func(format string, args ...any) { warned = fmt.Sprintf(format, args...) },
			func(model doc.BatchEmbedder) (err error) {
				found, err = memory.Ask(t.Context(), file, memory.Query{Text: question, Model: model})
				return err
			}))
		return found, warned
	}
	found, warned := recall("Descale the kettle with lime.")
	if len(found) == 0 || found[0].Content != "Descale the kettle with lime." || warned != "" {
		t.Errorf("%+v, %q", found, warned)
	}
	chosen, err := project.NotesModel(t.Context(), p)
	check(t, err)
	u, err := chosen.(memory.Calibrated).Unrelated(t.Context())
	if err != nil || u <= -1 || u >= 1 {
		t.Errorf("%v, %v", u, err)
	}
	if _, err := os.Stat(filepath.Join(home, "models-unrelated.json")); err != nil {
		t.Error(err)
	}
	if details, _ := ask(t, p, "descale the kettle with lime"); len(details) != 0 {
		t.Errorf("%q", details)
	}

	gone := addModel(t, home, "gone", 4)
	check(t, os.Remove(filepath.Join(gone.Dir, gone.Graph)))
	check(t, models.Choose(home, "", gone.Name, []string{"notes"}))
	found, warned = recall("descale the kettle")
	if len(found) == 0 || !strings.Contains(warned, "by their words alone") || !strings.Contains(warned, "open model gone") {
		t.Errorf("%+v, %q", found, warned)
	}
	details, _ := ask(t, p, "descale the kettle with lime")
	if len(details) != 1 || !strings.Contains(details[0], "by words alone") {
		t.Errorf("%q", details)
	}
}

// What was embedded before an interruption is not embedded again.
func TestInterruptedVectorsAreKept(t *testing.T) {
	home := t.TempDir()
	t.Setenv("PATINA_HOME", home)
	n := embedders.Process().Counting()
	p := newPlace(t, "tea")
	for i := range 600 {
		write(t, p.Root, fmt.Sprintf("f%d.go", i), fmt.Sprintf("package tea\n\n// Cup%d is cold.\nfunc Cup%d() {}\n", i, i))
	}
	p = scraped(t, p)
	m := addModel(t, home, "small", 6)
	check(t, models.Choose(home, "", m.Name, []string{"code"}))
	ctx, cancel := context.WithCancel(t.Context())
	whole := 0
	all, err := project.EmbedChosen(ctx, p, func(_ string, done, total int) {
		whole = total
		if done > total/2 {
			cancel()
		}
	})
	first := n.Passages.Load()
	if !errors.Is(err, context.Canceled) || len(all) != 1 || first < 512 {
		t.Fatalf("%+v, %d texts, %v", all, first, err)
	}
	texts, _ := embedProject(t, p)
	const scale = 300 // texts that the scale of the model may need
	if n := n.Passages.Load(); texts == 0 || n > int64(whole+scale) {
		t.Errorf("%d texts of %d, %d before the interruption and %d in all", texts, whole, first, n)
	}
	if texts, _ := embedProject(t, p); texts != 0 {
		t.Errorf("%d texts are still missing", texts)
	}
}
