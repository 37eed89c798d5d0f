package transformer

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// maxSettings bounds a file of settings. Real ones have some kilobytes.
const maxSettings = 4 << 20

// usualTokens is the number of tokens that are read from a text unless Options says otherwise. A
// model may take thousands, but time grows with them, and a chunk rarely has more.
const usualTokens = 512

// fewestTokens leaves room for some words between the special tokens.
const fewestTokens = 8

// settings hold the values that the files of a model give for its use.
type settings struct {
	pooling     Pooling // "" if they do not say
	poolingFrom string
	prompts     map[string]string // of config_sentence_transformers.json
	maxLength   int               // of sentence_bert_config.json; 0 if they do not say
	positions   int               // of config.json; 0 if they do not say
	hidden      int               // of config.json; 0 if they do not say
	name        string            // what the model calls itself, and its folder
	modelType   string
}

// readSettings reads the settings in a folder. All are optional.
func readSettings(dir string) (settings, error) {
	var config struct {
		Name      string `json:"_name_or_path"`
		ModelType string `json:"model_type"`
		Hidden    int    `json:"hidden_size"`
		Dim       int    `json:"dim"`
		Positions int    `json:"max_position_embeddings"`
	}
	var bert struct {
		MaxLength int `json:"max_seq_length"`
	}
	var sentence struct {
		Prompts map[string]string `json:"prompts"`
	}
	err := errors.Join(
		readJSON(dir, "config.json", &config),
		readJSON(dir, "sentence_bert_config.json", &bert),
		readJSON(dir, "config_sentence_transformers.json", &sentence),
	)
	if err != nil {
		return settings{}, err
	}
	s := settings{
		prompts: sentence.Prompts, maxLength: bert.MaxLength, positions: config.Positions,
		hidden: max(config.Hidden, config.Dim), modelType: config.ModelType,
		name: strings.ToLower(filepath.Base(dir) + " " + config.Name),
	}
	if strings.Contains(s.modelType, "roberta") && s.positions > 2 {
		s.positions -= 2 // its positions count from 2
	}
	err = s.readPooling(dir)
	return s, err
}

// readPooling reads the settings of the layer of Sentence Transformers that pools.
func (s *settings) readPooling(dir string) error {
	const name = "1_Pooling/config.json"
	var modes map[string]any
	if err := readJSON(dir, name, &modes); err != nil {
		return err
	}
	var on []string
	for mode, value := range modes {
		if value == true && strings.HasPrefix(mode, "pooling_mode_") {
			on = append(on, strings.TrimPrefix(mode, "pooling_mode_"))
		}
	}
	switch {
	case len(on) == 0:
		return nil
	case len(on) == 1 && on[0] == "mean_tokens":
		s.pooling = Mean
	case len(on) == 1 && on[0] == "cls_token":
		s.pooling = CLS
	default:
		s.pooling = Pooling(strings.Join(on, "+"))
	}
	s.poolingFrom = name
	return nil
}

// readJSON reads a file of settings into v, which it leaves alone if the file does not exist.
func readJSON(dir, name string, v any) error {
	file, err := os.Open(filepath.Join(dir, filepath.FromSlash(name)))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer file.Close()
	if info, err := file.Stat(); err != nil || !info.Mode().IsRegular() {
		return errors.Join(err, fmt.Errorf("read %q in %q: not a regular file", name, dir))
	}
	data, err := io.ReadAll(io.LimitReader(file, maxSettings+1))
	if err == nil && len(data) > maxSettings {
		err = fmt.Errorf("more than %d bytes", maxSettings)
	}
	if err == nil {
		err = json.Unmarshal(data, v)
	}
	if err != nil {
		return fmt.Errorf("read %q in %q: %w", name, dir, err)
	}
	return nil
}

// A family is a kind of model that wants prefixes which its files do not name.
type family struct {
	name           string // a word of the model's name
	query, passage string
	pooling        Pooling
}

const bgeQuery = "Represent this sentence for searching relevant passages: "

