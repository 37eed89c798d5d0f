package session

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"patina/registry/querylog"
	"patina/scrape/walk"
)

// What was asked and shown since a session began is told, of this project alone.
func TestLog(t *testing.T) {
	p := homePlace(t)
	log := querylog.In(p.Home)
	log.Now = func() time.Time { return hour(6) } // else the entries have expired
	ask := func(at time.Time, root, session, text string, results ...string) {
		t.Helper()
		q := querylog.Query{ID: querylog.NewID(at), Text: text, Root: root, Time: at}
		for _, r := range results {
			q.Results = append(q.Results, querylog.Place{DocID: r, Shown: r + ":7"})
		}
		check(t, log.Append(q))
		check(t, log.Deliver(querylog.Delivery{Time: at, Session: session, Tool: "scry", Root: root, Query: q.ID}))
	}
	show := func(at time.Time, session, id string, failed bool) {
		t.Helper()
		check(t, log.Deliver(querylog.Delivery{Time: at, Session: session, Tool: "scry", Root: p.Root, DocID: id, Failed: failed}))
	}
	ask(hour(-3), p.Root, "s0", "before it began", "old.go")
	ask(hour(1), p.Root, "s1", "how are rows locked", "a.go", "b.go", "c.go", "d.go")
	ask(hour(2), "/elsewhere", "s1", "of another project", "x.go")
	ask(hour(3), p.Root, "", "in a shell", "e.go")
	ask(hour(4), p.Root, "s1", "how are rows locked", "a.go")
	show(hour(4), "s1", "f.go", false)
	show(hour(5), "s1", "broken.go", true)
	show(hour(5), "s1", "g.go", false)
	show(hour(5), "s1", "f.go", false)

	texts := func(o Opening) (all string) {
		for _, q := range o.Asked {
			all += fmt.Sprintf("%s %s; ", q.Text, strings.Join(q.Results, " "))
		}
		return all + strings.Join(o.Opened, " ")
	}
	m := Moment{Place: p, GoesOn: true, Log: true, Now: hour(6)}
	o := Opening{Began: hour(0)}
	m.readLog(&o)
	if got, want := texts(o), "how are rows locked a.go:7; in a shell e.go:7; f.go g.go"; got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
	o = Opening{} // its beginning is not known
	m.readLog(&o)
	if got, want := texts(o), "how are rows locked a.go:7; f.go g.go"; got != want {
		t.Errorf("of the last client: %s\nwant %s", got, want)
	}
}

func TestRecordAndEdited(t *testing.T) {
	p := homePlace(t)
	m := Moment{Place: p}
	write := func(name, text string) {
		t.Helper()
		check(t, os.MkdirAll(filepath.Dir(filepath.Join(p.Root, name)), 0o755))
		check(t, os.WriteFile(filepath.Join(p.Root, name), []byte(text), 0o600))
	}
	read := func() (o Opening) {
		t.Helper()
		put, err := m.readRecord(t.Context())
		check(t, err)
		if put != nil {
			put(&o)
		}
		return o
	}
	if o := read(); o.Record != "" {
		t.Errorf("without records: %+v", o)
	}
	write("layer/sessions/notes.md", "- [ ] undated\n")
	write("layer/sessions/20260101-100000.md", "- [ ] older\n")
	write("layer/sessions/session-20260201-100000.md", "- [ ] newer\n- [x] done\n")
	write("layer/sessions/20260301.txt", "- [ ] no record\n")
	if o := read(); o.Record != "layer/sessions/session-20260201-100000.md" || len(o.Goals) != 1 || o.Goals[0].Text != "newer" {
		t.Errorf("%+v", o)
	}
	outside := filepath.Join(t.TempDir(), "secret")
	check(t, os.WriteFile(outside, []byte("- [ ] of another folder\n"), 0o600))
	check(t, os.Symlink(outside, filepath.Join(p.Root, "layer/sessions/20270101.md")))
	if put, err := m.readRecord(t.Context()); err == nil || put != nil {
		t.Error("a link out of the project was followed")
	}

	write("old.go", "")
	write("new.go", "")
	check(t, os.Chtimes(filepath.Join(p.Root, "old.go"), noon, hour(-1)))
	check(t, os.Chtimes(filepath.Join(p.Root, "new.go"), noon, hour(1)))
	o := Opening{Began: noon, Work: walk.Work{Paths: []string{"old.go", "new.go", "gone.go", "layer/"}}}
	if o.keepEdited(p.Root); fmt.Sprint(o.Edited) != "[new.go]" {
		t.Errorf("edited %q", o.Edited)
	}
}

// Without an index nothing is told but why.
func TestGatherWithoutIndex(t *testing.T) {
	p := homePlace(t)
	p.Store = filepath.Join(p.Root, ".patina")
	o := Gather(t.Context(), Moment{Place: p, ID: "x", Now: noon, Within: time.Minute})
	if o.NoIndex == nil || !o.Theirs || len(o.Changes)+len(o.Goals) > 0 {
		t.Errorf("%+v", o)
	}
	again := Gather(t.Context(), Moment{Place: p, ID: "x", Now: hour(1), Within: time.Minute})
	if o.Told || !again.Told {
		t.Errorf("told at first %v, then %v", o.Told, again.Told)
	}
	if o := Gather(t.Context(), Moment{Place: p, Now: noon, Within: time.Nanosecond}); len(o.Unknown) == 0 {
		t.Error("a session without time knows everything")
	}
}
