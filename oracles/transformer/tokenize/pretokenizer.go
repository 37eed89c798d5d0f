package tokenize

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// word is a part of a text that the model turns into ids by itself.
type word struct {
	text    string
	atStart bool // the text begins here
}

// preTokenizer cuts words into smaller ones. It may change the slice that it is given.
type preTokenizer func([]word) []word

// parsePreTokenizer returns the steps of a "pre_tokenizer" of a tokenizer.json, or nil for null.
func parsePreTokenizer(raw json.RawMessage, depth int) (preTokenizer, error) {
	kind, err := kindOf(raw, "pre_tokenizer")
	if err != nil || kind == "" {
		return nil, err
	}
	switch kind {
	case "Sequence":
		return parsePreTokenizers(raw, depth)
	case "BertPreTokenizer", "Whitespace", "WhitespaceSplit":
		var o struct{ Type string }
		if err := decodeStrictly(raw, &o); err != nil {
			return nil, err
		}
		switch kind {
		case "BertPreTokenizer":
			return splitBert, nil
		case "Whitespace":
			return splitAt(wordsAndSigns, "Removed", true)
		}
		return splitAt(runesOf(unicode.IsSpace), "Removed", false)
	case "Punctuation":
		o := struct{ Type, Behavior string }{Behavior: "Isolated"}
		if err := decodeStrictly(raw, &o); err != nil {
			return nil, err
		}
		return splitAt(runesOf(isPunctuation), o.Behavior, false)
	case "Digits":
		var o struct {
			Type       string
			Individual bool `json:"individual_digits"`
		}
		if err := decodeStrictly(raw, &o); err != nil {
			return nil, err
		}
		if o.Individual {
			return splitAt(runesOf(isNumber), "Isolated", false)
		}
		return splitAt(runesOf(isNumber), "Contiguous", false)
	case "CharDelimiterSplit":
		var o struct{ Type, Delimiter string }
		if err := decodeStrictly(raw, &o); err != nil {
			return nil, err
		}
		delimiter, n := utf8.DecodeRuneInString(o.Delimiter)
		if n == 0 || n != len(o.Delimiter) {
			return nil, errors.New("the pre-tokenizer \"CharDelimiterSplit\" needs one character")
		}
		return splitAt(runesOf(func(r rune) bool { return r == delimiter }), "Removed", false)
	case "Split":
		var o struct {
			Type, Behavior string
			Pattern        pattern
			Invert         bool
		}
		if err := decodeStrictly(raw, &o); err != nil {
			return nil, err
		}
		find, err := o.Pattern.matcher()
		if err != nil {
			return nil, err
		}
		return splitAt(find, o.Behavior, o.Invert)
	case "ByteLevel":
		return parseByteLevel(raw)
	case "Metaspace":
		return parseMetaspace(raw)
	}
	return nil, fmt.Errorf("the pre-tokenizer %.64q is not known", kind)
}

func parsePreTokenizers(raw json.RawMessage, depth int) (preTokenizer, error) {
	var o struct {
		Type          string
		Pretokenizers []json.RawMessage
	}
	if err := decodeStrictly(raw, &o); err != nil {
		return nil, err
	}
	steps, err := parseSteps(o.Pretokenizers, depth, "pre-tokenizers", parsePreTokenizer)
	if err != nil {
		return nil, err
	}
	return func(words []word) []word {
		for _, step := range steps {
			words = cutWords(step(words), mostSpelled)
		}
		return words
	}, nil
}

// mostSpelled is the number of bytes that the words of a text may have between two steps. Spelled
// as bytes, a text has at most twice its bytes.
const mostSpelled = 4 * mostText

// cutWords returns the first words, with at most n bytes together.
func cutWords(words []word, n int) []word {
	for i := range words {
		if len(words[i].text) > n {
			words[i].text = cutText(words[i].text, n)
			return words[:i+1]
		}
		n -= len(words[i].text)
	}
	return words
}

// parseByteLevel returns the pre-tokenizer "ByteLevel".
func parseByteLevel(raw json.RawMessage) (preTokenizer, error) {
	o := struct {
		Type        string
		PrefixSpace bool `json:"add_prefix_space"`
		TrimOffsets bool `json:"trim_offsets"` // decides no ids
		UseRegex    bool `json:"use_regex"`
	}{UseRegex: true}
	if err := decodeStrictly(raw, &o); err != nil {
		return nil, err
	}
	return func(words []word) []word {
		var out []word
		for _, w := range words {
			if w.text == "" {
				continue
			}
			text := w.text
			if o.PrefixSpace && !strings.HasPrefix(text, " ") {
				text = " " + text
			}
			if !o.UseRegex {
				out = append(out, word{byteLevel(text), w.atStart})
				continue
			}
			for from, to := range (bytePairSplit{}).places(text) {
				out = append(out, word{byteLevel(text[from:to]), w.atStart && from == 0})
			}
		}
		return out
	}, nil
}

// parseMetaspace returns the pre-tokenizer "Metaspace", by which words begin with a sign for the
// space before them.
func parseMetaspace(raw json.RawMessage) (preTokenizer, error) {
	o := struct {
		Type        string
		Replacement string
		StrRep      string `json:"str_rep"` // of old files, the same as Replacement
		PrefixSpace *bool  `json:"add_prefix_space"`
		Scheme      string `json:"prepend_scheme"`
		Split       *bool
	}{Scheme: "always"}
	if err := decodeStrictly(raw, &o); err != nil {
		return nil, err
	}
	if o.PrefixSpace != nil && !*o.PrefixSpace {
		o.Scheme = "never"
	}
	if utf8.RuneCountInString(o.Replacement) != 1 {
		return nil, errors.New("the pre-tokenizer \"Metaspace\" needs one character")
	}
	if o.Scheme != "always" && o.Scheme != "first" && o.Scheme != "never" {
		return nil, fmt.Errorf("the scheme %.64q of the pre-tokenizer \"Metaspace\" is not known", o.Scheme)
	}
	sign := o.Replacement
	return func(words []word) []word {
		var out []word
		for _, w := range words {
			if w.text == "" {
				continue
			}
			text := strings.ReplaceAll(w.text, " ", sign)
			if (o.Scheme == "always" || o.Scheme == "first" && w.atStart) && !strings.HasPrefix(text, sign) {
				text = sign + text
			}
			if o.Split != nil && !*o.Split {
				out = append(out, word{text, w.atStart})
				continue
			}
			for from := 0; from < len(text); {
				to := len(text)
				if i := strings.Index(text[from+1:], sign); i >= 0 {
					to = from + 1 + i
				}
				out = append(out, word{text[from:to], w.atStart && from == 0})
				from = to
			}
		}
		return out
	}, nil
}
