package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"patina/oracles/transformer/graphtest"
)

// modelWords are the words that the models of these tests know.
var modelWords = strings.Fields(`the server closes connections that were idle for ten minutes a client may stay silent
	how are reset password pool size is eight rows locked before they read apples bake`)

// writeModel writes a model of random weights into a folder, with its graph in a file there.
func writeModel(dir, graph string, form graphtest.Form, seed uint64) error {
	c := graphtest.Tiny
	c.Form, c.Seed = form, seed
	if err := os.MkdirAll(filepath.Join(dir, filepath.Dir(graph)), 0o755); err != nil {
		return err
	}
	words := append([]string{"[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"}, modelWords...)
	return errors.Join(graphtest.New(c).Write(filepath.Join(dir, graph)),
		os.WriteFile(filepath.Join(dir, "vocab.txt"), []byte(strings.Join(words, "\n")+"\n"), 0o644),
		os.WriteFile(filepath.Join(dir, "config.json"), []byte(`{"max_position_embeddings": 64}`), 0o644))
}

// graph DIR SEED writes a model of random weights into a folder, for stories.
func graph(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: graph DIR SEED")
	}
	seed, err := strconv.ParseUint(args[1], 10, 64)
	ts.Check(err)
	ts.Check(writeModel(ts.MkAbs(args[0]), "model.onnx", graphtest.Float32, seed))
}

// onnxRuntime returns the library that "make test" brings, or the missing file's name.
func onnxRuntime() string {
	if path := os.Getenv("PATINA_ONNXRUNTIME"); path != "" {
		return path
	}
	folder, err := filepath.Abs(filepath.Join("..", "..", "third_party", "build", "onnxruntime"))
	if err != nil {
		return ""
	}
	if found, _ := filepath.Glob(filepath.Join(folder, "libonnxruntime.*")); len(found) > 0 {
		return found[0]
	}
	return filepath.Join(folder, "make-test-brings-it")
}

// Every patina command on the page about models runs, in order, in a small repository. The models
// have the folders and the files of those that the page names, and random weights.
func TestPageOfModelsShowsWhatRuns(t *testing.T) {
	home, root := t.TempDir(), t.TempDir()
	models := filepath.Join(home, "models")
	for i, m := range []struct {
		name, graph string
		form        graphtest.Form
	}{
		{"e5-base-v2", "onnx/model.onnx", graphtest.Float32},
		{"bge-small-en-v1.5", "onnx/model.onnx", graphtest.Float32},
		{"all-MiniLM-L6-v2", "onnx/model_int8.onnx", graphtest.Int8},
		{"jina-embeddings-v2-base-code", "model.onnx", graphtest.Float16},
	} {
		if err := writeModel(filepath.Join(models, m.name), m.graph, m.form, uint64(i+1)); err != nil {
			t.Fatal(err)
		}
	}
	env := append(os.Environ(), "HOME="+home, "PATINA_HOME="+filepath.Join(home, ".patina"), "PATINA_TIMEOUT=5m",
		"PATINA_REFRESH=5m", "PATINA_ONNXRUNTIME="+graphtest.Library(t), "GIT_CONFIG_GLOBAL=/dev/null",
		"GIT_CONFIG_NOSYSTEM=1", "GORACE="+raceOptions)
	sh := func(line string) (string, error) {
		c := exec.Command("sh", "-c", line)
		c.Dir, c.Env = root, env
		out, err := c.CombinedOutput()
		return string(out), err
	}
	for name, text := range map[string]string{
		"notes.md": "# Connections\n\nThe server closes connections that were idle for ten minutes.\n",
		"pool.go":  "package pool\n\n// Size is the size of the pool.\nconst Size = 8\n",
	} {
		if err := os.WriteFile(filepath.Join(root, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if out, err := sh("git init -q -b main && git add -A && " +
		"git -c user.name=Ada -c user.email=ada@example.org commit -q -m 'pool: eight' && patina scrape"); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	lines := shown(t, filepath.Join("..", "..", "docs", "models.md"))
	if len(lines) < 12 {
		t.Errorf("the page shows %d commands", len(lines))
	}
	for _, line := range lines {
		out, err := sh(line)
		if err != nil {
			t.Errorf("the page shows %q: %v\n%s", line, err, out)
		}
		if strings.HasPrefix(line, "patina model add ") && !strings.HasPrefix(out, "added ") {
			t.Errorf("%s prints\n%s", line, out)
		}
	}
	// The prefixes of the families that the page names.
	for name, want := range map[string]string{
		"e5-base-v2":        `"query: " before a question, "passage: " before a text`,
		"bge-small-en-v1.5": `"Represent this sentence for searching relevant passages: " before a question, "" before`,
	} {
		if out, err := sh("patina model add ~/models/" + name); err != nil || !strings.Contains(out, want) {
			t.Errorf("%s: %v\n%s", name, err, out)
		}
	}
}
