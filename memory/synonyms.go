package memory

import (
	"context"
	"encoding/json"
	"slices"

	"patina/memory/recall"
)

// Bounds of the memories that are searched for definitions of a question's abbreviations.
const (
	maxDefining = 20  // memories with an abbreviation; a more frequent word is no abbreviation
	maxSearched = 100 // memories in all
)

// termsOf returns the words of a question with the forms that mean the same in these memories, and
// in the caller's definitions.
func (s *Store) termsOf(ctx context.Context, q Query) ([]recall.Term, error) {
	if q.Scoring.Published() {
		return recall.Terms(q.Text, nil), nil
	}
	own, err := s.definitions(ctx, q.Text)
	return recall.Terms(q.Text, slices.Concat(own, q.Defined)), err
}

// definitions returns the definitions of a question's abbreviations in current memories, such as
// "write-ahead log (WAL)". An acronym of three letters or more needs no definition if the question
// has its words.
func (s *Store) definitions(ctx context.Context, question string) (out []recall.Definition, err error) {
	words, phrases := recall.Abbreviations(question)
	if len(words) == 0 {
		return nil, nil
	}
	known, err := s.knownWords(ctx, words)
	if err != nil {
		return nil, err
	}
	var keys []int64
	phrasesOf := map[int64][]string{}
	for _, w := range known {
		found, err := s.keysOfWord(ctx, w, 0)
		if err != nil {
			return nil, err
		}
		if len(found) > maxDefining || len(keys)+len(found) > maxSearched {
			continue
		}
		for _, k := range found {
			if phrases[w] != "" {
				phrasesOf[k] = append(phrasesOf[k], phrases[w])
			}
		}
		keys = append(keys, found...)
	}
	if len(keys) == 0 {
		return nil, nil
	}
	rows, err := s.db.QueryContext(ctx, `SELECT key, content FROM memory
		WHERE key IN (SELECT value FROM json_each(?)) AND valid_to IS NULL`, jsonOf(keys))
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var key int64
		var content string
		if err := rows.Scan(&key, &content); err != nil {
			return nil, err
		}
		out = append(out, recall.Definitions(content)...)
		for _, phrase := range phrasesOf[key] {
			if d, ok := recall.Guess(content, phrase); ok {
				out = append(out, d)
			}
		}
	}
	return out, rows.Err()
}

// knownWords returns those of some words that a memory has.
func (s *Store) knownWords(ctx context.Context, words []string) (known []string, err error) {
	list, err := json.Marshal(words)
	if err != nil {
		return nil, err
	}
	rows, err := s.db.QueryContext(ctx, `SELECT word FROM word WHERE word IN (SELECT value FROM json_each(?))`,
		string(list))
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var w string
		if err := rows.Scan(&w); err != nil {
			return nil, err
		}
		known = append(known, w)
	}
	return known, rows.Err()
}
