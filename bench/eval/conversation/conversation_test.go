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
	for _, text := range []string{
		talk, "[" + talk + "]",
		`[{"sample_id":"x","conversation":` + talk + `,"qa":` + talk[strings.LastIndex(talk, `"qa":`)+5:len(talk)-1] +
			"}]",
	} {
		list, err := Parse("x", []byte(text))
		if err != nil || len(list) != 1 {
			t.Fatalf("%v: %+v", err, list)
		}
		c := list[0]
		if c.Name != "x" || len(c.Turns) != 3 || len(c.Questions) != 3 ||
			c.Turns[1].Text != "A grey cat. a cat on a sofa" ||
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
	if err := Text(&text, rows); err != nil || !strings.Contains(text.String(), "(categories 1-4) (1)") {
		t.Errorf("%v\n%s", err, text.String())
	}
}

const chat = `[{"batch_number":1,"turns":[[{"role":"user","id":0,"time_anchor":"March-15-2024","content":"My cat is grey ->-> 1,1"},
{"role":"assistant","id":1,"content":"Noted."}]]},{"batch_number":2,"turns":[[{"role":"user","id":2,"content":"It is black now"}]]}]`

const probes = `{"knowledge_update":[{"question":"What is my cat's colour?","answer":"black","source_chat_ids":{"first_1":[0],"then":[2]}}],
"abstention":[{"question":"Why?"}]}`

func TestParseBEAM(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "100K", "7")
	if err := os.MkdirAll(filepath.Join(dir, "probing_questions"), 0o700); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"chat.json": chat, "probing_questions/probing_questions.json": probes} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	list, err := LoadBEAM(filepath.Dir(dir))
	if err != nil || len(list) != 1 {
		t.Fatalf("%v: %+v", err, list)
	}
	c := list[0]
	if c.Name != "100K-7" || len(c.Turns) != 3 || c.Turns[0].Text != "My cat is grey" || c.Turns[1].At.Month() != 3 ||
		len(c.Questions) != 2 || !slices.Equal(c.Questions[1].Evidence, []int{0, 2}) {
		t.Errorf("%+v", c)
	}
	var text strings.Builder
	if err := Text(&text, Run(list, embed.Base())); err != nil || !strings.Contains(text.String(), "core (1)") {
		t.Errorf("%v\n%s", err, text.String())
	}
}

func FuzzParseBEAM(f *testing.F) {
	f.Add([]byte(chat), []byte(probes))
	f.Fuzz(func(t *testing.T, a, b []byte) {
		c, err := ParseBEAM(a, b)
		for _, q := range c.Questions {
			for _, e := range q.Evidence {
				if err != nil || e >= len(c.Turns) {
					t.Fatalf("%v: evidence %d of %d turns", err, e, len(c.Turns))
				}
			}
		}
	})
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
