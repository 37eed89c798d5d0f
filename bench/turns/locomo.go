package main

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"time"

	"patina/bench/eval/conversation"
	"patina/memory/recall"
	"patina/memory/turns"
)

// measureLoCoMo makes a transcript of each session of each conversation, ingests those of a
// conversation into a database of its own, and asks its questions. The first speaker is the user.
// A transcript has no names, so each message begins with its speaker's.
func measureLoCoMo(ctx context.Context, work, folder string) error {
	list, err := conversation.Load(folder)
	if err != nil {
		return err
	}
	tallies := map[string]*tally{}
	for _, c := range list {
		path, places, err := ingestConversation(ctx, filepath.Join(work, c.Name), c)
		if err != nil {
			return err
		}
		for _, q := range c.Questions {
			if len(q.Evidence) == 0 {
				continue
			}
			found, err := turns.Find(ctx, path, turns.Query{Text: q.Text, Limit: slices.Max(depths)})
			if err != nil {
				return err
			}
			floored, err := turns.Find(ctx, path, turns.Query{Text: q.Text, Limit: slices.Max(depths), Floor: recall.Floor})
			if err != nil {
				return err
			}
			var evidence []place
			for _, e := range q.Evidence {
				evidence = append(evidence, places[e])
			}
			groups := []string{q.Category, "all"}
			if q.Category != "adversarial" {
				groups = append(groups, "categories 1-4")
			}
			for _, g := range groups {
				for name, list := range map[string][]turns.Found{g: found, g + ", above the floor": floored} {
					if tallies[name] == nil {
						tallies[name] = new(tally)
					}
					tallies[name].add(list, evidence)
				}
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(tallies)) {
		fmt.Printf("%-34s %v\n", name, tallies[name])
	}
	return nil
}

// ingestConversation returns the database of a conversation's turns, and the place of each turn.
func ingestConversation(ctx context.Context, dir string, c conversation.Conversation) (string, []place, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", nil, err
	}
	places := make([]place, len(c.Turns))
	var sources []turns.Source
	for first := 0; first < len(c.Turns); {
		session := c.Turns[first].Session
		var messages []spoken
		end := first
		for ; end < len(c.Turns) && c.Turns[end].Session == session; end++ {
			t := c.Turns[end]
			places[end] = place{session, len(messages) + 1}
			messages = append(messages, spoken{
				t.Speaker == c.Turns[0].Speaker, t.Speaker + ": " + t.Text, t.At.Add(time.Duration(end-first) * time.Second),
			})
		}
		source, err := writeTranscript(dir, session, messages)
		if err != nil {
			return "", nil, err
		}
		sources = append(sources, source)
		first = end
	}
	path := filepath.Join(dir, "transcripts.db")
	r, err := turns.Ingest(ctx, path, sources, turns.Options{Limit: 1 << 30})
	if err == nil && len(r.Faults) > 0 {
		err = r.Faults[0]
	}
	return path, places, err
}
