package modelcmd

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"patina/ask/embedders"
	"patina/cmd/internal/cli"
	"patina/cmd/internal/dialect"
	"patina/cmd/internal/layout"
	"patina/oracles/transformer"
	"patina/registry/models"
	"patina/store/doc"
)

// A wanted is a model as the flags of add describe it.
type wanted struct {
	transformer.Options
	name, pooling string
}

// addModel is the command that adds a model to the catalog.
func addModel(a *cli.App) *cobra.Command {
	s := &command{App: a}
	var w wanted
	c := &cobra.Command{
		Use:   "add DIR|FILE",
		Short: "Add a model: a folder with an ONNX graph and a tokenizer",
		Long: `Add a model: a folder with model.onnx (or onnx/model.onnx, or FILE) and
tokenizer.json or vocab.txt. Nothing is copied. Pooling, prefixes and length are
read from its own files unless you give them. It embeds one sentence to prove
that it works. Added again, it takes up changed files and flags.

ONNX Runtime is opened from --runtime, PATINA_ONNXRUNTIME or the usual folders.
Without it the model is added, untested.

Exit codes: 0 added, 2 error, 3 added but not tested.`,
		Example: `  patina model add ~/models/e5-base-v2
  patina model add ~/models/minilm/onnx/model_int8.onnx --name minilm
  patina model add ~/models/mine --pooling cls --query-prefix "query: "`,
		Args: cobra.ExactArgs(1),
		RunE: s.prepared(func(ctx context.Context, args []string) error { return s.addNamed(ctx, args[0], w) }),
	}
	f := c.Flags()
	f.StringVar(&w.name, "name", "", "the `name` by which you call it; its folder's by default")
	f.StringVar(&w.Runtime, "runtime", "", "the `file` of libonnxruntime")
	f.StringVar(&w.Graph, "graph", "", "the `file` of the graph in DIR")
	f.StringVar(&w.pooling, "pooling", "", "how tokens become one vector: mean or cls")
	f.StringVar(&w.QueryPrefix, "query-prefix", "", "`text` before each question; - for none")
	f.StringVar(&w.PassagePrefix, "passage-prefix", "", "`text` before each other text; - for none")
	f.IntVar(&w.MaxTokens, "max-tokens", 0, "the most `tokens` of a text")
	_ = c.RegisterFlagCompletionFunc("pooling", cobra.FixedCompletions([]string{"mean", "cls"}, cobra.ShellCompDirectiveNoFileComp))
	s.jsonFlag(c)
	return c
}

func (s *command) addNamed(ctx context.Context, path string, w wanted) error {
	if err := w.resolvePath(path); err != nil {
		return err
	}
	d, err := s.describeFiles(ctx, w.Options)
	if err != nil {
		return unusable(err)
	}
	m := models.Model{
		Name: w.name, Dir: d.Dir, Graph: d.Graph, Runtime: w.Runtime, ID: d.ID, Stamp: d.Stamp, Pooling: string(d.Pooling),
		QueryPrefix: d.QueryPrefix, PassagePrefix: d.PassagePrefix, Dimension: d.Dimension, MaxTokens: d.MaxTokens,
		Bytes: d.Bytes, Added: time.Now().UTC().Truncate(time.Second),
	}
	if m.Name == "" {
		m.Name = models.NameFor(m.Dir)
	}
	runtime, untested := s.prove(ctx, &m)
	if untested != nil && !errors.Is(untested, transformer.ErrNoRuntime) {
		return unusable(untested)
	}
	before, known := models.Find(s.home, m.Name)
	if err := models.Add(s.home, m); err != nil {
		return err
	}
	if s.asJSON {
		err = s.writeModelJSON(m, d, runtime)
	} else {
		s.writeAdded(m, d, known == nil && before.ID != m.ID)
	}
	if untested != nil && err == nil {
		s.Warn("added, but not tested: %v", untested)
		return cli.Exit(cli.ExitPartial)
	}
	return err
}

