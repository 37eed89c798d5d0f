package modelcmd

import (
	"cmp"
	"context"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"time"

	"patina/ask/embedders"
	"patina/ask/project"
	"patina/cmd/internal/cli"
	"patina/oracles/transformer"
	"patina/registry/models"
	"patina/store/doc"
)

// A cost counts the texts of one group of a project that a model would have to embed, or the texts
// of other kinds that tell the scale of its cosines.
type cost struct {
	Group   string   `json:"group"`
	Texts   int      `json:"texts"`   // all
	Left    int      `json:"left"`    // those without a vector of the model
	Bytes   int64    `json:"bytes"`   // of those left
	Seconds *float64 `json:"seconds"` // estimated for those left; null if nothing was measured
}

// measureFor is the longest time for a measurement of all groups.
const measureFor = 2 * time.Second

// costs counts the texts of groups, and estimates the time for those left from some of them. e may
// be nil, then nothing is measured. A project without an index has only notes.
func (s *command) costs(
	ctx context.Context, p project.Place, m models.Model, groups []string, e doc.BatchEmbedder,
) ([]cost, error) {
	defer s.waiting("counting the texts")()
	n, err := project.Unembedded(ctx, p, m.ID, kindsOf(groups))
	if err != nil {
		return nil, cli.Explained(err, p)
	}
	var out []cost
	for _, g := range groups {
		c := cost{Group: g}
		for _, k := range models.Kinds(g) {
			a := n.Kinds[k]
			c.addTexts(a.Texts, a.Left, a.Bytes)
		}
		out = append(out, c)
	}
	if n.Scale.Left > 0 {
		out = append(out, cost{Group: scaleGroup, Texts: n.Scale.Texts, Left: n.Scale.Left, Bytes: n.Scale.Bytes})
	}
	if e == nil {
		return out, nil
	}
	for i := range out {
		if err := s.estimateTime(ctx, p, &out[i], e, measureFor/time.Duration(len(out))); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// scaleGroup names the texts of other kinds that tell the scale of a model's cosines.
const scaleGroup = "scale"

func (c *cost) addTexts(all, left int, bytes int64) {
	c.Texts += all
	c.Left += left
	c.Bytes += bytes
}

// kindsOf returns the kinds of groups, and all of scaleGroup.
func kindsOf(groups []string) (kinds []doc.Kind) {
	for _, g := range groups {
		if g == scaleGroup {
			return kindsOf(models.Groups())
		}
		kinds = append(kinds, models.Kinds(g)...)
	}
	return kinds
}

// estimateTime sets the seconds for a group by embedding some of its texts. It begins no batch
// after the time within.
func (s *command) estimateTime(ctx context.Context, p project.Place, c *cost, e doc.BatchEmbedder, within time.Duration) error {
	if c.Left == 0 {
		c.Seconds = new(float64)
		return nil
	}
	texts, err := project.SomeTexts(ctx, p, kindsOf([]string{c.Group}), sampled)
	if err != nil || len(texts) == 0 {
		return err
	}
	r, err := measure(ctx, e, texts, within)
	if err != nil {
		return err
	}
	seconds := float64(c.Left) / r
	c.Seconds = &seconds
	return nil
}

// sampled is the number of texts that are taken for a measurement.
const sampled = 256

// measure returns how many texts a second a model embeds. It embeds batches that grow from one text
// to 32, again and again, and begins no other after a time.
func measure(ctx context.Context, e doc.BatchEmbedder, texts []doc.Passage, within time.Duration) (float64, error) {
	const most = 32
	dst := make([]int8, most*e.Dimension())
	batch, at, n := 1, 0, 0
	if err := e.EmbedPassages(ctx, dst[:e.Dimension()], texts[:1]); err != nil { // the first is slow
		return 0, err
	}
	began := time.Now()
	for n == 0 || time.Since(began) < within {
		some := make([]doc.Passage, batch)
		for i := range some {
			some[i] = texts[at%len(texts)]
			at++
		}
		if err := e.EmbedPassages(ctx, dst[:batch*e.Dimension()], some); err != nil {
			return 0, err
		}
		n += batch
		batch = min(2*batch, most)
	}
	return float64(n) / time.Since(began).Seconds(), nil
}

// openModel opens a model for a measurement, with some threads, each of which embeds a batch of its
// own; 0 means all. The error wraps transformer.ErrNoRuntime if there is no library.
func (s *command) openModel(ctx context.Context, m models.Model, threads int) (*transformer.Model, error) {
	o := embedders.Options(m)
	o.Slots, o.Threads = cmp.Or(threads, runtime.GOMAXPROCS(0)), 1
	defer s.waiting("opening the model")()
	return cli.UnlessOver(ctx, func() (*transformer.Model, error) { return transformer.Open(o) })
}

// writeCosts prints how many texts would be embedded, and how long that would take.
func (s *command) writeCosts(costs []cost) {
	total, measured := 0.0, true
	left := 0
	for _, c := range costs {
		number, noun, _ := strings.Cut(cli.Plural(c.Texts, "text"), " ")
		line := fmt.Sprintf("  %-9s  %5s %s", c.Group, number, noun)
		if c.Left < c.Texts {
			line += fmt.Sprintf(", %d to embed", c.Left)
		}
		if c.Left > 0 && c.Seconds != nil {
			line += ", " + timeText(*c.Seconds)
		}
		fmt.Fprintln(s.Out, line)
		left += c.Left
		if c.Seconds != nil {
			total += *c.Seconds
		} else {
			measured = false
		}
	}
	switch {
	case left == 0:
		fmt.Fprintln(s.Out, "Nothing is to be embedded.")
	case measured:
		fmt.Fprintf(s.Out, "To embed: %s, %s on this machine.\n", cli.Plural(left, "text"), timeText(total))
	default:
		fmt.Fprintf(s.Out, "To embed: %s; how long that takes is not known.\n", cli.Plural(left, "text"))
	}
}

// timeText writes an estimated time for people.
func timeText(seconds float64) string {
	switch d := time.Duration(seconds * float64(time.Second)); {
	case d < time.Second:
		return "less than a second"
	case d < 100*time.Second:
		return "about " + cli.Plural(int(d.Round(time.Second).Seconds()), "second")
	case d < 100*time.Minute:
		return "about " + cli.Plural(int(d.Round(time.Minute).Minutes()), "minute")
	default:
		return "about " + cli.Plural(int(d.Round(time.Hour).Hours()), "hour")
	}
}

// splitGroups returns the groups of a list with commas between, each once.
func splitGroups(list string) (groups []string, err error) {
	for _, g := range strings.Split(list, ",") {
		g = strings.ToLower(strings.TrimSpace(g))
		if models.Kinds(g) == nil {
			return nil, fmt.Errorf("%w: %.80q", models.ErrGroup, g)
		}
		if !slices.Contains(groups, g) {
			groups = append(groups, g)
		}
	}
	return groups, nil
}
