package tokenize

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"slices"
)

// config is a tokenizer_config.json, as far as it decides ids. A nil field is not in the file.
type config struct {
	Class       string          `json:"tokenizer_class"`
	Lowercase   *bool           `json:"do_lower_case"`
	Accents     *bool           `json:"strip_accents"`
	Chinese     *bool           `json:"tokenize_chinese_chars"`
	BasicSplit  *bool           `json:"do_basic_tokenize"`
	NeverSplit  []string        `json:"never_split"`
	LongestText json.RawMessage `json:"model_max_length"`
	Unknown     specialToken    `json:"unk_token"`
	First       specialToken    `json:"cls_token"`
	Last        specialToken    `json:"sep_token"`
	Pad         specialToken    `json:"pad_token"`
	Mask        specialToken    `json:"mask_token"`
}

// specialToken is the name of a token: a string, or an object with its content.
type specialToken string

func (s *specialToken) UnmarshalJSON(data []byte) error {
	if len(data) > 0 && data[0] == '{' {
		var o struct{ Content string }
		err := json.Unmarshal(data, &o)
		*s = specialToken(o.Content)
		return err
	}
	return json.Unmarshal(data, (*string)(s))
}

func (s specialToken) or(name string) string {
	if s == "" {
		return name
	}
	return string(s)
}

// readConfig returns the tokenizer_config.json of a folder, or the zero config if there is no such
// file.
func readConfig(dir string) (c config, err error) {
	data, err := readFile(dir, "tokenizer_config.json")
	if errors.Is(err, fs.ErrNotExist) {
		return c, nil
	}
	if err == nil {
		err = json.Unmarshal(data, &c)
	}
	if err != nil {
		return c, fmt.Errorf("tokenizer_config.json: %w", err)
	}
	return c, nil
}

// mostMaxTokens is the largest number of tokens of a text that is believed. Files write 10^30 where
// they do not know.
const mostMaxTokens = 1 << 20

// maxTokens returns the number of tokens that a text may have, or 0 if the file does not say.
func (c config) maxTokens() int {
	var n float64
	if json.Unmarshal(c.LongestText, &n) != nil || n < 1 || n > mostMaxTokens {
		return 0
	}
	return int(n)
}

// padID returns the id of the token that fills up a batch, or 0 if there is no such token.
func (c config) padID(v vocabulary, added []addedToken) int64 {
	for _, name := range []string{string(c.Pad), "[PAD]", "<pad>"} {
		if name == "" {
			continue
		}
		if i := slices.IndexFunc(added, func(a addedToken) bool { return a.Content == name }); i >= 0 {
			return added[i].ID
		}
		if id, ok := v.id(name); ok {
			return int64(id)
		}
	}
	return 0
}

// override returns the normalizer of a tokenizer.json with c's settings of BERT's. The library that
// models are published with does the same, so that their figures were measured this way.
func (c config) override(raw json.RawMessage) (json.RawMessage, error) {
	kind, err := kindOf(raw, "normalizer")
	if err != nil || kind != "BertNormalizer" || c.Lowercase == nil && c.Accents == nil && c.Chinese == nil {
		return raw, err
	}
	var o bertOptions
	if err := decodeStrictly(raw, &o); err != nil {
		return nil, err
	}
	if c.Lowercase != nil {
		o.Lowercase = *c.Lowercase
	}
	if c.Accents != nil {
		o.StripAccents = c.Accents
	}
	if c.Chinese != nil {
		o.Chinese = *c.Chinese
	}
	return json.Marshal(o)
}
