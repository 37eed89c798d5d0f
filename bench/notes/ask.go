package main

import (
	"context"
	"fmt"
	"slices"
	"time"

	"patina/bench/eval"
	"patina/memory"
	"patina/memory/recall"
	"patina/oracles/embed"
	"patina/store/doc"
)

// depth is the number of sessions or notes among which the right ones must be.
const depth = 10

// measureRealMem asks each message of a user that earlier sessions answer, and prints which share
// of the sessions and of the notes that were used is among ten. Later sessions are not there yet.
// Then it asks all notes the messages of the next user, and absurd questions, and prints how many
// find nothing.
func measureRealMem(ctx context.Context, folder string, absurd []string) error {
	list, err := loadRealMem(folder)
	if err != nil {
		return err
	}
	sessions := []column{
		{name: "words"}, {name: "hybrid"}, {name: "BM25 of whole sessions"}, {name: "hybrid, above the floor of turns"},
	}
	unsaid := []column{{name: "hybrid, above the floor of turns"}}
	notes := notesColumns()
	other, none := notesColumns(), notesColumns()
	for i, h := range list {
		askSessions(h, sessions, messagesOf(list[(i+1)%len(list)]), &unsaid[0])
		err := withNotes(ctx, func(s *memory.Store) error {
			if err := askNotes(ctx, s, h, notes); err != nil {
				return err
			}
			at := h.Sessions[len(h.Sessions)-1].At
			if err := askInVain(ctx, s, messagesOf(list[(i+1)%len(list)]), at, other); err != nil {
				return err
			}
			return askInVain(ctx, s, absurd, at, none)
		})
		if err != nil {
			return err
		}
		fmt.Printf("%s: %d sessions\n", h.Name, len(h.Sessions))
	}
	printColumns("sessions, R@10", sessions)
	printColumns("messages of another user that find no turn", unsaid)
	printColumns("notes, R@10", notes)
	printColumns("messages of another user that find no note", other)
	if len(absurd) > 0 {
		printColumns("absurd questions that find no note", none)
	}
	return nil
}

func notesColumns() []column { return []column{{name: "words"}, {name: "hybrid"}, {name: "BM25"}} }

// messagesOf returns the questions of a history.
func messagesOf(h history) (out []string) {
	for _, s := range h.Sessions {
		for _, q := range s.Asked {
			out = append(out, q.Text)
		}
	}
	return out
}

// askInVain asks what the notes do not answer, and adds 1 for each question that finds none.
func askInVain(ctx context.Context, s *memory.Store, questions []string, at time.Time, columns []column) error {
	for _, q := range questions {
		for i, ask := range systems() {
			ask.Text, ask.Filter = q, memory.Filter{Limit: depth, AsOf: at.Add(24 * time.Hour)}
			found, err := s.Recall(ctx, ask)
			if err != nil {
				return err
			}
			refused := 0.0
			if len(found) == 0 {
				refused = 1
			}
			columns[i].values = append(columns[i].values, refused)
		}
	}
	return nil
}

// systems returns a query of each column of notes.
func systems() []memory.Query {
	return []memory.Query{
		{Scoring: recall.Measured},
		{Scoring: recall.Measured, Model: doc.Batched(embed.Base())},
		{Scoring: recall.SpecificationWords},
	}
}

// askSessions ranks the turns of earlier sessions. A session stands where its best turn does. Then
// it asks all turns in vain, and adds 1 to unsaid for each question that finds none.
func askSessions(h history, columns []column, inVain []string, unsaid *column) {
	var turns, whole []recall.Item
	var vectors [][]int8
	for _, s := range h.Sessions {
		if len(s.Asked) > 0 {
			index, each := recall.NewIndex(turns), recall.NewIndex(whole)
			for _, q := range s.Asked {
				cosines := recall.Cosines(embed.Base(), q.Text, vectors)
				add := func(i int, found []string) {
					columns[i].values = append(columns[i].values, eval.ShareOf(found, q.Sessions))
				}
				add(0, sessionsOf(turns, index.Rank(q.Text, nil, recall.Measured)))
				ranked := index.Rank(q.Text, cosines, recall.Measured)
				add(1, sessionsOf(turns, ranked))
				add(3, sessionsOf(turns, recall.Above(recall.AnswerFloor, ranked)))
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
	index := recall.NewIndex(turns)
	for _, q := range inVain {
		refused := 0.0
		if len(recall.Above(recall.AnswerFloor, index.Rank(q, recall.Cosines(embed.Base(), q, vectors), recall.Measured))) == 0 {
			refused = 1
		}
		unsaid.values = append(unsaid.values, refused)
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
			for i, ask := range systems() {
				ask.Text, ask.Filter = q.Text, memory.Filter{Limit: depth, AsOf: session.At.Add(24 * time.Hour)}
				found, err := s.Recall(ctx, ask)
				if err != nil {
					return err
				}
				var texts []string
				for _, f := range found {
					texts = append(texts, f.Content)
				}
				columns[i].values = append(columns[i].values, eval.ShareOf(texts, q.Notes))
			}
		}
		if err := addNotes(ctx, s, session.At, session.Notes); err != nil {
			return err
		}
	}
	return nil
}
