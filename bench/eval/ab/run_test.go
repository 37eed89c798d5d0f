package ab

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"patina/actors/api"
	"patina/belief"
	"patina/belief/knowledge"
	"patina/belief/verify"
	"patina/code/lookup"
	"patina/store/doc"
)

// A scripted engine answers every question with the belief b, x.go (with a note of the belief c)
// and y.go, as far as the request permits.
type scripted struct {
	asked int
	fail  func(r api.Request) error
}

func (s *scripted) Scry(ctx context.Context, r api.Request) (*api.Answer, error) {
	s.asked++
	if s.fail != nil {
		if err := s.fail(r); err != nil {
			return nil, err
		}
	}
	a := &api.Answer{QueryID: fmt.Sprintf("q_26112%d_abc", s.asked), Query: r.Text}
	add := func(d doc.Description) {
		a.Results = append(a.Results, api.Result{Rank: len(a.Results) + 1, Description: d})
	}
	if r.Tuning.Keeps("belief", "belief") {
		add(doc.Description{
			DocID: "belief:b.md", Shown: "belief:b", Kind: doc.Belief, Path: "b.md",
			Belief: &belief.Note{Belief: belief.Belief{ID: "b"}},
		})
	}
	add(doc.Description{
		DocID: "x.go::F", Kind: doc.Code, Path: "x.go",
		Links: []doc.Link{{Relation: "belief", Target: "belief:c"}, {Relation: "callers", Target: "y.go"}},
	})
	add(doc.Description{DocID: "y.go", Kind: doc.Code, Path: "y.go"})
	return a, ctx.Err()
}

func (s *scripted) Detail(_ context.Context, r api.DetailRequest) (*api.DetailAnswer, error) {
	kinds := map[string]doc.Kind{
		"belief:b": doc.Belief, "belief:c": doc.Belief, "belief:d": doc.Belief,
		"x.go": doc.Code, "x.go::F": doc.Code, "y.go": doc.Code, "z.go": doc.Code,
	}
	k, ok := kinds[r.DocID]
	if !ok {
		return nil, fmt.Errorf("open %q: %w", r.DocID, lookup.ErrNoDocument)
	}
	return &api.DetailAnswer{
		Description: doc.Description{DocID: r.DocID, Kind: k},
		Body:        "all of " + r.DocID + ", where cups are poured",
	}, nil
}

func (s *scripted) Reach(context.Context, api.ReachRequest) (*api.ReachAnswer, error) {
	return &api.ReachAnswer{Beliefs: []verify.BeliefReach{{
		ID:      "c",
		Reached: []knowledge.Reached{{Path: "x.go", Score: 0.9}},
	}}}, nil
}

// printed lists the documents in an answer, in the manner of package deliver.
func printed(a *api.Answer, _ int) (string, error) {
	text := a.QueryID + "  4 ms\n"
	for _, r := range a.Results {
		name := r.Path
		if r.Description.Belief != nil {
			name = r.Description.Belief.ID
		}
		text += name + "\n"
		for _, l := range r.Description.Links {
			text += l.Relation + " " + l.Target + "\n"
		}
	}
	return text + "patina scry --detail " + a.QueryID + " 1\n", nil
}

func arms(t *testing.T, specs ...string) (out []Arm) {
	t.Helper()
	for _, s := range specs {
		a, err := ParseArm(s)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, a)
	}
	return out
}

var tasks = []Task{
	{
		ID: "one", Kind: TaskOriented, Query: "pour a cup", Knowledge: []Need{{"belief:b"}, {"belief:c"}},
		Code: []Need{{"x.go"}, {"y.go", "gone.go"}},
	},
	{ID: "two", Kind: KnowledgeSeeking, Query: "who pours", Knowledge: []Need{{"belief:d", "belief:b"}}},
}

