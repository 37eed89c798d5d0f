package verify

import (
	"context"
	"database/sql"
	"errors"
	"path"
	"strings"

	"patina/belief"
	"patina/store"
	"patina/store/markdown"
)

// A pattern is a document of a layer, described by its front matter.
type pattern struct {
	id, title, layer, status, created, tags, purpose, path, milestone string
	milestones                                                        []milestone
}

// A milestone is an outcome that a specification promises for a version.
type milestone struct{ version, name, status string }

// isPattern reports whether a path is a document in layer/, other than a belief or a session.
func isPattern(p string) bool {
	rest, ok := strings.CutPrefix(p, "layer/")
	return ok && strings.HasSuffix(rest, ".md") && !strings.HasPrefix(rest, "sessions/") &&
		!strings.Contains(rest, "beliefs/")
}

// eachPattern calls f with the layer's documents.
func (s *source) eachPattern(ctx context.Context, f func(pattern) error) error {
	files, err := s.Reader.Files(ctx, s.snapshot)
	if err != nil {
		return err
	}
	for _, x := range files {
		if !isPattern(x.Path) {
			continue
		}
		text, err := s.Reader.Text(ctx, x.Key)
		if errors.Is(err, sql.ErrNoRows) {
			continue
		}
		if err != nil {
			return store.Damaged(err)
		}
		if err := f(patternOf(x.Path, text)); err != nil {
			return err
		}
	}
	return nil
}

// patternOf reads a document. Without front matter, its id is its file's stem and its layer the
// folder below layer/.
func patternOf(file, text string) pattern {
	layer, _, _ := strings.Cut(strings.TrimPrefix(file, "layer/"), "/")
	p := pattern{id: strings.TrimSuffix(path.Base(file), ".md"), layer: layer, path: file}
	front, body, _ := markdown.SplitFrontMatter(text)
	entries, _ := front.Entries()
	p.readFront(entries)
	for line := range strings.Lines(body) {
		line = strings.TrimSpace(line)
		if title, ok := strings.CutPrefix(line, "# "); ok && p.title == "" {
			p.title = belief.Clip(strings.TrimSpace(title))
		}
		if purpose, ok := strings.CutPrefix(line, "**Purpose:**"); ok && p.purpose == "" {
			p.purpose = belief.Clip(strings.TrimSpace(purpose))
		}
	}
	if p.title == "" {
		p.title = p.id
	}
	return p
}

// maxMilestones bounds the milestones of one document.
const maxMilestones = 500

// readFront reads the top-level values, and the list of milestones.
func (p *pattern) readFront(entries []markdown.Entry) {
	for _, e := range entries {
		p.setField(e.Key, strings.Join(e.Texts(), ", "))
	}
	list, _ := markdown.Lookup(entries, "milestones")
	for _, item := range list.Members[:min(len(list.Members), maxMilestones)] {
		var m milestone
		for _, e := range item.Entries {
			m.setField(e.Key, belief.Clip(e.Text))
		}
		p.milestones = append(p.milestones, m)
	}
}

func (p *pattern) setField(key, value string) {
	to := map[string]*string{
		"id": &p.id, "layer": &p.layer, "status": &p.status, "created": &p.created,
		"tags": &p.tags, "title": &p.title, "current_milestone": &p.milestone,
	}[key]
	if to != nil && value != "" {
		*to = belief.Clip(value)
	}
}

func (m *milestone) setField(key, value string) {
	switch key {
	case "version":
		m.version = value
	case "name":
		m.name = value
	case "status":
		m.status = value
	}
}

func addPatterns(ctx context.Context, s *source, row func(...any) error) error {
	return s.eachPattern(ctx, func(p pattern) error {
		return row(p.id, p.title, p.layer, p.status, p.created, p.tags, p.purpose, p.path, p.milestone)
	})
}

func addMilestones(ctx context.Context, s *source, row func(...any) error) error {
	return s.eachPattern(ctx, func(p pattern) error {
		for _, m := range p.milestones {
			if err := row(p.id, m.version, m.name, m.status); err != nil {
				return err
			}
		}
		return nil
	})
}
