package transformer_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"patina/oracles/transformer"
	"patina/oracles/transformer/graphtest"
)

// put writes a file below a folder.
func put(t *testing.T, dir, name, text string) {
	t.Helper()
	path := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func describe(t *testing.T, o transformer.Options) transformer.Description {
	t.Helper()
	d, err := transformer.Describe(o)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// The files of a model, its family and the options must decide in that order, the last winning.
func TestSettings(t *testing.T) {
	pooling := func(modes string) string { return `{"word_embedding_dimension": 48, ` + modes + `}` }
	for name, c := range map[string]struct {
		folder  string
		files   map[string]string
		options transformer.Options
		want    transformer.Description
	}{
		"nothing": {
			"tiny", nil,
			transformer.Options{},
			transformer.Description{Pooling: "mean", PoolingFrom: "default", PrefixFrom: "default", MaxTokens: 512},
		},
		"files": {"tiny", map[string]string{
			"1_Pooling/config.json":             pooling(`"pooling_mode_cls_token": true, "pooling_mode_mean_tokens": false`),
			"config_sentence_transformers.json": `{"prompts": {"query": "ask: ", "document": "text: "}}`,
			"sentence_bert_config.json":         `{"max_seq_length": 256}`,
			"config.json":                       `{"model_type": "bert", "max_position_embeddings": 512}`,
		}, transformer.Options{}, transformer.Description{
			Pooling: "cls", PoolingFrom: "1_Pooling/config.json", PrefixFrom: "config_sentence_transformers.json",
			QueryPrefix: "ask: ", PassagePrefix: "text: ", MaxTokens: 256,
		}},
		"family of the folder": {
			"E5-base-v2",
			map[string]string{"config_sentence_transformers.json": `{"prompts": {"query": "", "document": ""}}`},
			transformer.Options{},
			transformer.Description{
				Pooling: "mean", PoolingFrom: "family e5", PrefixFrom: "family e5", QueryPrefix: "query: ", PassagePrefix: "passage: ", MaxTokens: 512,
			},
		},
		"family of the configuration": {
			"my-model",
			map[string]string{"config.json": `{"_name_or_path": "BAAI/bge-small-en-v1.5"}`},
			transformer.Options{},
			transformer.Description{
				Pooling: "cls", PoolingFrom: "family bge", PrefixFrom: "family bge",
				QueryPrefix: "Represent this sentence for searching relevant passages: ", MaxTokens: 512,
			},
		},
		"no family in another word": {
			"be55-node5", nil,
			transformer.Options{},
			transformer.Description{Pooling: "mean", PoolingFrom: "default", PrefixFrom: "default", MaxTokens: 512},
		},
		"positions of RoBERTa count from 2": {
			"tiny",
			map[string]string{"config.json": `{"model_type": "xlm-roberta", "max_position_embeddings": 130}`},
			transformer.Options{},
			transformer.Description{Pooling: "mean", PoolingFrom: "default", PrefixFrom: "default", MaxTokens: 128},
		},
		"options": {
			"e5",
			map[string]string{"1_Pooling/config.json": pooling(`"pooling_mode_cls_token": true`)},
			transformer.Options{Pooling: transformer.Mean, QueryPrefix: "q ", PassagePrefix: transformer.NoPrefix, MaxTokens: 99},
			transformer.Description{Pooling: "mean", PoolingFrom: "options", PrefixFrom: "options", QueryPrefix: "q ", MaxTokens: 99},
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), c.folder)
			for file, text := range c.files {
				put(t, dir, file, text)
			}
			if err := os.MkdirAll(dir, 0o700); err != nil {
				t.Fatal(err)
			}
			graphtest.WriteModel(t, dir, graphtest.Tiny, words...)
			c.options.Dir = dir
			got := describe(t, c.options)
			c.want.Dir, c.want.Graph, c.want.Tokenizer, c.want.Type, c.want.Dimension = dir, "model.onnx", "WordPiece", "float32", 48
			c.want.ID, c.want.Stamp, c.want.Files, c.want.Bytes = got.ID, got.Stamp, got.Files, got.Bytes
			if a, b := fmt.Sprintf("%+v", got), fmt.Sprintf("%+v", c.want); a != b {
				t.Errorf("got  %s\nwant %s", a, b)
			}
		})
	}
}

