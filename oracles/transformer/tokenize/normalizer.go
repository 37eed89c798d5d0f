package tokenize

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// normalizer changes a text before it is cut into words.
type normalizer func(string) string

// Bounds of the steps that a file may ask for.
const (
	mostSteps   = 64 // in one sequence
	deepest     = 4  // sequences within each other
	mostContent = 64 // bytes that one step puts in
)

// parseNormalizer returns the steps of a "normalizer" of a tokenizer.json, or nil for null.
func parseNormalizer(raw json.RawMessage, depth int) (normalizer, error) {
	kind, err := kindOf(raw, "normalizer")
	if err != nil || kind == "" {
		return nil, err
	}
	switch kind {
	case "Sequence":
		return parseNormalizers(raw, depth)
	case "BertNormalizer":
		var o bertOptions
		if err := decodeStrictly(raw, &o); err != nil {
			return nil, err
		}
		return o.normalizer(), nil
	case "NFC", "NFD", "NFKC", "NFKD", "Nmt", "Lowercase", "StripAccents", "ByteLevel":
		var o struct{ Type string }
		if err := decodeStrictly(raw, &o); err != nil {
			return nil, err
		}
		return plainNormalizers[kind], nil
	case "Strip":
		var o struct {
			Type       string
			StripLeft  bool `json:"strip_left"`
			StripRight bool `json:"strip_right"`
		}
		if err := decodeStrictly(raw, &o); err != nil {
			return nil, err
		}
		return stripNormalizer(o.StripLeft, o.StripRight), nil
	case "Prepend":
		var o struct{ Type, Prepend string }
		if err := decodeStrictly(raw, &o); err != nil {
			return nil, err
		}
		return prependNormalizer(o.Prepend)
	case "Replace":
		return parseReplace(raw)
	case "Precompiled":
		return parsePrecompiled(raw)
	}
	return nil, fmt.Errorf("the normalizer %.64q is not known", kind)
}

// parseSteps parses the steps of a Sequence, and leaves out those that change nothing. The error
// calls them by name if they are too many.
func parseSteps[S ~func(T) T, T any](
	list []json.RawMessage, depth int, name string, parse func(raw json.RawMessage, depth int) (S, error),
) (steps []S, err error) {
	if depth >= deepest || len(list) > mostSteps {
		return nil, fmt.Errorf("too many %s", name)
	}
	for _, raw := range list {
		step, err := parse(raw, depth+1)
		if err != nil {
			return nil, err
		}
		if step != nil {
			steps = append(steps, step)
		}
	}
	return steps, nil
}

func parseNormalizers(raw json.RawMessage, depth int) (normalizer, error) {
	var o struct {
		Type        string
		Normalizers []json.RawMessage
	}
	if err := decodeStrictly(raw, &o); err != nil {
		return nil, err
	}
	steps, err := parseSteps(o.Normalizers, depth, "normalizers", parseNormalizer)
	if err != nil {
		return nil, err
	}
	return func(s string) string {
		for _, step := range steps {
			s = cutText(step(s), mostText)
		}
		return s
	}, nil
}

// plainNormalizers are those without options.
var plainNormalizers = map[string]normalizer{
	"NFC":  norm.NFC.String,
	"NFD":  norm.NFD.String,
	"NFKC": norm.NFKC.String,
	"NFKD": norm.NFKD.String,
	"Nmt":  func(s string) string { return strings.Map(nmt, s) },

	"Lowercase":    lower,
	"StripAccents": func(s string) string { return dropRunes(s, unicode.M) },
	"ByteLevel":    byteLevel,
}

// lower is the lower case of each character by itself. Unlike strings.ToLower it keeps the dot of
// U+0130, as the library does that files are made for.
func lower(s string) string {
	if strings.ContainsRune(s, 'İ') {
		s = strings.ReplaceAll(s, "İ", "i\u0307")
	}
	return strings.ToLower(s)
}

// dropRunes removes the characters of a table.
func dropRunes(s string, table *unicode.RangeTable) string {
	return strings.Map(func(r rune) rune {
		if r >= utf8.RuneSelf && unicode.Is(table, r) {
			return -1
		}
		return r
	}, s)
}

// nmt drops control characters and turns everything that counts as a space into one, as
// SentencePiece does for machine translation.
func nmt(r rune) rune {
	switch {
	case r >= 0x1 && r <= 0x8, r == 0xB, r >= 0xE && r <= 0x1F, r == 0x7F, r == 0x8F, r == 0x9F:
		return -1
	case r == '\t', r == '\n', r == '\f', r == '\r', r == 0x1680, r >= 0x200B && r <= 0x200F,
		r == 0x2028, r == 0x2029, r == 0x2581, r == 0xFEFF, r == 0xFFFD:
		return ' '
	}
	return r
}

func stripNormalizer(left, right bool) normalizer {
	return func(s string) string {
		if left {
			s = strings.TrimLeftFunc(s, unicode.IsSpace)
		}
		if right {
			s = strings.TrimRightFunc(s, unicode.IsSpace)
		}
		return s
	}
}

func prependNormalizer(prefix string) (normalizer, error) {
	if len(prefix) > mostContent {
		return nil, fmt.Errorf("the normalizer \"Prepend\" puts in more than %d bytes", mostContent)
	}
	return func(s string) string {
		if s == "" {
			return ""
		}
		return prefix + s
	}, nil
}

// parseReplace returns the normalizer "Replace".
func parseReplace(raw json.RawMessage) (normalizer, error) {
	var o struct {
		Type    string
		Pattern pattern
		Content string
	}
	if err := decodeStrictly(raw, &o); err != nil {
		return nil, err
	}
	if len(o.Content) > mostContent {
		return nil, fmt.Errorf("the normalizer \"Replace\" puts in more than %d bytes", mostContent)
	}
	find, err := o.Pattern.matcher()
	if err != nil {
		return nil, err
	}
	return func(s string) string {
		var b strings.Builder
		done := 0
		for from, to := range find(s) {
			b.WriteString(s[done:from])
			b.WriteString(o.Content)
			if done = to; b.Len() > mostText {
				return b.String()
			}
		}
		if done == 0 && b.Len() == 0 {
			return s
		}
		b.WriteString(s[done:])
		return b.String()
	}, nil
}
