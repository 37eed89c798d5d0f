package modelcmd

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"patina/ask/project"
	"patina/cmd/internal/cli"
	"patina/cmd/internal/dialect"
	"patina/cmd/internal/layout"
	"patina/oracles/transformer"
	"patina/registry/models"
	"patina/store/doc"
)

// pairs are sentences whose cosines say whether a model tells near from far.
var pairs = []struct{ name, a, b string }{
	{"near", "The server closes connections that were idle for ten minutes.", "Unused connections are shut down by the server after 10 min."},
	{"related", "The server closes connections that were idle for ten minutes.", "How long may a client stay silent?"},
	{"unrelated", "The server closes connections that were idle for ten minutes.", "Slice the apples thinly and dust them with cinnamon."},
}

// testModel is the command that measures a model.
func testModel(a *cli.App) *cobra.Command {
	s := &command{App: a}
	c := &cobra.Command{
		Use:   "test NAME [TEXT]...",
		Short: "Measure a model: speed, memory, what it takes for near",
		Long: `Measure a model: texts a second and the time for a question by threads, memory,
and the cosines of three pairs of sentences, near, related and unrelated. Of
TEXTs it also prints the cosines with each other. Then it says what embedding
the texts of this project would take. No vector is kept.

Exit codes: 0 measured, 2 error.`,
		Example: `  patina model test e5-base-v2
  patina model test minilm "reset the password" "I cannot log in"`,
		Args:              cobra.MinimumNArgs(1),
		ValidArgsFunction: completeModels(false),
		RunE:              s.prepared(func(ctx context.Context, args []string) error { return s.measureOne(ctx, args[0], args[1:]) }),
	}
	s.jsonFlag(c)
	return c
}

// A trial is the result of a test.
type trial struct {
	Schema    int          `json:"schema"`
	Name      string       `json:"name"`
	ID        string       `json:"id"`
	Dimension int          `json:"dimension"`
	Runtime   string       `json:"runtime"`
	Version   string       `json:"runtime_version"`
	Own       bool         `json:"own_texts"` // of the project, else sentences of ours
	Speeds    []speed      `json:"speeds"`
	Before    *int64       `json:"memory_before"` // bytes of the process; null if not known
	With      *int64       `json:"memory_with"`
	Pairs     []pairCosine `json:"pairs"`
	Texts     []string     `json:"texts"`   // as given
	Cosines   [][]float64  `json:"cosines"` // of each text with each
	Costs     []cost       `json:"costs"`   // of this project; empty without an index
}

// A speed is that of a number of threads.
type speed struct {
	Threads  int     `json:"threads"`
	Texts    float64 `json:"texts_per_second"`
	Question float64 `json:"question_ms"` // the median
}

type pairCosine struct {
	Name   string  `json:"name"`
	A      string  `json:"a"`
	B      string  `json:"b"`
	Cosine float64 `json:"cosine"`
}

func (s *command) measureOne(ctx context.Context, name string, texts []string) error {
	m, err := s.findModel(name)
	if err != nil {
		return err
	}
	p, _ := s.Here() // without a project there is nothing of it to embed
	t := trial{Schema: layout.Schema, Name: m.Name, ID: m.ID, Texts: layout.NonNil(texts), Cosines: [][]float64{}}
	material, own := s.material(ctx, p)
	t.Own, t.Before = own, residentBytes()
	counts := []int{1}
	if n := runtime.GOMAXPROCS(0); n > 1 {
		counts = append(counts, n)
	}
	for _, threads := range counts {
		last := threads == counts[len(counts)-1]
		if err := s.tryThreads(ctx, m, threads, material, func(e *transformer.Model) error {
			if !last {
				return nil
			}
			t.With, t.Dimension = residentBytes(), e.Description().Dimension
			t.Runtime, t.Version = transformer.RuntimeInUse()
			return s.comparePairs(ctx, p, m, e, &t)
		}, &t); err != nil {
			return unopened(err, m)
		}
	}
	if !m.Tested { // there was no library when it was added
		m.Dimension, m.Tested = t.Dimension, true
		if err := models.Add(s.home, m); err != nil {
			return err
		}
	}
	if s.asJSON {
		return layout.Encode(s.Out, t)
	}
	s.writeTrial(m, t)
	return nil
}

// unopened adds hints to the error of a model that cannot be opened.
func unopened(err error, m models.Model) error {
	if errors.Is(err, transformer.ErrNoRuntime) || errors.Is(err, context.Canceled) {
		return err
	}
	again := ""
	if call := dialect.Command("model", "add", m.Dir, "--graph", m.Graph, "--name", m.Name); call != "" {
		again = "take its files up as they are now: " + call
	}
	return cli.Hint(err, "look at it: "+dialect.Command("model", "show", m.Name), again)
}

