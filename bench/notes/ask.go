package main

import (
	"context"
	"fmt"
	"slices"
	"time"

	"patina/memory"
	"patina/memory/recall"
	"patina/oracles/embed"
	"patina/store/doc"
)

// depth is the number of sessions or notes among which the right ones must be.
const depth = 10

// measureRealMem asks each message of a user that earlier sessions answer, and prints which share
// of the sessions and of the notes that were used is among ten. Later sessions are not there yet.
func measureRealMem(ctx context.Context, folder string) error {
	list, err := loadRealMem(folder)
	if err != nil {
		return err
	}
	sessions := []column{{name: "words"}, {name: "hybrid"}, {name: "BM25 of whole sessions"}}
	notes := []column{{name: "words"}, {name: "hybrid"}, {name: "BM25"}}
	for _, h := range list {
		askSessions(h, sessions)
		err := withNotes(ctx, func(s *memory.Store) error { return askNotes(ctx, s, h, notes) })
		if err != nil {
			return err
		}
		fmt.Printf("%s: %d sessions\n", h.Name, len(h.Sessions))
	}
	printColumns("sessions, R@10", sessions)
	printColumns("notes, R@10", notes)
	return nil
}

// askSessions ranks the turns of earlier sessions. A session stands where its best turn does.
func askSessions(h history, columns []column) {
	var turns, whole []recall.Item
	var vectors [][]int8
	for _, s := range h.Sessions {
		if len(s.Asked) > 0 {
			index, each := recall.NewIndex(turns), recall.NewIndex(whole)
			for _, q := range s.Asked {
				cosines := recall.Cosines(embed.Base(), q.Text, vectors)
				add := func(i int, found []string) { columns[i].values = append(columns[i].values, shareOf(found, q.Sessions)) }
				add(0, sessionsOf(turns, index.Rank(q.Text, nil, recall.Measured)))
				add(1, sessionsOf(turns, index.Rank(q.Text, cosines, recall.Measured)))
				add(2, sessionsOf(whole, each.Rank(q.Text, nil, recall.Specification)))
			}
		}
		text := ""
		for _, t := range s.Turns {
			text += t.Text + "\n"
		}
		turns, whole = append(turns, s.Turns...), append(whole, recall.Item{Text: text, Session: s.ID})
		vectors = append(vectors, recall.Vectors(embed.Base(), s.Turns)...)
	}
}

// sessionsOf returns the sessions of ranked items, each once, at most ten.
func sessionsOf(items []recall.Item, ranked []recall.Ranked) (out []string) {
	for _, r := range ranked {
		if s := items[r.Item].Session; !slices.Contains(out, s) && len(out) < depth {
			out = append(out, s)
		}
	}
	return out
}

// shareOf returns the share of the wanted ones that were found.
func shareOf(found, wanted []string) float64 {
	n := 0
	for _, w := range wanted {
		if slices.Contains(found, w) {
			n++
		}
	}
	return float64(n) / float64(len(wanted))
}

// askNotes writes notes session by session, and asks in between.
func askNotes(ctx context.Context, s *memory.Store, h history, columns []column) error {
	model := doc.Batched(embed.Base())
	for _, session := range h.Sessions {
		if len(session.Asked) > 0 {
			if err := s.Embed(ctx, model); err != nil {
				return err
			}
		}
		for _, q := range session.Asked {
			for i, ask := range []memory.Query{
				{Scoring: recall.Measured}, {Scoring: recall.Measured, Model: model}, {Scoring: recall.SpecificationWords},
			} {
				ask.Text, ask.Filter = q.Text, memory.Filter{Limit: depth, AsOf: session.At.Add(24 * time.Hour)}
				found, err := s.Recall(ctx, ask)
				if err != nil {
					return err
				}
				var texts []string
				for _, f := range found {
					texts = append(texts, f.Content)
				}
				columns[i].values = append(columns[i].values, shareOf(texts, q.Notes))
			}
		}
		if err := addNotes(ctx, s, session.At, session.Notes); err != nil {
			return err
		}
	}
	return nil
}