// resolvePath sets the folder and the graph from the path that was typed.
func (w *wanted) resolvePath(path string) error {
	full, err := filepath.Abs(path)
	if err != nil {
		return err
	}
	info, err := os.Stat(full)
	if err != nil {
		return cli.Hint(fmt.Errorf("add model: %w", err), "name a folder with model.onnx and tokenizer.json")
	}
	w.Dir = full
	if !info.IsDir() {
		if w.Graph != "" {
			return cli.Hint(errors.New("--graph beside a file"), "name the folder and --graph, or the file alone")
		}
		w.Dir, w.Graph = filepath.Split(full)
		w.Dir = filepath.Clean(w.Dir)
		if up := filepath.Dir(w.Dir); !hasTokenizer(w.Dir) && hasTokenizer(up) {
			w.Graph = filepath.Join(filepath.Base(w.Dir), w.Graph)
			w.Dir = up
		}
	}
	if w.Runtime != "" {
		if w.Runtime, err = filepath.Abs(w.Runtime); err != nil {
			return err
		}
	}
	switch w.Pooling = transformer.Pooling(w.pooling); w.Pooling {
	case "", transformer.Mean, transformer.CLS:
		return nil
	}
	return cli.Hint(fmt.Errorf("--pooling %.40q", w.pooling), "want mean or cls")
}

func hasTokenizer(dir string) bool {
	for _, name := range []string{"tokenizer.json", "vocab.txt"} {
		if _, err := os.Stat(filepath.Join(dir, name)); err == nil {
			return true
		}
	}
	return false
}

// describeFiles reads the files of a folder. On a terminal it says so if that takes long, because
// the whole graph is read.
func (s *command) describeFiles(ctx context.Context, o transformer.Options) (transformer.Description, error) {
	defer s.waiting("reading the graph")()
	return cli.UnlessOver(ctx, func() (transformer.Description, error) { return transformer.Describe(o) })
}

// prove embeds a sentence by a model, and sets its dimension. It returns the library that was
// opened.
func (s *command) prove(ctx context.Context, m *models.Model) (runtime string, err error) {
	defer s.waiting("opening the model")()
	e, err := cli.UnlessOver(ctx, func() (*transformer.Model, error) { return transformer.Open(embedders.Options(*m)) })
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, e.Close()) }()
	vector := make([]int8, e.Dimension())
	if err := e.EmbedPassages(ctx, vector, []doc.Passage{{Body: pairs[0].a}}); err != nil {
		return "", err
	}
	if norm(vector) == 0 {
		return "", fmt.Errorf("model %q: the vector of a sentence is zero", m.Dir)
	}
	m.Dimension, m.Tested = e.Description().Dimension, true
	runtime, _ = transformer.RuntimeInUse()
	return runtime, nil
}

// waiting prints a line on a terminal if something takes longer than a second. The caller must call
// the returned function, which removes the line.
func (s *command) waiting(what string) (done func()) {
	if !cli.Terminal(s.Errs) {
		return func() {}
	}
	told := make(chan struct{})
	timer := time.AfterFunc(time.Second, func() {
		fmt.Fprintf(s.Errs, "\r\x1b[K%s", what)
		close(told)
	})
	return func() {
		if !timer.Stop() {
			<-told
			fmt.Fprint(s.Errs, "\r\x1b[K")
		}
	}
}

// unusable adds a hint to an error about the files of a model.
func unusable(err error) error {
	if errors.Is(err, context.Canceled) {
		return err
	}
	return cli.Hint(err, "a model is model.onnx with tokenizer.json or vocab.txt beside it (docs/models.md); nothing was added")
}

func (s *command) writeAdded(m models.Model, d transformer.Description, changed bool) {
	fmt.Fprintf(s.Out, "added %s: %s\n", m.Name, strings.Join(factsOf(m, d), ", "))
	fmt.Fprintf(s.Out, "  id        %s\n", layout.Plain(m.ID))
	fmt.Fprintf(s.Out, "  graph     %s\n", layout.Plain(filepath.Join(m.Dir, m.Graph)))
	fmt.Fprintf(s.Out, "  prefixes  %s\n", prefixText(m))
	if changed {
		fmt.Fprintln(s.Out, "It is not what it was: the next patina scrape embeds its texts anew.")
	}
	fmt.Fprintf(s.Out, "Next: %s · %s\n", dialect.Command("model", "test", m.Name), dialect.Command("model", "use", m.Name))
}

// factsOf returns the main facts of a model.
func factsOf(m models.Model, d transformer.Description) []string {
	dimension := fmt.Sprintf("%d dimensions", m.Dimension)
	if m.Dimension == 0 {
		dimension = "dimensions not known"
	}
	return []string{
		dimension, fmt.Sprintf("at most %d tokens", m.MaxTokens), d.Tokenizer, string(m.Pooling) + " pooling",
		sizeText(m.Bytes) + " " + d.Type,
	}
}
