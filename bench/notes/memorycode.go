package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"patina/memory"
	"patina/memory/recall"
	"patina/oracles/embed"
	"patina/store/doc"
)

// A dialogue has the rules that a mentor gave, session by session.
type dialogue struct {
	// Instructions and Fillers number the subjects of each session's rules, in their order: pairs
	// of a subject and a version, and one number. -1 stands for none.
	Instructions [][]json.RawMessage `json:"instructions"`
	Fillers      []json.RawMessage   `json:"fillers"`
	Sessions     []taught            `json:"sessions"`
}

// A taught is what the mentor said in one session.
type taught struct {
	Types  []string `json:"type"`
	Topics []string `json:"topic"`
}

// A rule has the number of its subject.
type rule struct{ subject, text string }

// rules returns the rules of a session. What is no rule is left out.
func (t taught) rules(instructions []json.RawMessage, filler json.RawMessage) (out []rule) {
	next := 0
	for i, text := range t.Topics[:min(len(t.Topics), len(t.Types))] {
		switch {
		case strings.HasPrefix(t.Types[i], "filler-instruction"):
			out = append(out, rule{"filler " + string(filler), text})
		case strings.HasPrefix(t.Types[i], "instruction") && next < len(instructions):
			var pair []int
			if json.Unmarshal(instructions[next], &pair) == nil && len(pair) == 2 {
				out = append(out, rule{fmt.Sprint("instruction ", pair[0]), text})
			}
			next++
		}
	}
	return out
}

// A subject is what several rules of a dialogue are about.
type subject struct {
	name  string
	rules []string // oldest first
	ask   string   // the words that all rules have
}

// measureMemoryCode writes the rules of each dialogue as notes, a session a day, and asks about
// each subject on which there are several rules. The question is the words that they share. The
// newest must come before the others.
func measureMemoryCode(ctx context.Context, folder string) error {
	files, err := filepath.Glob(filepath.Join(folder, "*.json"))
	if err != nil {
		return err
	}
	if len(files) == 0 {
		return fmt.Errorf("no dialogues in %q", folder)
	}
	first := []column{{name: "words"}, {name: "hybrid"}}
	before := []column{{name: "words"}, {name: "hybrid"}}
	for _, f := range files {
		var d dialogue
		b, err := os.ReadFile(f)
		if err == nil {
			err = json.Unmarshal(b, &d)
		}
		if err != nil {
			return fmt.Errorf("read dialogue %q: %w", f, err)
		}
		err = withNotes(ctx, func(s *memory.Store) error { return askDialogue(ctx, s, d, first, before) })
		if err != nil {
			return fmt.Errorf("dialogue %q: %w", f, err)
		}
	}
	printColumns("the newest rule is first", first)
	printColumns("the newest rule is before the older ones", before)
	return nil
}

func askDialogue(ctx context.Context, s *memory.Store, d dialogue, first, before []column) error {
	if n := len(d.Sessions); len(d.Instructions) < n || len(d.Fillers) < n {
		return fmt.Errorf("a dialogue has %d sessions, but instructions of %d and fillers of %d", n, len(d.Instructions), len(d.Fillers))
	}
	at := time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)
	var subjects []subject
	for i, session := range d.Sessions {
		at = at.Add(24 * time.Hour)
		rules := session.rules(d.Instructions[i], d.Fillers[i])
		var texts []string
		for _, r := range rules {
			texts = append(texts, r.text)
			if at := slices.IndexFunc(subjects, func(x subject) bool { return x.name == r.subject }); at >= 0 {
				subjects[at].add(r.text)
			} else {
				subjects = append(subjects, subject{name: r.subject, rules: []string{r.text}, ask: r.text})
			}
		}
		if err := addNotes(ctx, s, at, texts); err != nil {
			return err
		}
	}
	model := doc.Batched(embed.Base())
	if err := s.Embed(ctx, model); err != nil {
		return err
	}
	for _, x := range subjects {
		if len(x.rules) < 2 || len(recall.Question(x.ask)) == 0 {
			continue
		}
		for i, m := range []doc.BatchEmbedder{nil, model} {
			found, err := s.Recall(ctx, memory.Query{
				Text: x.ask, Scoring: recall.Measured, Model: m,
				Filter: memory.Filter{Limit: 50, AsOf: at.Add(24 * time.Hour)},
			})
			if err != nil {
				return err
			}
			newest := x.rules[len(x.rules)-1]
			leads, wins := 0.0, 0.0
			if len(found) > 0 && found[0].Content == newest {
				leads = 1
			}
			for _, f := range found {
				if f.Content == newest {
					wins = 1
				}
				if slices.Contains(x.rules, f.Content) {
					break
				}
			}
			first[i].values, before[i].values = append(first[i].values, leads), append(before[i].values, wins)
		}
	}
	return nil
}

// add adds a newer rule.
func (x *subject) add(rule string) {
	x.rules = append(x.rules, rule)
	x.ask = sharedWords(x.ask, rule)
}

// sharedWords returns the words of a that b has, too.
func sharedWords(a, b string) string {
	have := strings.Fields(b)
	return strings.Join(slices.DeleteFunc(strings.Fields(a), func(w string) bool { return !slices.Contains(have, w) }), " ")
}
