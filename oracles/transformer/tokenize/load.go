package tokenize

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"patina/internal/safeio"
)

// largestFile is the number of bytes that a file of a tokenizer may have. That of the largest
// vocabularies has 33 MB.
const largestFile = 64 << 20

// Load reads the tokenizer of a model from its folder: tokenizer.json, or vocab.txt as BERT has it.
// Either goes with tokenizer_config.json, if that is there. It returns an error for whatever the
// files ask for and this package does not know. The error wraps fs.ErrNotExist if the folder holds
// neither file. Links are followed, because a cache of models is made of them.
func Load(dir string) (*Tokenizer, error) {
	config, err := readConfig(dir)
	if err != nil {
		return nil, err
	}
	name := "tokenizer.json"
	data, err := readFile(dir, name)
	parse := parseFile
	if errors.Is(err, fs.ErrNotExist) {
		name = "vocab.txt"
		data, err = readFile(dir, name)
		parse = parseVocabulary
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s has neither tokenizer.json nor vocab.txt: %w", dir, err)
	}
	if err != nil {
		return nil, err
	}
	t, err := parse(data, config)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", filepath.Join(dir, name), err)
	}
	return t, nil
}

func readFile(dir, name string) ([]byte, error) {
	path, err := filepath.EvalSymlinks(filepath.Join(dir, name))
	if err != nil {
		return nil, err
	}
	data, err := safeio.ReadFile(path, largestFile)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", filepath.Join(dir, name), err)
	}
	return data, nil
}

// file is a tokenizer.json. Its version, its decoder and its truncation decide no ids.
type file struct {
	Truncation *struct {
		Direction string
		MaxLength int `json:"max_length"`
	}
	Padding *struct {
		PadID int64 `json:"pad_id"`
	}
	AddedTokens   []addedToken    `json:"added_tokens"`
	Normalizer    json.RawMessage `json:"normalizer"`
	PreTokenizer  json.RawMessage `json:"pre_tokenizer"`
	PostProcessor json.RawMessage `json:"post_processor"`
	Model         json.RawMessage `json:"model"`
}

// parseFile returns the tokenizer of a tokenizer.json.
func parseFile(data []byte, config config) (*Tokenizer, error) {
	var f file
	if err := json.Unmarshal(data, &f); err != nil {
		return nil, err
	}
	if f.Truncation != nil && f.Truncation.Direction != "" && f.Truncation.Direction != "Right" {
		return nil, fmt.Errorf("the truncation %.64q is not known", f.Truncation.Direction)
	}
	if len(f.AddedTokens) > mostTokens {
		return nil, fmt.Errorf("there are %d added tokens, more than %d", len(f.AddedTokens), mostTokens)
	}
	var err error
	if f.Normalizer, err = config.override(f.Normalizer); err != nil {
		return nil, err
	}
	t := &Tokenizer{hash: f.hash()}
	var v vocabulary
	if t.kind, t.model, v, err = parseModel(f.Model); err != nil {
		return nil, err
	}
	if t.normalize, err = parseNormalizer(f.Normalizer, 0); err != nil {
		return nil, err
	}
	if t.split, err = parsePreTokenizer(f.PreTokenizer, 0); err != nil {
		return nil, err
	}
	around, err := parsePostProcessor(f.PostProcessor, 0)
	if err != nil {
		return nil, err
	}
	t.before, t.after = around.before, around.after
	if err := t.addTokens(f.AddedTokens); err != nil {
		return nil, err
	}
	t.maxTokens = config.maxTokens()
	if t.maxTokens == 0 && f.Truncation != nil && f.Truncation.MaxLength > 0 {
		t.maxTokens = f.Truncation.MaxLength
	}
	t.pad = config.padID(v, f.AddedTokens)
	if f.Padding != nil && f.Padding.PadID > 0 && f.Padding.PadID <= highestID {
		t.pad = f.Padding.PadID
	}
	return t, nil
}

// addTokens makes Encode find added tokens: some as they are spelled, others as the normalizer
// spells them.
func (t *Tokenizer) addTokens(tokens []addedToken) (err error) {
	t.exact, err = newAddedTokens(tokens, func(a addedToken) bool { return !a.Normalized }, func(s string) string { return s })
	if err != nil {
		return err
	}
	t.folded, err = newAddedTokens(tokens, func(a addedToken) bool { return a.Normalized }, func(s string) string {
		if t.normalize != nil {
			return t.normalize(s)
		}
		return s
	})
	return err
}

// hash returns a hash of the parts of a file that decide ids.
func (f file) hash() string {
	h := sha256.New()
	added, _ := json.Marshal(f.AddedTokens)
	for _, part := range [][]byte{added, f.Normalizer, f.PreTokenizer, f.PostProcessor, f.Model} {
		fmt.Fprintf(h, "%d\n", len(part))
		h.Write(part)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// parseModel returns the model of a tokenizer.json with its vocabulary.
func parseModel(raw json.RawMessage) (kind string, m model, v vocabulary, err error) {
	if kind, err = kindOf(raw, "model"); err != nil {
		return kind, nil, v, err
	}
	switch kind {
	case "WordPiece":
		m, v, err = parseWordPiece(raw)
	case "BPE":
		m, v, err = parseBPE(raw)
	case "Unigram":
		m, v, err = parseUnigram(raw)
	default:
		err = fmt.Errorf("the model %.64q is not known", kind)
	}
	return kind, m, v, err
}

// parseWordPiece returns the model "WordPiece" of a tokenizer.json.
func parseWordPiece(raw json.RawMessage) (model, vocabulary, error) {
	o := struct {
		Type    string
		Unknown string `json:"unk_token"`
		Prefix  string `json:"continuing_subword_prefix"`
		Longest int    `json:"max_input_chars_per_word"`
		Vocab   vocabulary
	}{Unknown: "[UNK]", Prefix: "##", Longest: longestWord}
	if err := decodeStrictly(raw, &o); err != nil {
		return nil, vocabulary{}, err
	}
	w, err := newWordPiece(o.Vocab, o.Unknown, o.Prefix, o.Longest)
	return w, o.Vocab, err
}

// kindOf returns the "type" of a part of a file, or "" if there is no such part.
func kindOf(raw json.RawMessage, what string) (string, error) {
	if len(raw) == 0 || string(raw) == "null" {
		return "", nil
	}
	var o struct{ Type string }
	if err := json.Unmarshal(raw, &o); err != nil {
		return "", fmt.Errorf("%s: %w", what, err)
	}
	if o.Type == "" {
		return "", fmt.Errorf("%s has no type", what)
	}
	return o.Type, nil
}

// decodeStrictly decodes JSON, and returns an error for a field that v does not have.
func decodeStrictly(raw json.RawMessage, v any) error {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.DisallowUnknownFields()
	return d.Decode(v)
}
