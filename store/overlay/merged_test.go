package overlay_test

import (
	"context"
	"errors"
	"math"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"patina/actors"
	"patina/actors/api"
	"patina/oracles"
	"patina/store"
	"patina/store/doc"
	"patina/store/overlay"
)

// merged asks all questions of an engine, with models chosen for the project.
func merged(t *testing.T, dir string, of map[doc.Kind]doc.BatchEmbedder) (out []*api.Answer) {
	t.Helper()
	e, err := actors.Open(actors.Options{Projects: []actors.Project{{
		ID: "p", Name: "p", Root: filepath.Dir(dir), StoreDir: dir, Embedders: choose(dir, of).Embedders,
	}}})
	check(t, err)
	defer func() { check(t, e.Close(context.Background())) }()
	for _, q := range questions {
		a, err := e.Scry(context.Background(), api.Request{Text: q, Timeout: time.Hour})
		check(t, err)
		out = append(out, a)
	}
	return out
}

// The merged answer of a model with the built-in vectors is the built-in one. With a large common
// component it is nearly so. A model that is not ready is named once under the answer.
func TestMergedAnswers(t *testing.T) {
	dir := newProject(t)
	want := merged(t, dir, nil)
	for common, tolerance := range map[float64]float64{0: 0, .87: .06} {
		m := ownModel(t, dir, 512, common)
		update(t, dir, m, indexed()...)
		m.asked = 0
		for i, a := range merged(t, dir, forAll(m)) {
			if tolerance == 0 && len(a.Results) != len(want[i].Results) || a.Relevance != want[i].Relevance {
				t.Fatalf("%q: %d results, %s; want %d, %s", questions[i], len(a.Results), a.Relevance, len(want[i].Results), want[i].Relevance)
			}
			for j, r := range want[i].Results[:min(len(a.Results), len(want[i].Results))] {
				x := a.Results[j]
				if (j < 3 || tolerance == 0) && x.DocID != r.DocID || math.Abs(x.Score-r.Score) > tolerance ||
					x.DocID == r.DocID && math.Abs(x.Evidence.Cosine-r.Evidence.Cosine) > tolerance {
					t.Errorf("common %v, %q: %s with %v (%v), want %s with %v (%v)", common, questions[i],
						x.DocID, x.Score, x.Evidence.Cosine, r.DocID, r.Score, r.Evidence.Cosine)
				}
			}
			for _, c := range a.Channels {
				if c.Status == api.Unavailable {
					t.Errorf("%s: %s", c.Channel, c.Detail)
				}
			}
		}
		if m.asked != len(questions) {
			t.Errorf("%d questions were embedded for %d", m.asked, len(questions))
		}
	}
	for _, a := range merged(t, dir, forAll(failing{ownModel(t, dir, 512, 0), errors.New("out of memory")})) {
		said := 0
		for _, c := range a.Channels {
			if strings.Contains(c.Detail, "out of memory") {
				said++
			}
		}
		if said != 1 {
			t.Errorf("%d channels of %+v say it", said, a.Channels)
		}
	}
}

// Documents that go while others are embedded have rows without a text, and those that come are
// embedded as well.
func TestTreeChangesDuringUpdate(t *testing.T) {
	dir := newProject(t)
	manyFiles(t, dir, 300)
	scrapeAgain(t, dir, true)
	m := ownNamed(t, dir, "slow")
	m.entered = make(chan struct{})
	done := make(chan error)
	go func() {
		_, err := overlay.Update(context.Background(), index(dir), m, indexed(), nil)
		done <- err
	}()
	for i := 0; ; i++ {
		select {
		case <-m.entered:
			if i == 2 {
				for n := range 100 {
					writeFile(t, dir, "many/file"+string([]byte{'0' + byte(n/100), '0' + byte(n/10%10), '0' + byte(n%10)})+".go", "package many\n\n// Other.\nvar X = 1\n")
				}
				scrapeAgain(t, dir, false)
			}
			continue
		case err := <-done:
			check(t, err)
		}
		break
	}
	covers(t, dir, m, indexed()...)
	want, _ := answers(t, dir, oracles.NewSemantic(), oracles.Project{StoreDir: dir})
	got, notes := answers(t, dir, oracles.NewSemantic(), choose(dir, forAll(m)))
	for i := range want {
		if notes[i] != nil {
			t.Error(notes[i])
		}
		compareLists(t, questions[i], got[i], want[i], 0)
	}
	m.entered = nil
	if r := update(t, dir, m, indexed()...); r != (overlay.Report{}) {
		t.Errorf("then %+v", r)
	}
}

// What a stranger's folder holds under the names of a model is not used.
func TestForeignVectors(t *testing.T) {
	dir := newProject(t)
	m := ownNamed(t, dir, "m")
	update(t, dir, m, doc.Pattern)
	x := index(dir)
	x.Seal = store.Seal{Secret: "another"}
	if _, err := overlay.Update(context.Background(), x, m, indexed(), nil); !errors.Is(err, store.ErrForeign) {
		t.Errorf("%v", err)
	}
}
