package cli

import (
	"fmt"
	"io"
	"time"

	"patina/scrape"
)

// redraw is the least time between two lines of progress.
const redraw = 100 * time.Millisecond

// A meter draws a scrape's progress on one terminal line. It must not be used concurrently.
type meter struct {
	w       io.Writer
	now     func() time.Time
	started time.Time
	drawn   time.Time
	files   scrape.Progress
	commits int
}

func NewMeter(w io.Writer, now func() time.Time) *meter {
	return &meter{w: w, now: now, started: now()}
}

func (m *meter) Show(p scrape.Progress) {
	switch p.Stage {
	case "files":
		m.files = p
	case "history":
		m.commits = p.Done
	}
	now := m.now()
	if p.Stage != "publish" && (p.Stage != "meaning" || p.Total > 0) && now.Sub(m.drawn) < redraw {
		return
	}
	m.drawn = now
	fmt.Fprintf(m.w, "\r\x1b[K%s", m.progressText(p, now.Sub(m.started)))
}

// progressText returns the line: count, rate and time left. The time left covers only the files.
// Commits are not counted ahead.
func (m *meter) progressText(p scrape.Progress, since time.Duration) string {
	switch {
	case p.Stage == "publish":
		return "publishing the index"
	case p.Stage == "meaning" && p.Total == 0:
		return "fitting the model to the project"
	case p.Stage == "graph":
		return fmt.Sprintf("published; graph of the vectors %d/%d", p.Done, p.Total)
	case p.Stage == "meaning":
		return fmt.Sprintf("vectors %d/%d", p.Done, p.Total)
	}
	s := fmt.Sprintf("files %d", m.files.Done)
	if p.Basis {
		s = "main working tree first: " + s
	}
	if m.files.Total > 0 {
		s += fmt.Sprintf("/%d", m.files.Total)
	}
	if rate := float64(m.files.Done) / since.Seconds(); rate > 0 && since > 0 {
		s += fmt.Sprintf("  %.0f/s", rate)
		if rest := m.files.Total - m.files.Done; rest > 0 {
			s += fmt.Sprintf("  %s left", time.Duration(float64(rest)/rate*float64(time.Second)).Round(time.Second))
		}
	}
	if m.commits > 0 {
		s += fmt.Sprintf("  commits %d", m.commits)
	}
	return s
}

func (m *meter) clear() { fmt.Fprint(m.w, "\r\x1b[K") }

// A bar draws the progress of a long check. It begins after one second.
type bar struct {
	w       io.Writer
	now     func() time.Time
	started time.Time
	drawn   time.Time
}

func NewBar(w io.Writer, now func() time.Time) *bar { return &bar{w: w, now: now, started: now()} }

func (b *bar) Show(what string, done, total int) {
	now := b.now()
	if now.Sub(b.started) < time.Second || now.Sub(b.drawn) < redraw {
		return
	}
	b.drawn = now
	fmt.Fprintf(b.w, "\r\x1b[K%s %d/%d", what, done, total)
}

// Clear removes the line, if there is one.
func (b *bar) Clear() {
	if !b.drawn.IsZero() {
		fmt.Fprint(b.w, "\r\x1b[K")
	}
}