// What a folder may hold and patina cannot use must be an error that names the file or the way out.
func TestRefusedFolders(t *testing.T) {
	for want, change := range map[string]func(dir string) transformer.Options{
		`pooling "max_tokens" (from 1_Pooling/config.json) is not supported: choose mean or cls`: func(dir string) transformer.Options {
			put(t, dir, "1_Pooling/config.json", `{"pooling_mode_max_tokens": true}`)
			return transformer.Options{}
		},
		`read "config.json"`: func(dir string) transformer.Options {
			put(t, dir, "config.json", `{"hidden_size": "many"}`)
			return transformer.Options{}
		},
		`more than 4194304 bytes`: func(dir string) transformer.Options {
			put(t, dir, "config.json", strings.Repeat(" ", 4<<20+1))
			return transformer.Options{}
		},
		`neither tokenizer.json nor vocab.txt`: func(dir string) transformer.Options {
			_ = os.Remove(filepath.Join(dir, "vocab.txt"))
			return transformer.Options{}
		},
		`there is model_quantized.onnx: name one as the graph`: func(dir string) transformer.Options {
			_ = os.Rename(filepath.Join(dir, "model.onnx"), filepath.Join(dir, "model_quantized.onnx"))
			return transformer.Options{}
		},
		`no other.onnx and no onnx/other.onnx`: func(string) transformer.Options { return transformer.Options{Graph: "other.onnx"} },
		`is outside of the folder`:             func(string) transformer.Options { return transformer.Options{Graph: "../model.onnx"} },
		`not an ONNX file`: func(dir string) transformer.Options {
			put(t, dir, "model.onnx", "version https://git-lfs.github.com/spec/v1")
			return transformer.Options{}
		},
		`pooling "graph" (from options) is not supported`: func(string) transformer.Options { return transformer.Options{Pooling: transformer.Graph} },
		`9000 tokens, but it takes at most 512`: func(dir string) transformer.Options {
			put(t, dir, "config.json", `{"max_position_embeddings": 512}`)
			return transformer.Options{MaxTokens: 9000}
		},
		`leave no room for a text of 8 tokens`: func(string) transformer.Options {
			return transformer.Options{MaxTokens: 8, QueryPrefix: strings.Repeat("store ", 9)}
		},
		`the prefix "" leave no room for a text of 8 tokens`: func(dir string) transformer.Options {
			special := strings.Repeat(`{"SpecialToken": {"id": "s", "type_id": 0}},`, 9)
			put(t, dir, "tokenizer.json", `{"model": {"type": "WordPiece", "vocab": {"[UNK]": 0}}, "post_processor": {"type": "TemplateProcessing",
				"single": [`+special+`{"Sequence": {"id": "A", "type_id": 0}}], "special_tokens": {"s": {"id": "s", "ids": [0], "tokens": ["s"]}}}}`)
			return transformer.Options{MaxTokens: 8}
		},
		`2 tokens of a text, want at least 8`: func(string) transformer.Options { return transformer.Options{MaxTokens: 2} },
	} {
		dir, _ := write(t, graphtest.Tiny)
		o := change(dir)
		o.Dir = dir
		if d, err := transformer.Describe(o); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s, %v, want %q", fmt.Sprintf("%+v", d), err, want)
		}
	}
	if _, err := transformer.Inspect(filepath.Join(t.TempDir(), "none")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a missing folder: %v", err)
	}
}

// The id must follow everything that decides a vector, and nothing else.
func TestID(t *testing.T) {
	config := graphtest.Tiny
	config.External = true
	dir, _ := write(t, config)
	first := describe(t, transformer.Options{Dir: dir})
	if !strings.HasPrefix(first.ID, "tiny-") || len(first.ID) != len("tiny-")+16 {
		t.Errorf("id %q", first.ID)
	}
	for name, o := range map[string]transformer.Options{
		"pooling":        {Pooling: transformer.CLS},
		"query prefix":   {QueryPrefix: "q"},
		"passage prefix": {PassagePrefix: "q"},
		"tokens":         {MaxTokens: 100},
	} {
		o.Dir = dir
		if describe(t, o).ID == first.ID {
			t.Errorf("another %s, and the same id", name)
		}
	}
	if got := describe(t, transformer.Options{Dir: dir, Threads: 3, Slots: 2, Pooling: transformer.Mean}); got.ID != first.ID {
		t.Errorf("id %s, want %s", got.ID, first.ID)
	}
	same := describe(t, transformer.Options{Dir: dir, ID: "mine-" + first.ID[5:], Stamp: "old"})
	if same.ID != "mine-"+first.ID[5:] || same.Stamp != first.Stamp {
		t.Errorf("id %q, stamp %q", same.ID, same.Stamp)
	}
	weights := filepath.Join(dir, "model.onnx.data")
	data, err := os.ReadFile(weights)
	if err != nil {
		t.Fatal(err)
	}
	data[len(data)/2]++
	put(t, dir, "model.onnx.data", string(data))
	later := time.Now().Add(time.Hour)
	if err := os.Chtimes(weights, later, later); err != nil {
		t.Fatal(err)
	}
	if _, err := transformer.Describe(transformer.Options{Dir: dir, ID: first.ID, Stamp: first.Stamp}); err == nil || !strings.Contains(err.Error(), "add it again") {
		t.Errorf("other weights: %v", err)
	}
	graphtest.WriteVocabulary(t, dir, "other", "words")
	if second := describe(t, transformer.Options{Dir: dir}); second.ID == first.ID {
		t.Error("another vocabulary, and the same id")
	}
}
