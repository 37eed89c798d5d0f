package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"patina/oracles/transformer/graphtest"
)

// modelWords are the words that the models of these tests know.
var modelWords = strings.Fields(`the server closes connections that were idle for ten minutes a client may stay silent
	how are reset password pool size is eight rows locked before they read apples bake`)

// writeModel writes a model of random weights into a folder, and its graph as a file there.
func writeModel(t testing.TB, dir, graph string, form graphtest.Form) {
	t.Helper()
	c := graphtest.Tiny
	c.Form = form
	check := func(err error) {
		if err != nil {
			t.Fatal(err)
		}
	}
	check(os.MkdirAll(filepath.Join(dir, filepath.Dir(graph)), 0o755))
	check(graphtest.New(c).Write(filepath.Join(dir, graph)))
	graphtest.WriteVocabulary(t, dir, modelWords...)
	check(os.WriteFile(filepath.Join(dir, "config.json"), []byte(`{"max_position_embeddings": 64}`), 0o644))
}

// Every patina command on the page about models runs, in order, in a small repository. The models
// have the folders and the files of those that the page names, and random weights.
func TestPageOfModelsShowsWhatRuns(t *testing.T) {
	home, root := t.TempDir(), t.TempDir()
	models := filepath.Join(home, "models")
	writeModel(t, filepath.Join(models, "e5-base-v2"), "onnx/model.onnx", graphtest.Float32)
	writeModel(t, filepath.Join(models, "bge-small-en-v1.5"), "onnx/model.onnx", graphtest.Float32)
	writeModel(t, filepath.Join(models, "all-MiniLM-L6-v2"), "onnx/model_int8.onnx", graphtest.Int8)
	writeModel(t, filepath.Join(models, "jina-embeddings-v2-base-code"), "model.onnx", graphtest.Float16)
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
