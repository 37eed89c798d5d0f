package main

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"patina/memory/recall"
	"patina/memory/transcript"
	"patina/memory/turns"
)

// A recordQuestion is a question about session records, with the places that answer it.
type recordQuestion struct {
	kind, text string
	evidence   []place
}

// measureSessions makes a transcript of each session record: its goals are the user's message, each
// other paragraph is one of the agent's. The questions are made by rule:
//
//   - commit: a paragraph names a commit by its hash. The question is the commit's subject, unless
//     the paragraph has four fifths of its words.
//   - mend: a line says "SYMPTOM, fixed by MEND" or the like. The question is "what fixed SYMPTOM".
//   - decision: a line below "Key Decisions". The question is "why" and the line's beginning, up to
//     its first parenthesis, colon or dash.
//   - title: the question is the record's title. Any turn of the session answers it.
func measureSessions(ctx context.Context, work, folder, log string) error {
	subjects, err := readSubjects(log)
	if err != nil {
		return err
	}
	names, err := filepath.Glob(filepath.Join(folder, "*.md"))
	if err != nil {
		return err
	}
	var sources []turns.Source
	var questions []recordQuestion
	paragraphs := 0
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		session := strings.TrimSuffix(filepath.Base(name), ".md")
		list := transcript.ParseTurns(filepath.Base(name), string(text), time.Time{})
		if len(list) == 0 {
			continue
		}
		paragraphs += len(list)
		messages := make([]spoken, len(list))
		for i, t := range list {
			at := t.At.Add(time.Duration(i) * time.Minute)
			messages[i] = spoken{strings.Contains(t.Block, "Goals"), t.Text, at}
		}
		source, err := writeTranscript(work, session, messages)
		if err != nil {
			return err
		}
		sources = append(sources, source)
		questions = append(questions, questionsOf(session, string(text), list, subjects)...)
	}
	path := filepath.Join(work, "transcripts.db")
	r, err := turns.Ingest(ctx, path, sources, turns.Options{Limit: 1 << 30})
	if err != nil {
		return err
	}
	fmt.Printf("%d sessions, %d paragraphs, %d turns, %d questions\n", len(sources), paragraphs, r.Turns, len(questions))
	tallies := map[string]*tally{}
	for _, q := range questions {
		found, err := turns.Find(ctx, path, turns.Query{Text: q.text, Limit: slices.Max(depths), Floor: recall.Floor})
		if err != nil {
			return err
		}
		if q.kind == "title" {
			found = firstOfEach(found)
		}
		for _, kind := range []string{q.kind, "all"} {
			if tallies[kind] == nil {
				tallies[kind] = new(tally)
			}
			tallies[kind].add(found, q.evidence)
		}
	}
	for _, kind := range slices.Sorted(maps.Keys(tallies)) {
		fmt.Printf("%-10s %v\n", kind, tallies[kind])
	}
	return nil
}

// firstOfEach returns the sessions of some turns as places without a line, each once.
func firstOfEach(found []turns.Found) (out []turns.Found) {
	seen := map[string]bool{}
	for _, f := range found {
		if !seen[f.Session] {
			seen[f.Session] = true
			f.Line = 0
			out = append(out, f)
		}
	}
	return out
}

// readSubjects returns the subjects of commits by the first seven characters of their hashes.
func readSubjects(log string) (map[string]string, error) {
	text, err := os.ReadFile(log)
	if err != nil {
		return nil, err
	}
	subjects := map[string]string{}
	for line := range strings.Lines(string(text)) {
		if hash, subject, ok := strings.Cut(strings.TrimSpace(line), " "); ok && len(hash) >= shortHash {
			subjects[hash[:shortHash]] = subject
		}
	}
	return subjects, nil
}

const shortHash = 7

var (
	titleLine = regexp.MustCompile(`(?m)^# Session: (.+)$`)
	hashWord  = regexp.MustCompile(`\b[0-9a-f]{7,40}\b`)
	mendLine  = regexp.MustCompile(`(?i)^[-*\s\d.]*(.{20,120}?)[\s,:;(–—→>-]+(?:fixed (?:with|by|via|using|in)|solved (?:with|by)|resolved (?:with|by)) .{10,}`)
	decided   = regexp.MustCompile(`^\s*[-*] \**([^(:—–*]{20,120}?)\**\s*(?:\(|:|—|–| - |$)`)
)

// questionsOf returns the questions about one record.
func questionsOf(session, text string, list []transcript.Turn, subjects map[string]string) (out []recordQuestion) {
	if m := titleLine.FindStringSubmatch(text); m != nil && len(recall.Question(m[1])) >= 3 {
		out = append(out, recordQuestion{"title", m[1], []place{{session, 0}}})
	}
	decisions := false
	asked := map[string][]place{}
	for i, t := range list {
		here := place{session, i + 1}
		for _, hash := range hashWord.FindAllString(t.Text, -1) {
			if subject := subjects[hash[:shortHash]]; subject != "" && !covers(t.Text, subject) {
				asked["commit "+subject] = append(asked["commit "+subject], here)
			}
		}
		for line := range strings.Lines(t.Text) {
			line = strings.TrimRight(line, "\n")
			if m := mendLine.FindStringSubmatch(line); m != nil {
				asked["mend what fixed "+m[1]] = append(asked["mend what fixed "+m[1]], here)
			}
			isHead := strings.HasPrefix(line, "**") || strings.HasPrefix(line, "#")
			if isHead {
				decisions = strings.Contains(strings.ToLower(line), "key decisions")
			}
			if m := decided.FindStringSubmatch(line); m != nil && decisions {
				asked["decision why "+m[1]] = append(asked["decision why "+m[1]], here)
			}
		}
	}
	for _, q := range slices.Sorted(maps.Keys(asked)) {
		kind, text, _ := strings.Cut(q, " ")
		if len(recall.Question(text)) >= 3 {
			out = append(out, recordQuestion{kind, text, slices.Compact(asked[q])})
		}
	}
	return out
}

// covers reports whether a text has four fifths of a question's words.
func covers(text, question string) bool {
	words, n := recall.Words(text), 0
	asked := recall.Question(question)
	for _, w := range asked {
		if slices.Contains(words, w) {
			n++
		}
	}
	return 5*n >= 4*len(asked)
}
