package conversation

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"patina/oracles/embed"
)

const talk = `{"speaker_a":"Ann","session_1_date_time":"1:56 pm on 8 May, 2023","session_1":[
{"speaker":"Ann","dia_id":"D1:1","text":"What did you adopt?"},
{"speaker":"Bob","dia_id":"D1:2","text":"A grey cat.","blip_caption":"a cat on a sofa"}],
"session_2":[{"speaker":"Ann","dia_id":"D2:1","text":"Marathons are fun"}],"session_2_summary":"none",
"qa":[{"question":"What did Bob adopt?","answer":"a grey cat","evidence":["D1:2; D01:1"],"category":4},
{"question":"How many?","answer":3,"evidence":[],"category":1},
{"question":"What does Ann run?","evidence":["D2:1"],"category":5}]}`

func TestParse(t *testing.T) {
	for _, text := range []string{talk, "[" + talk + "]", `[{"sample_id":"x","conversation":` + talk + `,"qa":` + talk[strings.LastIndex(talk, `"qa":`)+5:len(talk)-1] + "}]"} {
		list, err := Parse("x", []byte(text))
		if err != nil || len(list) != 1 {
			t.Fatalf("%v: %+v", err, list)
		}
		c := list[0]
		if c.Name != "x" || len(c.Turns) != 3 || len(c.Questions) != 3 || c.Turns[1].Text != "A grey cat. a cat on a sofa" ||
			c.Turns[2].Session != "session_2" || c.Turns[0].At.Format("Jan 2006") != "May 2023" {
			t.Errorf("read: %+v", c)
		}
		if q := c.Questions[0]; !slices.Equal(q.Evidence, []int{1, 0}) || q.Answer != "a grey cat" {
			t.Errorf("question: %+v", q)
		}
	}
}

func TestRun(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "a.json"), []byte(talk), 0o600); err != nil {
		t.Fatal(err)
	}
	list, err := Load(dir)
	if err != nil {
		t.Fatal(err)
	}
	rows := Run(list, embed.Base())
	if len(rows) != 2 { // one question has no evidence
		t.Fatalf("%+v", rows)
	}
	if r := rows[0]; r.Recall["words"][0] != 1 || r.Shown != 1 || !r.Answered {
		t.Errorf("%+v", r)
	}
	var text strings.Builder
	if err := Text(&text, rows); err != nil || !strings.Contains(text.String(), "categories 1-4 (1)") {
		t.Errorf("%v\n%s", err, text.String())
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(talk))
	f.Fuzz(func(t *testing.T, b []byte) {
		list, err := Parse("x", b)
		if err != nil {
			return
		}
		for _, c := range list {
			for _, q := range c.Questions {
				for _, e := range q.Evidence {
					if e < 0 || e >= len(c.Turns) {
						t.Fatalf("evidence %d of %d turns", e, len(c.Turns))
					}
				}
			}
		}
	})
}
