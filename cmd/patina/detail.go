package main

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"patina/actors"
	"patina/cmd/internal/cli"
	"patina/cmd/internal/deliver"
	"patina/querylog"
)

// showDetail shows what --detail names: a result of an earlier answer, or a document.
func (s *scrying) showDetail(ctx context.Context, args []string) error {
	if !querylog.IsID(s.detail) {
		if _, err := strconv.Atoi(strings.Join(args, " ")); err == nil {
			return cli.Hint(fmt.Errorf("%q is no query id", s.detail), "a query id stands at the beginning of each answer, such as q_260202143000_abc", "or show a document by its id: "+s.either("patina scry --detail DOC_ID", `scry(mode="detail", doc_id=…)`))
		}
		if len(args) > 0 {
			return cli.Hint(fmt.Errorf("unexpected %q after a doc_id", args[0]), "want --detail QUERY_ID RANK, or --detail DOC_ID")
		}
		return s.showDocument(ctx, s.detail, nil)
	}
	rank, err := rankOf(args)
	if err != nil {
		return err
	}
	return s.showResult(ctx, s.detail, rank)
}

// showResult shows a result of an earlier answer whole.
func (s *scrying) showResult(ctx context.Context, queryID string, rank int) error {
	docID, err := s.recall(ctx, queryID, rank)
	if err != nil {
		return err
	}
	return s.showDocument(ctx, docID, func(page int) string { return s.dialect().Detail(queryID, rank, page) })
}

// showDocument shows one document whole. next spells the call for another page; nil: by its doc_id.
func (s *scrying) showDocument(ctx context.Context, typed string, next func(page int) string) error {
	return s.asking(ctx, func(e actors.Service) error {
		d, err := s.find(ctx, e, typed, true)
		if err != nil {
			return s.notFound(ctx, e, err, "document", typed,
				s.either("the doc_ids are in the answers: patina scry --json QUESTION", "the doc_ids are in the answers"),
				"if the file is new or has changed: patina scrape")
		}
		s.sent.DocID = d.DocID
		if next == nil {
			next = func(page int) string { return s.dialect().Describe(d.DocID, page) }
		}
		doc := deliver.Document{Description: d.Description, Body: d.Body, Diff: d.Diff, Note: d.Note, Next: next}
		if s.asJSON {
			return deliver.DetailJSON(s.Out, doc)
		}
		return deliver.Detail(s.Out, doc, s.page, s.options(false))
	})
}

func rankOf(args []string) (int, error) {
	usage := "want --detail QUERY_ID RANK, such as --detail q_260202143000_abc 1"
	if len(args) != 1 {
		return 0, cli.Hint(errors.New("no rank after the query id"), usage)
	}
	rank, err := strconv.Atoi(args[0])
	if err != nil || rank < 1 {
		return 0, cli.Hint(fmt.Errorf("rank %q is no number from 1", args[0]), usage)
	}
	return rank, nil
}

// recall finds a document in an earlier answer, and switches to the answer's project.
func (s *scrying) recall(ctx context.Context, id string, rank int) (docID string, err error) {
	unknown := func(err error) error {
		return cli.Hint(err, "ask again, or show a document by its id: "+s.either("patina scry --detail DOC_ID", `scry(mode="detail", doc_id=…)`))
	}
	q, err := querylog.In(s.place.Home).Find(id)
	if err != nil {
		return "", unknown(err)
	}
	if rank > len(q.Results) {
		return "", cli.Hint(fmt.Errorf("query %s has %s", id, cli.Plural(len(q.Results), "result")), s.asked("it was: ", q.Text))
	}
	other := q.Results[rank-1].Root != ""
	if other {
		q.Root, q.Store = q.Results[rank-1].Root, q.Results[rank-1].Store
	}
	if s.tool != nil && !s.tool.admits(ctx, q.Root) {
		return "", unknown(fmt.Errorf("find query %q: %w", id, querylog.ErrUnknown))
	}
	s.opened(ctx, q, rank)
	s.moveTo(q)
	if other {
		if s.guests, err = s.shared(s.place); err != nil {
			return "", err
		}
	}
	if r := q.Results[rank-1]; r.Shown != "" {
		return r.Shown, nil
	} else {
		return r.DocID, nil
	}
}

// moveTo goes to the project of an earlier answer.
func (s *scrying) moveTo(q querylog.Query) {
	if q.Store != s.place.Store { // printed calls must name it
		s.Store = q.Store
		if s.tool != nil {
			s.tool.silent = true
		}
	}
	s.place = s.place.Of(q.Root, q.Store)
}
