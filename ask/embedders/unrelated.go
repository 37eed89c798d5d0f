package embedders

import (
	"context"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"slices"

	"patina/internal/safeio"
	"patina/memory"
	"patina/registry"
	"patina/store/doc"
	"patina/store/vector"
)

var _ memory.Calibrated = (*shared)(nil)

// unrelatedNotes are notes on different subjects. All pairs of them are measured once for each
// model, so there are enough for a quantile.
var unrelatedNotes = []string{
	"The pool size is eight connections in production.",
	"Run the linter before every commit.",
	"Invoices are rounded to cents, half to even.",
	"The login page must work without cookies.",
	"Backups are taken at two in the morning.",
	"Use tabs for indentation in Go files.",
	"The search index is rebuilt after an upgrade.",
	"Images are scaled down to a thumbnail of 200 pixels.",
	"Customers may cancel an order within fourteen days.",
	"The parser gives up after a hundred nested brackets.",
	"Write table tests where there are more than two cases.",
	"Audio is sampled at 48 kilohertz.",
	"The staging cluster has three nodes in Frankfurt.",
	"Names of branches begin with the number of the ticket.",
	"Passwords are hashed with argon2id.",
	"The chart shows the last thirty days.",
	"A retry waits twice as long as the one before.",
	"Translations come from the marketing team on Fridays.",
	"The robot arm stops when the light barrier is broken.",
	"Time zones are stored as names, never as offsets.",
	"The compiler warns about unused variables.",
	"Coffee is paid from the budget of the second floor.",
	"Messages are deleted from the queue once they are acknowledged.",
	"Fonts are embedded into the document on export.",
	"The license header belongs into every source file.",
	"Temperature readings below absolute zero are dropped.",
	"The mobile application supports the last two versions of Android.",
	"Large uploads are split into parts of five megabytes.",
	"Alice knows the payment gateway best.",
	"Keyboard shortcuts must be documented in the help.",
	"The cache is invalidated when a translation changes.",
	"Migrations are written by hand and reviewed by two people.",
	"Matrices are stored by columns.",
	"The newsletter goes out on the first Monday of a month.",
	"An empty list is encoded as null by the old client.",
	"Deploys are frozen in the last week of December.",
	"The game loop runs at sixty frames a second.",
	"Street names are matched without accents.",
	"Logs are kept for ninety days and then removed.",
	"The printer driver needs the legacy protocol.",
}

// unrelatedShare is the share of pairs of unrelated notes whose cosine is at most that of
// Unrelated.
const unrelatedShare = .99

// Unrelated implements memory.Calibrated. It measures a model once, and keeps the figure in the
// user's home, where it may be deleted.
func (s *shared) Unrelated(ctx context.Context) (float64, error) {
	s.pool.mu.Lock()
	known, ok := s.pool.unrelated[s.model.ID]
	s.pool.mu.Unlock()
	if ok {
		return known, nil
	}
	all := s.readUnrelated()
	u, ok := all[s.model.ID]
	if !ok {
		var err error
		if u, err = s.measureUnrelated(ctx); err != nil {
			return 0, err
		}
		all[s.model.ID] = u
		s.writeUnrelated(all)
	}
	s.pool.mu.Lock()
	defer s.pool.mu.Unlock()
	s.pool.unrelated[s.model.ID] = u
	return u, nil
}

func (s *shared) measureUnrelated(ctx context.Context) (float64, error) {
	passages := make([]doc.Passage, len(unrelatedNotes))
	for i, n := range unrelatedNotes {
		passages[i] = doc.Passage{Body: n}
	}
	dim := s.Dimension()
	rows := make([]int8, dim*len(passages))
	if err := s.EmbedPassages(ctx, rows, passages); err != nil {
		return 0, err
	}
	var cosines []float64
	dots := make([]int32, len(passages))
	for i := range passages {
		vector.Dots(dots[:i], rows[:i*dim], rows[i*dim:(i+1)*dim])
		for _, d := range dots[:i] {
			cosines = append(cosines, float64(d)/(doc.VectorScale*doc.VectorScale))
		}
	}
	slices.Sort(cosines)
	return cosines[int(unrelatedShare*float64(len(cosines)))], nil
}

// unrelatedFile has the figures by the ids of models. It is derived.
func unrelatedFile(home string) string { return filepath.Join(home, "models-unrelated.json") }

// maxUnrelated bounds the file, in bytes.
const maxUnrelated = 1 << 20

// readUnrelated returns the figures that were kept. Figures that are no cosines are left out.
func (s *shared) readUnrelated() map[string]float64 {
	all := map[string]float64{}
	if s.home == "" {
		return all
	}
	content, err := safeio.ReadFile(unrelatedFile(s.home), maxUnrelated)
	if err != nil || json.Unmarshal(content, &all) != nil {
		return map[string]float64{}
	}
	for id, u := range all {
		if math.IsNaN(u) || u < -1 || u > 1 {
			delete(all, id)
		}
	}
	return all
}

// writeUnrelated keeps the figures. Where it cannot, the next process measures again.
func (s *shared) writeUnrelated(all map[string]float64) {
	if s.home == "" {
		return
	}
	content, err := json.Marshal(all)
	if err != nil {
		return
	}
	f, err := os.CreateTemp(s.home, ".models-unrelated.json.*")
	if err != nil {
		return
	}
	_, err = f.Write(content)
	if closed := f.Close(); err == nil && closed == nil {
		registry.GiveToOwner(s.home, f.Name())
		if os.Rename(f.Name(), unrelatedFile(s.home)) == nil {
			return
		}
	}
	_ = os.Remove(f.Name())
}