// By hand: without beliefs x.go has a note of c, and b cannot be known. With beliefs b is first, so
// x.go is second. An arm without beliefs can know only c.
func TestRun(t *testing.T) {
	r, err := Run(t.Context(), &scripted{}, tasks, arms(t, "annotations", "beliefs-on", "beliefs-off"),
		Options{Seed: 1, Print: printed})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Groups) != 3 || r.Groups[0].Kind != TaskOriented || r.Groups[2].Tasks != 2 || r.Groups[2].Coding != 1 {
		t.Fatalf("groups %+v", r.Groups)
	}
	g := r.Groups[0]
	for i, want := range []struct {
		arm                                                        string
		knowledge, code, first, score, bestKnowledge, bestCode, of float64
	}{
		{"annotations", 0.5, 1, 1, 1.5, 0.5, 1, 1.5},
		{"beliefs-on", 1, 1, 0.5, 2, 1, 1, 2},
		{"beliefs-off", 0, 1, 1, 1, 0, 1, 1},
	} {
		f := g.Arms[i]
		if f.Arm != want.arm || f.Knowledge.Mean != want.knowledge || f.Code.Mean != want.code ||
			f.First.Mean != want.first || f.Score.Mean != want.score ||
			f.Best.Knowledge != want.bestKnowledge || f.Best.Code != want.bestCode || f.Best.Score != want.of {
			t.Errorf("%+v, want %+v", f, want)
		}
	}
	if d := g.Differences[0]; d.Arm != "beliefs-on" || d.Base != "annotations" || d.Delta.Mean != 0.25 ||
		d.AtMost != 0.25 || d.First.Mean != -0.5 || len(d.PushedOut)+len(d.BroughtIn) != 0 || d.Replaced.Mean != 0 {
		t.Errorf("difference %+v", d)
	}
	if seeking := r.Groups[1]; seeking.Arms[0].Score.Mean != 0 || seeking.Arms[1].Score.Mean != 2 ||
		seeking.Arms[0].Best.Score != 0 || seeking.Differences[0].Delta.Mean != 1 {
		t.Errorf("knowledge-seeking %+v", seeking)
	}
	if !slices.Equal(r.Missing, []string{"gone.go"}) || len(r.Failed)+len(r.Dropped)+len(r.Notes) != 0 {
		t.Errorf("missing %q, failed %v, dropped %q, notes %q", r.Missing, r.Failed, r.Dropped, r.Notes)
	}
	if o := g.Overlap; o.Knowledge != 1 || o.Code != 1 { // "pour" and "cup", as stems
		t.Errorf("overlap %+v", o)
	}
}

// Equal arms do not differ. An arm that may show less shows less: a lower limit pushes code out,
// and the report names it.
func TestControls(t *testing.T) {
	r, err := Run(t.Context(), &scripted{}, tasks, arms(t, "a:", "b:"), Options{Print: printed})
	if err != nil {
		t.Fatal(err)
	}
	for _, g := range r.Groups {
		d := g.Differences[0]
		if d.Delta != (Interval{}) || d.Code != (Interval{}) || d.Replaced != (Interval{}) || d.Tokens != (Interval{}) {
			t.Errorf("%s: equal arms differ: %+v", g.Kind, d)
		}
	}
	r, err = Run(t.Context(), &scripted{}, tasks, arms(t, "annotations", "beliefs-on"), Options{K: 2, Print: printed})
	if err != nil {
		t.Fatal(err)
	}
	d := r.Groups[0].Differences[0]
	if d.Code.Mean != -0.5 || len(d.PushedOut) != 1 || d.PushedOut[0] != (Moved{"one", "y.go"}) ||
		d.Replaced.Mean != 0.5 {
		t.Errorf("of the first two results: %+v", d)
	}
	// Two places have two of four needs. Each half of the needs can be reached alone.
	if b := r.Groups[0].Arms[1].Best; b.Knowledge != 1 || b.Code != 1 {
		t.Errorf("at most %+v", b)
	}
	if r.Groups[0].Arms[0].Best.Knowledge != 0.5 {
		t.Errorf("notes at most %+v", r.Groups[0].Arms[0].Best)
	}
}

