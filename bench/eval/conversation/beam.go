package conversation

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"patina/internal/lazyregexp"
	"patina/memory/recall"
)

// core lists the categories of BEAM whose answers are in a few turns. The others ask for an order
// or a summary of many turns, or about conduct.
var core = []string{
	"information_extraction", "knowledge_update", "multi_session_reasoning", "temporal_reasoning",
	"contradiction_resolution",
}

// LoadBEAM reads chats in the form of BEAM: all folders below path with a chat.json and a
// probing_questions/probing_questions.json.
func LoadBEAM(path string) ([]Conversation, error) {
	files, err := filesIn(path, "probing_questions.json")
	if err != nil {
		return nil, err
	}
	var out []Conversation
	for _, f := range files {
		dir := filepath.Dir(filepath.Dir(f))
		chat, err := readFile(filepath.Join(dir, "chat.json"))
		if err != nil {
			return nil, err
		}
		questions, err := readFile(f)
		if err != nil {
			return nil, err
		}
		c, err := ParseBEAM(chat, questions)
		if err != nil {
			return nil, fmt.Errorf("read chat %q: %w", dir, err)
		}
		c.Name = filepath.Base(filepath.Dir(dir)) + "-" + filepath.Base(dir)
		out = append(out, c)
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("no chats in %q", path)
	}
	return out, nil
}

// mark matches the remark that the makers of BEAM left at the end of a user's turn.
var mark = lazyregexp.New(`\s*->->.*$`)

// ParseBEAM reads a chat and its questions, both in JSON.
func ParseBEAM(chat, questions []byte) (c Conversation, err error) {
	var batches []struct {
		Number int `json:"batch_number"`
		Turns  [][]struct {
			Role    string `json:"role"`
			ID      int    `json:"id"`
			Anchor  string `json:"time_anchor"`
			Content string `json:"content"`
		} `json:"turns"`
	}
	if err := json.Unmarshal(chat, &batches); err != nil {
		return c, err
	}
	places := map[int]int{}
	for _, b := range batches {
		var at time.Time
		for _, exchange := range b.Turns {
			for _, t := range exchange {
				if day, err := time.Parse("January-02-2006", t.Anchor); err == nil {
					at = day
				}
				places[t.ID] = len(c.Turns)
				c.Turns = append(c.Turns, recall.Item{
					Text: mark().ReplaceAllString(t.Content, ""), Speaker: t.Role,
					Session: fmt.Sprint("batch ", b.Number), At: at,
				})
			}
		}
	}
	c.Questions, err = beamQuestions(questions, places)
	return c, err
}

func beamQuestions(b []byte, places map[int]int) (out []Question, err error) {
	var byCategory map[string][]struct {
		Question string          `json:"question"`
		Answer   json.RawMessage `json:"answer"`
		Sources  json.RawMessage `json:"source_chat_ids"` // a list, or an object with lists
	}
	if err := json.Unmarshal(b, &byCategory); err != nil {
		return nil, err
	}
	for category, list := range byCategory {
		for _, q := range list {
			var evidence []int
			for _, id := range number().FindAllString(string(q.Sources), -1) {
				var n int
				_ = json.Unmarshal([]byte(id), &n)
				if p, ok := places[n]; ok && !slices.Contains(evidence, p) {
					evidence = append(evidence, p)
				}
			}
			answer := strings.Trim(string(q.Answer), `"`)
			out = append(out, Question{Text: q.Question, Answer: answer, Category: category, Evidence: evidence})
		}
	}
	slices.SortFunc(out, func(a, b Question) int { return strings.Compare(a.Category+a.Text, b.Category+b.Text) })
	return out, nil
}

// number matches an id, but not the digits in the name of a field.
var number = lazyregexp.New(`\b[0-9]+\b`)