// tryThreads opens a model with some threads, measures it on texts, and calls more before it closes
// it.
func (s *command) tryThreads(
	ctx context.Context, m models.Model, threads int, texts []doc.Passage, more func(*transformer.Model) error, t *trial,
) (err error) {
	e, err := s.openModel(ctx, m, threads)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, e.Close()) }()
	defer s.waiting("embedding texts")()
	rate, err := measure(ctx, e, texts, measureFor)
	if err != nil {
		return err
	}
	var times []time.Duration
	for range 9 {
		began := time.Now()
		if _, err := e.EmbedQuestion(ctx, []doc.QuestionPart{{Text: pairs[1].b, Weight: 1}}); err != nil {
			return err
		}
		times = append(times, time.Since(began))
	}
	slices.Sort(times)
	t.Speeds = append(t.Speeds, speed{threads, layout.Round(rate), layout.Milliseconds(times[len(times)/2])})
	return more(e)
}

// material returns texts to measure by: those of the project, else sentences of ours.
func (s *command) material(ctx context.Context, p project.Place) (texts []doc.Passage, own bool) {
	if p.ID != "" {
		var kinds []doc.Kind
		for _, g := range models.Groups() {
			kinds = append(kinds, models.Kinds(g)...)
		}
		if texts, err := project.SomeTexts(ctx, p, kinds, sampled); err == nil && len(texts) > 0 {
			return texts, true
		}
	}
	for _, pair := range pairs {
		texts = append(texts, doc.Passage{Body: pair.a}, doc.Passage{Body: pair.b})
	}
	return texts, false
}

// comparePairs computes the cosines, and the costs of the project.
func (s *command) comparePairs(ctx context.Context, p project.Place, m models.Model, e doc.BatchEmbedder, t *trial) error {
	var bodies []string
	for _, pair := range pairs {
		bodies = append(bodies, pair.a, pair.b)
	}
	vectors, err := vectorsOf(ctx, e, append(bodies, t.Texts...))
	if err != nil {
		return err
	}
	for i, pair := range pairs {
		t.Pairs = append(t.Pairs, pairCosine{pair.name, pair.a, pair.b, layout.Round(cosine(vectors[2*i], vectors[2*i+1]))})
	}
	own := vectors[len(bodies):]
	for _, a := range own {
		row := make([]float64, len(own))
		for j, b := range own {
			row[j] = layout.Round(cosine(a, b))
		}
		t.Cosines = append(t.Cosines, row)
	}
	t.Costs = []cost{}
	if p.ID == "" {
		return nil
	}
	t.Costs, err = s.costs(ctx, p, m, models.Groups(), e)
	return err
}

// vectorsOf returns the vectors of texts.
func vectorsOf(ctx context.Context, e doc.BatchEmbedder, texts []string) ([][]int8, error) {
	passages := make([]doc.Passage, len(texts))
	for i, text := range texts {
		passages[i].Body = text
	}
	n := e.Dimension()
	all := make([]int8, n*len(texts))
	if err := e.EmbedPassages(ctx, all, passages); err != nil {
		return nil, err
	}
	return slices.Collect(slices.Chunk(all, n)), nil
}

func cosine(a, b []int8) float64 {
	dot := 0.0
	for i := range a {
		dot += float64(a[i]) * float64(b[i])
	}
	if length := norm(a) * norm(b); length > 0 {
		return dot / length
	}
	return 0
}

func norm(v []int8) float64 {
	sum := 0.0
	for _, x := range v {
		sum += float64(x) * float64(x)
	}
	return math.Sqrt(sum)
}

func (s *command) writeTrial(m models.Model, t trial) {
	fmt.Fprintf(s.Out, "%s: %d dimensions, %s; ONNX Runtime %s (%s)\n", m.Name, t.Dimension, sizeText(m.Bytes),
		layout.Plain(t.Version), layout.Plain(t.Runtime))
	of := "texts of this project"
	if !t.Own {
		of = "short sentences"
	}
	fmt.Fprintf(s.Out, "threads  %s a second  ms a question\n", of)
	for _, v := range t.Speeds {
		fmt.Fprintf(s.Out, "%7d  %*.1f  %13.1f\n", v.Threads, len(of)+len(" a second"), v.Texts, v.Question)
	}
	if t.Before != nil && t.With != nil {
		fmt.Fprintf(s.Out, "uses %s before, %s with the model\n", sizeText(*t.Before), sizeText(*t.With))
	} else {
		fmt.Fprintln(s.Out, "what memory it uses is not known on this system")
	}
	fmt.Fprintln(s.Out, "cosines:")
	for _, x := range t.Pairs {
		fmt.Fprintf(s.Out, "  %-9s %5.2f  %s\n", x.Name, x.Cosine, x.B)
	}
	s.writeMatrix(t)
	if len(t.Costs) > 0 {
		fmt.Fprintln(s.Out, "this project:")
		s.writeCosts(t.Costs)
	}
}

// writeMatrix prints the cosines of the texts that were given.
func (s *command) writeMatrix(t trial) {
	for i, row := range t.Cosines {
		fmt.Fprintf(s.Out, "  %d", i+1)
		for _, x := range row {
			fmt.Fprintf(s.Out, " %5.2f", x)
		}
		fmt.Fprintf(s.Out, "  %s\n", layout.Clip(layout.OneLine(t.Texts[i]), 60))
	}
}