// Equal seeds give equal reports, byte for byte.
func TestSameSeedSameReport(t *testing.T) {
	report := func(seed uint64) string {
		r, err := Run(t.Context(), &scripted{}, tasks, arms(t, "annotations", "beliefs-on", "full"),
			Options{Seed: seed, Print: printed})
		if err != nil {
			t.Fatal(err)
		}
		b, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	if a, b := report(3), report(3); a != b {
		t.Errorf("two reports of one seed:\n%s\n%s", a, b)
	}
}

// A task that one arm cannot answer counts for no arm, and is named.
func TestFailuresArePaired(t *testing.T) {
	e := &scripted{fail: func(r api.Request) error {
		if r.Text == "who pours" && !r.Tuning.Keeps("", "belief") {
			return errors.New("the disk is gone")
		}
		return nil
	}}
	r, err := Run(t.Context(), e, tasks, arms(t, "annotations", "beliefs-on"), Options{Print: printed})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Groups) != 1 || r.Groups[0].Kind != TaskOriented || len(r.Failed) != 1 ||
		r.Failed[0] != (Failure{"two", "annotations", "the disk is gone"}) {
		t.Errorf("groups %+v, failed %+v", r.Groups, r.Failed)
	}
	var text strings.Builder
	if err := r.Text(&text); err != nil || !strings.Contains(text.String(),
		"no answer to two by annotations: the disk is gone\n") {
		t.Errorf("%v\n%s", err, text.String())
	}
}

// Arms that cannot be compared are an error. Documents that the index does not have are left out,
// and named.
func TestNothingToCompare(t *testing.T) {
	on := arms(t, "annotations", "beliefs-on")
	elsewhere := []Task{{ID: "far", Kind: TaskOriented, Query: "q", Code: []Need{{"other.go"}}}}
	for name, test := range map[string]struct {
		tasks []Task
		arms  []Arm
		k     int
		want  string
	}{
		"no tasks":    {nil, on, 0, "no tasks"},
		"one arm":     {tasks, on[:1], 0, "two arms"},
		"twice":       {tasks, []Arm{on[0], on[0]}, 0, `two arms named "annotations"`},
		"short limit": {tasks, arms(t, "a:limit=5", "b:"), 0, `arm "a": limit 5 is less than the 10`},
		"negative":    {tasks, on, -1, "want 1 or more"},
		"elsewhere":   {elsewhere, on, 0, ErrOther.Error()},
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := Run(t.Context(), &scripted{}, test.tasks, test.arms,
				Options{K: test.k, Print: printed}); err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("%v, want %q", err, test.want)
			}
		})
	}
	r, err := Run(t.Context(), &scripted{}, append(elsewhere, tasks...), on, Options{Print: printed})
	if err != nil || !slices.Equal(r.Dropped, []string{"far"}) || len(r.Rows) != 4 {
		t.Errorf("%v: dropped %q, %d rows", err, r.Dropped, len(r.Rows))
	}
	r, err = Run(t.Context(), &unbelieving{}, []Task{{ID: "x", Kind: TaskOriented, Query: "q", Code: []Need{{"x.go"}}}},
		on, Options{Print: printed})
	if err != nil || len(r.Notes) != 1 || !strings.Contains(r.Notes[0], "holds no belief") {
		t.Errorf("%v: notes %q", err, r.Notes)
	}
}

// An unbelieving engine has no beliefs.
type unbelieving struct{ scripted }

func (*unbelieving) Reach(context.Context, api.ReachRequest) (*api.ReachAnswer, error) {
	return &api.ReachAnswer{}, nil
}

