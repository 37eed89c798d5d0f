package tokenize

import (
	"encoding/json"
	"errors"
	"strconv"
	"strings"
)

// A scanner reads the long lists of a tokenizer.json, which package json would take most of the
// time for. Its text is JSON that package json has found valid.
type scanner struct {
	text string
	at   int
}

// errShape means that a list of a file is not of the form that is known.
var errShape = errors.New("a list of the model is not of the form that is known")

func newScanner(data []byte) *scanner {
	return &scanner{text: strings.ToValidUTF8(string(data), "\uFFFD")}
}

// peek returns the next byte that is no space, or 0 at the end.
func (s *scanner) peek() byte {
	for ; s.at < len(s.text); s.at++ {
		if c := s.text[s.at]; c != ' ' && c != '\t' && c != '\n' && c != '\r' {
			return c
		}
	}
	return 0
}

// takeByte moves behind a byte if it is the next one.
func (s *scanner) takeByte(c byte) bool {
	if s.peek() != c {
		return false
	}
	s.at++
	return true
}

// items calls read for each item of a list or of an object, between open and end.
func (s *scanner) items(open, end byte, read func() error) error {
	if !s.takeByte(open) {
		return errShape
	}
	if s.takeByte(end) {
		return nil
	}
	for {
		if err := read(); err != nil {
			return err
		}
		if s.takeByte(end) {
			return nil
		}
		if !s.takeByte(',') {
			return errShape
		}
	}
}

// string reads a string.
func (s *scanner) string() (string, error) {
	if !s.takeByte('"') {
		return "", errShape
	}
	from := s.at
	length := strings.IndexAny(s.text[from:], `"\`)
	if length < 0 {
		return "", errShape
	}
	if s.text[from+length] == '"' {
		s.at += length + 1
		return s.text[from : from+length], nil
	}
	for s.at += length; s.at < len(s.text) && s.text[s.at] != '"'; s.at++ {
		if s.text[s.at] == '\\' {
			s.at++
		}
	}
	if s.at >= len(s.text) {
		return "", errShape
	}
	s.at++
	var text string
	err := json.Unmarshal([]byte(s.text[from-1:s.at]), &text)
	return text, err
}

// number returns the text of a number.
func (s *scanner) number() string {
	s.peek()
	from := s.at
	for s.at < len(s.text) && strings.IndexByte("+-.0123456789eE", s.text[s.at]) >= 0 {
		s.at++
	}
	return s.text[from:s.at]
}

// vocabulary holds tokens with their ids. Of equal tokens the last one counts.
type vocabulary struct {
	tokens []string
	ids    []int32
}

// UnmarshalJSON reads an object of tokens and ids.
func (v *vocabulary) UnmarshalJSON(data []byte) error {
	s := newScanner(data)
	return s.items('{', '}', func() error {
		token, err := s.string()
		if err != nil {
			return err
		}
		if !s.takeByte(':') {
			return errShape
		}
		id, err := strconv.ParseInt(s.number(), 10, 32)
		if err != nil {
			return err
		}
		v.tokens, v.ids = append(v.tokens, token), append(v.ids, int32(id))
		return nil
	})
}

// scoredPieces holds the pieces of a vocabulary with their scores. Their places are their ids.
type scoredPieces struct {
	pieces []string
	scores []float64
}

// UnmarshalJSON reads a list of pairs: ["piece", -1.5].
func (p *scoredPieces) UnmarshalJSON(data []byte) error {
	s := newScanner(data)
	return s.items('[', ']', func() error {
		if !s.takeByte('[') {
			return errShape
		}
		piece, err := s.string()
		if err != nil {
			return err
		}
		if !s.takeByte(',') {
			return errShape
		}
		score, err := strconv.ParseFloat(s.number(), 64)
		if err != nil {
			return err
		}
		if !s.takeByte(']') {
			return errShape
		}
		p.pieces, p.scores = append(p.pieces, piece), append(p.scores, score)
		return nil
	})
}

// mergeList holds pairs of tokens.
type mergeList struct{ left, right []string }

// UnmarshalJSON reads a list of pairs: "a b", or ["a", "b"].
func (m *mergeList) UnmarshalJSON(data []byte) error {
	s := newScanner(data)
	return s.items('[', ']', func() error {
		isList := s.takeByte('[')
		left, err := s.string()
		if err != nil {
			return err
		}
		var right string
		if isList {
			if !s.takeByte(',') {
				return errShape
			}
			if right, err = s.string(); err != nil {
				return err
			}
			if !s.takeByte(']') {
				return errShape
			}
		} else {
			var ok bool
			if left, right, ok = strings.Cut(left, " "); !ok || strings.Contains(right, " ") {
				return errShape
			}
		}
		m.left, m.right = append(m.left, left), append(m.right, right)
		return nil
	})
}
