package tokenize

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// longestWord is the number of characters of the longest word that BERT cuts into pieces.
const longestWord = 100

// wordPieceClasses are the names of tokenizers that read a vocab.txt as BERT's does. An empty name
// is one of them, because old files do not have it.
var wordPieceClasses = []string{"", "Bert", "DistilBert", "Electra", "MobileBert", "RetriBert", "Funnel", "LayoutLM", "SqueezeBert", "ConvBert", "Lxmert", "MPNet"}

// parseVocabulary returns the tokenizer of a vocab.txt, which holds a token on each line.
func parseVocabulary(data []byte, c config) (*Tokenizer, error) {
	class := strings.TrimSuffix(strings.TrimSuffix(c.Class, "Fast"), "Tokenizer")
	if !slices.Contains(wordPieceClasses, class) {
		return nil, fmt.Errorf("the tokenizer_class %.64q is not known; a tokenizer.json would do", c.Class)
	}
	if c.BasicSplit != nil && !*c.BasicSplit || len(c.NeverSplit) > 0 {
		return nil, errors.New("a vocab.txt without do_basic_tokenize, or with never_split, is not known")
	}
	var v vocabulary
	for line := range strings.Lines(string(data)) {
		if len(v.ids) == mostTokens {
			return nil, fmt.Errorf("the vocabulary has more than %d lines", mostTokens)
		}
		v.tokens, v.ids = append(v.tokens, strings.TrimRight(line, "\r\n")), append(v.ids, int32(len(v.ids)))
	}
	unknown, first, last, mask := c.Unknown.or("[UNK]"), c.First.or("[CLS]"), c.Last.or("[SEP]"), c.Mask.or("[MASK]")
	t := &Tokenizer{kind: "WordPiece", split: splitBert, maxTokens: c.maxTokens(), pad: c.padID(v, nil)}
	w, err := newWordPiece(v, unknown, "##", longestWord)
	if err != nil {
		return nil, err
	}
	t.model = w
	for i, name := range []string{first, last} {
		id, ok := v.id(name)
		if !ok {
			return nil, fmt.Errorf("the vocabulary lacks the special token %.64q", name)
		}
		if i == 0 {
			t.before = []int64{int64(id)}
		} else {
			t.after = []int64{int64(id)}
		}
	}
	o := bertOptions{
		CleanText: true, Chinese: c.Chinese == nil || *c.Chinese,
		Lowercase: c.Lowercase == nil || *c.Lowercase, StripAccents: c.Accents,
	}
	t.normalize = o.normalizer()
	var added []addedToken
	for _, name := range []string{unknown, first, last, mask, c.Pad.or("[PAD]")} {
		if id, ok := v.id(name); ok {
			added = append(added, addedToken{ID: int64(id), Content: name, Special: true})
		}
	}
	h := sha256.New()
	fmt.Fprintf(h, "vocab.txt %t %t %v\n%q\n", o.Lowercase, o.Chinese, o.stripsAccents(), []string{unknown, first, last, mask, c.Pad.or("[PAD]")})
	h.Write(data)
	t.hash = hex.EncodeToString(h.Sum(nil))
	return t, t.addTokens(added)
}

// stripsAccents reports whether accents go.
func (o bertOptions) stripsAccents() bool {
	if o.StripAccents == nil {
		return o.Lowercase
	}
	return *o.StripAccents
}