// An arm without notes shows no notes. An arm with whole documents shows them whole, within its
// budget.
func TestViews(t *testing.T) {
	x := &experiment{engine: &scripted{}, options: Options{K: 10, Print: printed}}
	text := func(spec string) (string, Row) {
		row, err := x.ask(t.Context(), tasks[0], &arms(t, spec)[0])
		if err != nil || row.Failed != "" {
			t.Fatal(err, row.Failed)
		}
		return x.texts[len(x.texts)-1], row
	}
	if got, row := text("channel"); strings.Contains(got, "belief:c") || !strings.Contains(got, "callers y.go") ||
		row.Knowledge != 0.5 {
		t.Errorf("without notes: %q, %+v", got, row)
	}
	got, row := text("whole:annotations,view=full")
	if !strings.Contains(got, "all of x.go::F, where") || !strings.Contains(got, "← belief:c") ||
		row.Tokens != len(got)/4 {
		t.Errorf("whole: %q, %+v", got, row)
	}
	if got, row := text("whole:view=full,budget=20"); len(got) > 80 || !strings.HasSuffix(got, "cut to 20 tokens\n") ||
		row.Tokens > 20 {
		t.Errorf("whole, in 20 tokens: %q, %+v", got, row)
	}
}

// An interrupted run leaves a record of all that was done.
func TestPartialRecord(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	e := &scripted{}
	e.fail = func(api.Request) error {
		if e.asked == 3 {
			cancel()
		}
		return ctx.Err()
	}
	record, err := NewRecord(t.TempDir(), time.Date(2026, 11, 23, 16, 0, 0, 0, time.UTC))
	if err != nil {
		t.Fatal(err)
	}
	on := arms(t, "annotations", "beliefs-on")
	record.Begin("tasks.json", tasks, on, Options{})
	_, err = Run(ctx, e, tasks, on, Options{Print: printed, Record: record})
	if !errors.Is(err, context.Canceled) {
		t.Fatalf("run: %v", err)
	}
	if err := record.Close(err); err != nil {
		t.Fatal(err)
	}
	if got := recorded(t, record.Path()); !slices.Equal(got, []string{"begin", "answer", "answer", "end"}) {
		t.Errorf("record %q", got)
	}
	info, err := os.Stat(record.Path())
	if err != nil || info.Mode().Perm() != 0o600 || !strings.HasSuffix(record.Path(), "20261123T160000Z.jsonl") {
		t.Errorf("%v: %s %v", err, record.Path(), info.Mode())
	}
}

// recorded lists the kinds of a record's lines.
func recorded(t *testing.T, path string) (kinds []string) {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	s := bufio.NewScanner(f)
	s.Buffer(nil, 1<<22)
	for s.Scan() {
		var line struct {
			Is string          `json:"is"`
			Of json.RawMessage `json:"of"`
		}
		if err := json.Unmarshal(s.Bytes(), &line); err != nil || len(line.Of) == 0 {
			t.Fatalf("line %q: %v", s.Text(), err)
		}
		kinds = append(kinds, line.Is)
	}
	return kinds
}

// Two runs in one second get a file each. A folder that cannot be created is an error.
func TestRecords(t *testing.T) {
	dir, now := t.TempDir(), time.Now()
	a, err := NewRecord(dir, now)
	b, err2 := NewRecord(dir, now)
	if err != nil || err2 != nil || a.Path() == b.Path() {
		t.Fatal(err, err2, a.Path(), b.Path())
	}
	if _, err := NewRecord(a.Path(), now); err == nil {
		t.Error("a file is no folder")
	}
	a.keep("answer", math.NaN()) // not valid in JSON
	if err := a.Close(nil); err == nil || !strings.Contains(err.Error(), a.Path()) {
		t.Errorf("a record that lacks a line: %v", err)
	}
	if _, err := os.Stat(b.Path()); err != nil || b.Kept() || b.Close(nil) != nil {
		t.Error("a record without an answer is there until it is closed:", err)
	}
	if _, err := os.Stat(b.Path()); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a record without an answer stays: %v", err)
	}
	var none *Record
	none.keep("answer", 1)
	if none.Path() != "" || none.Close(nil) != nil {
		t.Error("no record keeps nothing")
	}
}
