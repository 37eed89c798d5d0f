package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"patina/memory/recall"
)

// A history is what one user and an assistant said in many sessions, and the notes that were taken
// of them.
type history struct {
	Name     string
	Sessions []historySession // in the order of time
}

// A historySession has questions that earlier sessions answer.
type historySession struct {
	ID    string
	At    time.Time
	Turns []recall.Item
	Notes []string
	Asked []historyQuestion
}

// A historyQuestion has the earlier sessions and the notes that answer it. Neither is empty.
type historyQuestion struct {
	Text     string
	Sessions []string // ids
	Notes    []string
}

type realMemTurn struct {
	Speaker string            `json:"speaker"`
	Content string            `json:"content"`
	Query   bool              `json:"is_query"`
	Used    []json.RawMessage `json:"memory_used"`
}

type realMemNote struct {
	Session string `json:"session_uuid"`
	Content string `json:"content"`
}

// loadRealMem reads the files of RealMem in a folder. It returns an error if there is none.
func loadRealMem(path string) (out []history, err error) {
	files, err := filepath.Glob(filepath.Join(path, "*.json"))
	if err != nil {
		return nil, err
	}
	for _, f := range files {
		b, err := os.ReadFile(f)
		if err != nil {
			return nil, err
		}
		h, err := parseRealMem(b)
		if err != nil {
			return nil, fmt.Errorf("read history %q: %w", f, err)
		}
		h.Name = strings.TrimSuffix(filepath.Base(f), ".json")
		out = append(out, h)
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("no histories in %q", path)
	}
	return out, nil
}

// parseRealMem reads one history. Questions are the user's messages marked as such. What answers
// them is what the assistant used next, as far as earlier sessions have it.
func parseRealMem(b []byte) (h history, err error) {
	var file struct {
		Sessions []struct {
			ID    string          `json:"session_uuid"`
			Time  string          `json:"current_time"`
			Turns []realMemTurn   `json:"dialogue_turns"`
			Notes json.RawMessage `json:"extracted_memory"`
		} `json:"dialogues"`
	}
	if err := json.Unmarshal(b, &file); err != nil {
		return h, err
	}
	earlier := map[string]bool{}
	taken := map[string]bool{}
	for _, s := range file.Sessions {
		day, _, _ := strings.Cut(s.Time, " ")
		at, _ := time.Parse(time.DateOnly, day)
		session := historySession{ID: s.ID, At: at}
		for i, t := range s.Turns {
			session.Turns = append(session.Turns, recall.Item{Text: t.Content, Speaker: t.Speaker, Session: s.ID, At: at})
			if !t.Query || i+1 == len(s.Turns) {
				continue
			}
			q := historyQuestion{Text: t.Content}
			for _, raw := range s.Turns[i+1].Used {
				var n realMemNote
				if json.Unmarshal(raw, &n) != nil { // some are not of this form
					continue
				}
				if earlier[n.Session] && !slices.Contains(q.Sessions, n.Session) {
					q.Sessions = append(q.Sessions, n.Session)
				}
				if taken[n.Content] && !slices.Contains(q.Notes, n.Content) {
					q.Notes = append(q.Notes, n.Content)
				}
			}
			if len(q.Sessions) > 0 && len(q.Notes) > 0 {
				session.Asked = append(session.Asked, q)
			}
		}
		var notes []json.RawMessage
		_ = json.Unmarshal(s.Notes, &notes)
		for _, raw := range notes {
			var n realMemNote
			if json.Unmarshal(raw, &n) == nil && n.Content != "" && !taken[n.Content] {
				taken[n.Content] = true
				session.Notes = append(session.Notes, n.Content)
			}
		}
		earlier[s.ID] = true
		h.Sessions = append(h.Sessions, session)
	}
	return h, nil
}
