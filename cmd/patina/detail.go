package main

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"patina/actors"
	"patina/cmd/internal/deliver"
	"patina/querylog"
)

// showDetail shows one whole document, by its rank in an earlier answer or by its doc_id.
func (s *scrying) showDetail(ctx context.Context, args []string) error {
	docID := s.detail
	next := func(page int) string { return s.dialect().Describe(docID, page) }
	if querylog.IsID(s.detail) {
		rank, err := rankOf(args)
		if err != nil {
			return err
		}
		if docID, err = s.recall(s.detail, rank); err != nil {
			return err
		}
		next = func(page int) string { return deliver.CLI{}.Detail(s.detail, rank, page) }
	} else if len(args) > 0 {
		return hint(fmt.Errorf("unexpected %q after a doc_id", args[0]), "want --detail QUERY_ID RANK, or --detail DOC_ID")
	}
	return s.asking(ctx, func(e actors.Service) error {
		d, err := s.find(ctx, e, docID, true)
		if err != nil {
			return s.notFound(ctx, e, err, "document", docID,
				`the doc_ids are in the answers: patina scry --json QUESTION`, `if the file is new or has changed: patina scrape`)
		}
		docID = d.DocID
		doc := deliver.Document{Description: d.Description, Body: d.Body, Diff: d.Diff, Note: d.Note, Next: next}
		if s.asJSON {
			return deliver.DetailJSON(s.out, doc)
		}
		return deliver.Detail(s.out, doc, s.page, s.options(false))
	})
}

func rankOf(args []string) (int, error) {
	usage := "want --detail QUERY_ID RANK, such as --detail q_260202143000_abc 1"
	if len(args) != 1 {
		return 0, hint(errors.New("no rank after the query id"), usage)
	}
	rank, err := strconv.Atoi(args[0])
	if err != nil || rank < 1 {
		return 0, hint(fmt.Errorf("rank %q is no number from 1", args[0]), usage)
	}
	return rank, nil
}

// recall finds a document in an earlier answer, and switches to the answer's project.
func (s *scrying) recall(id string, rank int) (docID string, err error) {
	q, err := querylog.In(s.place.Home).Find(id)
	if err != nil {
		return "", hint(err, "ask again, or show a document by its id: patina scry --detail DOC_ID")
	}
	if rank > len(q.Results) {
		return "", hint(fmt.Errorf("query %s has %s", id, plural(len(q.Results), "result")), asking("it was: ", q.Text))
	}
	if q.Store != s.place.Store { // printed calls must name it
		s.store = q.Store
	}
	s.place = s.place.Of(q.Root, q.Store)
	if r := q.Results[rank-1]; r.Shown != "" {
		return r.Shown, nil
	} else {
		return r.DocID, nil
	}
}
