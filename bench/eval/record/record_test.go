package record

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"os"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"patina/bench/eval"
	"patina/bench/eval/self"
)

// report returns the report of an imagined project.
func report(mrr float64) *self.Report {
	score := self.Score{MRR: eval.Estimate{Mean: mrr, Low: mrr - 0.125, High: mrr + 0.125}}
	return &self.Report{Head: "0123456789abcdef", Sample: 20, Seed: 1, Truths: []self.Figures{
		{Truth: self.Code, N: 20, Pipelines: []self.Pipeline{
			{Name: self.Unified, Score: score},
			{Name: self.Plain, Score: self.Score{MRR: eval.Estimate{Mean: mrr / 2}}},
		}},
		{Truth: self.Memory, Why: "no memories"},
	}}
}

var day = time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC)

// Entries are read back in order, even if several processes added them. A line that is not an entry
// is counted. A project without measurements has no entries.
func TestAddAndRead(t *testing.T) {
	home := t.TempDir()
	if entries, broken, err := Read(home, "p"); len(entries) != 0 || broken != 0 || err != nil {
		t.Fatal(entries, broken, err)
	}
	first := Of(report(0.5), day)
	if len(first.Truths) != 1 || first.Truths[0].MRR[self.Plain] != 0.25 {
		t.Errorf("%+v", first)
	}
	if err := Add(home, "p", first); err != nil {
		t.Fatal(err)
	}
	f, err := os.OpenFile(File(home, "p"), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	_, err = f.WriteString("{\"schema\": 1, \"ti\n{\"schema\": 99}\n")
	if err := errors.Join(err, f.Close()); err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	for range 20 {
		all.Go(func() {
			if err := Add(home, "p", Of(report(0.25), day)); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	entries, broken, err := Read(home, "p")
	if err != nil || len(entries) != 21 || broken != 2 || !reflect.DeepEqual(entries[0], first) {
		t.Errorf("%d entries, %d broken, %v: %+v", len(entries), broken, err, entries[0])
	}
	if info, err := os.Stat(File(home, "p")); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
}

// Add must not write through a link in the place of the file.
func TestAddRefusesLinks(t *testing.T) {
	home, target := t.TempDir(), t.TempDir()+"/other"
	if err := errors.Join(os.MkdirAll(home+"/projects/p", 0o700), os.WriteFile(target, nil, 0o600),
		os.Symlink(target, File(home, "p"))); err != nil {
		t.Fatal(err)
	}
	if err := Add(home, "p", Of(report(0.5), day)); err == nil {
		t.Error("written through a link")
	}
	if b, err := os.ReadFile(target); err != nil || len(b) > 0 {
		t.Errorf("%q, %v", b, err)
	}
}

func TestText(t *testing.T) {
	partial := Of(report(0.75), day)
	partial.Partial = true
	var b bytes.Buffer
	if err := Text(&b, []Entry{Of(report(0.25), day), partial}); err != nil {
		t.Fatal(err)
	}
	want := `code → same file, MRR of unified
 0.88 │   ┊
 0.75 │   ●
 0.62 │   ┊
 0.50 │
 0.38 │ ┊
 0.25 │ ●
 0.12 │ ┊
 0.00 │
      └────
`
	if got := b.String(); !strings.HasPrefix(got, want) || strings.Count(got, "0123456789ab") != 2 ||
		strings.Count(got, "(interrupted)") != 1 {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}

// The picture is well-formed, and has a point for each pipeline and entry.
func TestSVG(t *testing.T) {
	var b bytes.Buffer
	if err := SVG(&b, []Entry{Of(report(0.25), day), Of(report(0.75), day)}); err != nil {
		t.Fatal(err)
	}
	circles := 0
	for d := xml.NewDecoder(&b); ; {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if s, ok := token.(xml.StartElement); ok && s.Name.Local == "circle" {
			circles++
		}
	}
	if circles != 4 {
		t.Errorf("%d points", circles)
	}
}

// A section has a row for each project and sort. Certain differences are bold.
func TestSection(t *testing.T) {
	r := report(0.5)
	r.Project = "tea"
	f := &r.Truths[0]
	f.Searched = []string{"lexical"}
	behind := self.Score{MRR: eval.Estimate{Mean: 0.125, Low: 0.0625, High: 0.25}}
	unsure := self.Score{MRR: eval.Estimate{Mean: 0.125, Low: -0.0625, High: 0.25}}
	f.Pipelines[1].Behind = &unsure
	f.Pipelines = append(f.Pipelines, self.Pipeline{
		Name:  "only lexical",
		Score: self.Score{MRR: eval.Estimate{Mean: 0.375}}, Behind: &behind,
	})
	var b bytes.Buffer
	if err := Section(&b, []*self.Report{r}); err != nil {
		t.Fatal(err)
	}
	want := "| tea |  | 20 | 0.500 | lexical 0.375 | 0.250 | 0.000 | **+0.125 [+0.062, +0.250]** | +0.125 [-0.062, +0.250] |\n"
	if !strings.HasSuffix(b.String(), want) || strings.Count(b.String(), "\n") != 3 {
		t.Errorf("%s\nwant\n%s", b.String(), want)
	}
	b.Reset()
	if err := Bars(&b, []*self.Report{r}); err != nil {
		t.Fatal(err)
	}
	if got := strings.Count(b.String(), "<rect x="); got != 3 {
		t.Errorf("%d bars:\n%s", got, b.String())
	}
	if err := xml.Unmarshal(b.Bytes(), new(struct{})); err != nil {
		t.Error(err)
	}
}
