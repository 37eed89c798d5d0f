package main

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const dialogues = `{"dialogues":[
{"session_uuid":"s1","current_time":"2025-03-04 (Tuesday)","dialogue_turns":[{"speaker":"User","content":"I run."}],
 "extracted_memory":[{"session_uuid":"s1","content":"runs"},{"content":""},7,{"session_uuid":"s1","content":"runs"}]},
{"session_uuid":"s2","current_time":"soon","dialogue_turns":[
 {"speaker":"User","content":"How far?","is_query":true},
 {"speaker":"Assistant","content":"5 km","memory_used":["odd",{"session_uuid":"s1","content":"runs"},
  {"session_uuid":"s9","content":"never written"},{"session_uuid":"s1","content":"runs"}]},
 {"speaker":"User","content":"And the last one?","is_query":true}],"extracted_memory":"none"}]}`

func TestParseRealMem(t *testing.T) {
	h, err := parseRealMem([]byte(dialogues))
	if err != nil || len(h.Sessions) != 2 {
		t.Fatalf("%+v, %v", h, err)
	}
	one, two := h.Sessions[0], h.Sessions[1]
	if !slices.Equal(one.Notes, []string{"runs"}) || one.At.Format("2 Jan 2006") != "4 Mar 2025" || len(two.Notes) != 0 ||
		!two.At.IsZero() {
		t.Errorf("%+v", h)
	}
	if len(two.Asked) != 1 || two.Asked[0].Text != "How far?" || !slices.Equal(two.Asked[0].Sessions, []string{"s1"}) ||
		!slices.Equal(two.Asked[0].Notes, []string{"runs"}) {
		t.Errorf("asked: %+v", two.Asked)
	}
}

// A folder without histories, and files that are none, are errors that name the file.
func TestLoadRealMemNamesFaults(t *testing.T) {
	dir := t.TempDir()
	if _, err := loadRealMem(dir); err == nil || !strings.Contains(err.Error(), "no histories in") {
		t.Errorf("an empty folder: %v", err)
	}
	file := filepath.Join(dir, "odd.json")
	for _, text := range []string{"", "7", "[]", `{"dialogues":7}`, `{"dialogues":[{"dialogue_turns":{}}]}`, dialogues[:90]} {
		write(t, file, text)
		if _, err := loadRealMem(dir); err == nil || !strings.Contains(err.Error(), "odd.json") {
			t.Errorf("%q: %v", text, err)
		}
	}
	write(t, file, `{}`)
	if list, err := loadRealMem(dir); err != nil || len(list) != 1 || list[0].Name != "odd" {
		t.Errorf("%+v, %v", list, err)
	}
}

func TestRules(t *testing.T) {
	raw := func(s string) json.RawMessage { return json.RawMessage(s) }
	s := taught{
		Types:  []string{"instruction-add", "filler-instruction-add", "filler", "instruction-update", "instruction-add", "odd"},
		Topics: []string{"Use tabs", "Eat well", "Hello", "Use spaces", "No pair"},
	}
	got := s.rules([]json.RawMessage{raw("[3,0]"), raw("[3,1]"), raw(`"x"`)}, raw("5"))
	want := []rule{{"instruction 3", "Use tabs"}, {"filler 5", "Eat well"}, {"instruction 3", "Use spaces"}}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if got := s.rules(nil, raw("-1")); len(got) != 1 {
		t.Errorf("without numbers: %q", got)
	}
}

// A dialogue without the numbers of its sessions is an error, and so is a file without a dialogue.
func TestMemoryCodeNamesFaults(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "d.json")
	for text, fault := range map[string]string{
		"{":                         "d.json",
		"[]":                        "d.json",
		`{"sessions":[{"type":7}]}`: "d.json",
		`{"sessions":[{},{}],"instructions":[[]],"fillers":[1,2]}`: "2 sessions",
	} {
		write(t, file, text)
		if err := measureMemoryCode(t.Context(), dir); err == nil || !strings.Contains(err.Error(), fault) {
			t.Errorf("%q: %v", text, err)
		}
	}
	if err := errors.Join(os.Remove(file), measureMemoryCode(t.Context(), dir)); err == nil ||
		!strings.Contains(err.Error(), "no dialogues in") {
		t.Errorf("an empty folder: %v", err)
	}
}

func TestLoadAbsurd(t *testing.T) {
	file := filepath.Join(t.TempDir(), "set.json")
	write(t, file, `[{"id":"a","query":"how long to boil an egg","expect":[]}]`)
	if got, err := loadAbsurd(file + ","); err != nil || !slices.Equal(got, []string{"how long to boil an egg"}) {
		t.Errorf("%q, %v", got, err)
	}
	if _, err := loadAbsurd(file + "x"); err == nil || !strings.Contains(err.Error(), "set.jsonx") {
		t.Errorf("a missing file: %v", err)
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(dialogues))
	f.Add([]byte(`{"sessions":[{"type":["instruction"],"topic":["a"]}],"instructions":[[[1,2]]],"fillers":[-1]}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		if h, err := parseRealMem(b); err == nil {
			for _, s := range h.Sessions {
				for _, q := range s.Asked {
					if len(q.Sessions) == 0 || len(q.Notes) == 0 {
						t.Fatalf("a question without an answer: %+v", q)
					}
				}
			}
		}
		var d dialogue
		if json.Unmarshal(b, &d) != nil || len(d.Instructions) < len(d.Sessions) || len(d.Fillers) < len(d.Sessions) {
			return
		}
		for i, s := range d.Sessions {
			if got := s.rules(d.Instructions[i], d.Fillers[i]); len(got) > len(s.Types) {
				t.Fatalf("%d rules of %d topics", len(got), len(s.Types))
			}
		}
	})
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}
