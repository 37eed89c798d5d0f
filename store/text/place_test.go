package text

import (
	"fmt"
	"strings"
	"testing"
)

// The places of short questions, as "path:line function".
func TestPlaces(t *testing.T) {
	for question, want := range map[string]string{
		"src/a.go:3":                               "src/a.go:3 ",
		"compare src/a.go:3 with b.py:9:1":         "src/a.go:3 |b.py:9 ",
		"panicked at src/a.rs:3:5":                 "src/a.rs:3 ",
		"what panicked at 'no', src/a.rs:3:5 does": "src/a.rs:3 ",
		"line 3 of a.py and a.py line 4":           "a.py:4 |a.py:3 ",
		`C:\x\a.cs(3,4): error`:                    "C:/x/a.cs:3 ",
		"http://host:80/src/a.ts?t=1:3:5":          "80/src/a.ts:3 ",
		"https://host/o/r/blob/v1/src/a.ts#L3-L9":  "host/o/r/blob/v1/src/a.ts:3 ",
		"app/[id]/(x)/a.tsx:3":                     "app/[id]/(x)/a.tsx:3 ",
		"Makefile:3: *** missing separator":        "Makefile:3 ",
		"at a.b.Low.run(Low.java:3)":               "a/b/Low.java:3 Low.run",
		"f@http://host/a.js:3:5":                   "host/a.js:3 f",
		"why sqlite 3.45 and not v1.2:3":           "",
		"at 12:30 on 2026-11-27":                   "",
		"src/a.go:0 and b.go:99999999":             "",
		"what does a.go do":                        "",
	} {
		var got []string
		for _, f := range ParseQuestion(question).Mentions.Places {
			got = append(got, fmt.Sprintf("%s:%d %s", f.Path, f.Line, f.Func))
		}
		if s := strings.Join(got, "|"); s != want {
			t.Errorf("%q: %q, want %q", question, s, want)
		}
	}
}

// A place in an issue is outside of its trace, and is shown if the trace has no frame in the file.
func TestPlacesInIssues(t *testing.T) {
	q := ParseQuestion("It fails\n\nI think that src/a.py:3 is wrong, since the list is empty there, and so is src/b.py:4, see:\n\n" +
		"Traceback (most recent call last):\n  File \"/x/src/b.py\", line 9, in run\nValueError: no\n")
	a, _ := q.Mentions.FrameIn("src/a.py")
	b, _ := q.Mentions.FrameIn("src/b.py")
	if !q.Long || a.Line != 3 || b.Line != 9 {
		t.Errorf("long %v, %+v, %+v", q.Long, a, b)
	}
}

func FuzzPlaces(f *testing.F) {
	f.Add("C:\\a b\\c.cc:3:5 \"a.py\", line 3")
	f.Add("line 3 of `a/[b]/c.ts`\nat x (http://h:1/a.js?b:1:2)")
	f.Fuzz(func(t *testing.T, s string) {
		places := ParseQuestion(s).Mentions.Places
		if len(places) > maxPlaces {
			t.Fatalf("%d places", len(places))
		}
		for _, p := range places {
			if p.Path == "" || p.Line < 1 || strings.ContainsAny(p.Path, "\\\n") {
				t.Fatalf("place %+v", p)
			}
		}
	})
}