// families are looked up in this order. The prefixes are those of the models' own descriptions.
var families = []family{
	{"e5", "query: ", "passage: ", Mean},
	{"bge-m3", "", "", CLS},
	{"bge", bgeQuery, "", CLS},
	{"mxbai-embed", bgeQuery, "", CLS},
	{"nomic-embed", "search_query: ", "search_document: ", Mean},
	{"arctic-embed", bgeQuery, "", CLS},
}

// familyOf returns the family that a model's name names, or an empty one. Names are cut at anything
// but letters and digits, so that e5 is no part of another word.
func familyOf(name string) family {
	for _, f := range families {
		if regexp.MustCompile(`(^|[^a-z0-9])` + regexp.QuoteMeta(f.name) + `([^a-z0-9]|$)`).MatchString(name) {
			return f
		}
	}
	return family{}
}

// applySettings fills in the fields from the options, then the files, then defaults.
func (d *Description) applySettings(o Options, s settings, graphPools bool, tokenizerTokens, graphTokens int) error {
	f := familyOf(s.name)
	switch {
	case o.Pooling != "":
		d.Pooling, d.PoolingFrom = o.Pooling, "options"
	case graphPools:
		d.Pooling, d.PoolingFrom = Graph, d.Graph
	case s.pooling != "":
		d.Pooling, d.PoolingFrom = s.pooling, s.poolingFrom
	case f.pooling != "":
		d.Pooling, d.PoolingFrom = f.pooling, "family "+f.name
	default:
		d.Pooling, d.PoolingFrom = Mean, "default"
	}
	if d.Pooling != Mean && d.Pooling != CLS && !(d.Pooling == Graph && graphPools) {
		return fmt.Errorf("model %q: pooling %q (from %s) is not supported: choose %s or %s",
			d.Dir, d.Pooling, d.PoolingFrom, Mean, CLS)
	}
	d.PrefixFrom = "default"
	if f.query+f.passage != "" {
		d.QueryPrefix, d.PassagePrefix, d.PrefixFrom = f.query, f.passage, "family "+f.name
	}
	query, passage := s.prompts["query"], s.prompts["passage"]
	if passage == "" {
		passage = s.prompts["document"]
	}
	if query+passage != "" { // Sentence Transformers writes empty ones where nobody has set them
		d.QueryPrefix, d.PassagePrefix, d.PrefixFrom = query, passage, "config_sentence_transformers.json"
	}
	d.QueryPrefix = d.override(d.QueryPrefix, o.QueryPrefix)
	d.PassagePrefix = d.override(d.PassagePrefix, o.PassagePrefix)
	return d.limitTokens(o.MaxTokens, s, tokenizerTokens, graphTokens)
}

func (d *Description) override(found, asked string) string {
	switch asked {
	case "":
		return found
	case NoPrefix:
		asked = ""
	}
	d.PrefixFrom = "options"
	return asked
}

// limitTokens sets MaxTokens.
func (d *Description) limitTokens(asked int, s settings, tokenizer, graph int) error {
	most := 0 // that the model can take; 0 means not known
	for _, n := range []int{s.positions, graph} {
		if n > 0 && (most == 0 || n < most) {
			most = n
		}
	}
	switch {
	case asked < 0 || asked > 0 && asked < fewestTokens || most > 0 && most < fewestTokens:
		return fmt.Errorf("model %q: %d tokens of a text, want at least %d", d.Dir, cmp.Or(asked, most), fewestTokens)
	case asked > 0 && most > 0 && asked > most:
		return fmt.Errorf("model %q: %d tokens, but it takes at most %d", d.Dir, asked, most)
	case asked > 0:
		d.MaxTokens = asked
		return nil
	}
	d.MaxTokens = usualTokens
	for _, n := range []int{most, s.maxLength, tokenizer} {
		if n > 0 {
			d.MaxTokens = max(fewestTokens, min(d.MaxTokens, n))
		}
	}
	return nil
}
