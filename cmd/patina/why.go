package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"patina/actors"
	"patina/cmd/internal/deliver"
	"patina/fusion"
	"patina/oracles"
	"patina/store"
	"patina/store/lookup"
)

// How many files are listed beside a document; of commits it is --limit.
const (
	whyNeighbours = 5
	maxNeighbours = 50
	whyWords      = 6 // pairs of words that explain a meaning
)

// why explains a document, or its rank for a question. It is done only if there is such a document: "why do we use
// sqlite" is a question.
func (s *scrying) why(ctx context.Context, docID, question string) (done bool, err error) {
	within := time.Duration(0)
	if question != "" {
		within = s.settings.Timeout
	}
	err = s.withEngine(ctx, within, func(e *actors.Engine) error {
		d, _, err := e.Detail(ctx, "", docID)
		if errors.Is(err, lookup.ErrNoDocument) {
			if likeDocID(docID) {
				s.warn("no document %q in the index: asked as a question", docID)
			}
			return nil
		}
		done = true
		if err != nil {
			return err
		}
		if question != "" {
			return s.explainRank(ctx, e, docID, question)
		}
		return s.explainDocument(ctx, d)
	})
	return done, err
}

// likeDocID tells whether a word was meant to name a document: a path in a folder, a symbol of a file, or a commit.
func likeDocID(word string) bool {
	return !strings.ContainsAny(word, " \t\n") && (strings.Contains(word, "/") || strings.Contains(word, "::") || store.KindOf(word) == store.Commit)
}

// explainRank prints the arithmetic of one result.
func (s *scrying) explainRank(ctx context.Context, e *actors.Engine, docID, question string) error {
	r, err := s.request(question)
	if err != nil {
		return err
	}
	x, err := e.Why(ctx, r, docID)
	if err != nil {
		return err
	}
	s.explain = true
	o := s.options(false)
	closest, err := s.closest(ctx, e, question, x)
	if err != nil {
		return err
	}
	if s.asJSON {
		return deliver.WhyJSON(s.out, x, closest, o)
	}
	return deliver.Why(s.out, docID, x, closest, o)
}

// closest are the words of the explained document that lie nearest to those of the question, where the semantic channel found it.
func (s *scrying) closest(ctx context.Context, e *actors.Engine, question string, x *actors.Explanation) (out []deliver.WordPair, err error) {
	for _, r := range x.Results {
		if !slices.ContainsFunc(r.Contributions, func(c fusion.Contribution) bool { return c.Channel == "semantic" }) {
			continue
		}
		d, body, err := e.Detail(ctx, r.Key.Project, r.Shown)
		if err != nil {
			return nil, err
		}
		err = s.withReader(ctx, func(reader *store.Reader) error {
			pairs, err := oracles.NewSemantic().Closest(ctx, reader, question, store.Passage{Path: d.Path, Doc: d.Title, Body: body}, whyWords)
			for _, p := range pairs {
				out = append(out, deliver.WordPair{Question: p.Question, Passage: p.Passage, Cosine: float64(p.Cosine)})
			}
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}

// explainDocument lists the commits that made a document and the files that change with it.
func (s *scrying) explainDocument(ctx context.Context, d store.Description) error {
	older := 0
	if d.Path != "" {
		links, commits, err := s.links(ctx, d.Path, whyNeighbours, s.settings.Limit)
		if err != nil {
			return err
		}
		d.Links, older = links, max(0, commits-s.settings.Limit)
	}
	if s.asJSON {
		return deliver.DetailJSON(s.out, deliver.Document{Description: d})
	}
	return deliver.Links(s.out, d, older, "no commit is known to have touched it", s.options(false))
}

// showNeighbours lists the files that change together with one.
func (s *scrying) showNeighbours(ctx context.Context, args []string) error {
	if len(args) > 0 {
		return hint(fmt.Errorf("unexpected %q beside --file", args[0]), "want --file PATH alone")
	}
	return s.withEngine(ctx, 0, func(e *actors.Engine) error {
		path, d, err := s.described(ctx, e, s.file)
		if err != nil {
			return noFile(err, s.file)
		}
		links, _, err := s.links(ctx, path, min(s.settings.Limit, maxNeighbours), 0)
		if err != nil {
			return err
		}
		d.Links = links
		if s.asJSON {
			err = deliver.DetailJSON(s.out, deliver.Document{Description: d})
		} else {
			err = deliver.Links(s.out, d, 0, "no file is known to change together with it", s.options(false))
		}
		if err == nil && len(links) == 0 {
			return exit(exitNothing)
		}
		return err
	})
}

// described finds a file by its path from the root, or from the working folder.
func (s *scrying) described(ctx context.Context, e *actors.Engine, name string) (string, store.Description, error) {
	paths := []string{filepath.ToSlash(filepath.Clean(name))}
	if dir, err := os.Getwd(); err == nil {
		full := name
		if !filepath.IsAbs(name) {
			full = filepath.Join(dir, name)
		}
		if rel, err := filepath.Rel(s.place.Root, full); err == nil && !strings.HasPrefix(rel, "..") {
			paths = append(paths, filepath.ToSlash(rel))
		}
	}
	var d store.Description
	var err error
	for _, path := range paths {
		if d, _, err = e.Detail(ctx, "", path); err == nil {
			return path, d, nil
		}
	}
	return "", d, err
}

func noFile(err error, name string) error {
	if !errors.Is(err, lookup.ErrNoDocument) {
		return err
	}
	return hint(fmt.Errorf("no file %q in the index", name), "paths are relative to the root of the project", "if the file is new: patina scrape")
}

// links asks the store what changed together with a path, and which commits touched it, of which there may be more. A path that no commit
// knows has none.
func (s *scrying) links(ctx context.Context, path string, neighbours, newest int) (out []store.Link, commits int, err error) {
	err = s.withReader(ctx, func(r *store.Reader) error {
		if out, commits, err = lookup.Touching(ctx, r, path, newest); err != nil {
			return err
		}
		together, err := lookup.CoChanged(ctx, r, path, neighbours)
		if err != nil && !errors.Is(err, lookup.ErrNoDocument) {
			return err
		}
		out = append(out, together...)
		return nil
	})
	return out, commits, err
}
