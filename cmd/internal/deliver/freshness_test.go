package deliver

import (
	"strings"
	"testing"
	"time"

	"patina/actors/api"
	"patina/cmd/internal/dialect"
	"patina/cmd/internal/layout"
	"patina/store/doc"
)

func TestFreshnessSaysWhatIsNotKnown(t *testing.T) {
	all := func(l api.Lag) *api.Lag {
		l.Files, l.Looked, l.Folders = 11478, 11478, true
		return &l
	}
	for _, test := range []struct {
		x    api.IndexState
		want string
	}{
		{api.IndexState{}, ""},
		{api.IndexState{Lag: all(api.Lag{})}, ""},
		{api.IndexState{Lag: all(api.Lag{Read: 3})}, ""},
		{api.IndexState{Behind: 1, ChangedFiles: 2}, "index is 1 commit and 2 files behind; patina scrape"},
		{
			api.IndexState{Lag: all(api.Lag{Pending: []string{"a.go", "b.go", "c.go", "d.go"}, Why: "busy"})},
			"index is 4 files behind (a.go, b.go, c.go, …); busy; patina scrape",
		},
		{
			api.IndexState{Behind: 2, Lag: all(api.Lag{New: []string{"a\x1b[1m.go"}})},
			"index is 2 commits behind; 1 new not read (a\\x1b[1m.go); patina scrape",
		},
		{
			api.IndexState{Lag: &api.Lag{Files: 11478, Looked: 8000}},
			"3,478 of 11,478 files were not checked for changes since the last scrape",
		},
		{api.IndexState{Lag: &api.Lag{Files: 11478, Looked: 8000, Quiet: true}}, ""},
		{api.IndexState{Lag: &api.Lag{Files: 5, Looked: 5}}, "new files since the last scrape may be missing"},
		{api.IndexState{Lag: &api.Lag{Folders: true, Why: "the disk hangs"}}, "the disk hangs; patina scrape"},
		{api.IndexState{Lag: &api.Lag{Files: 11478, Why: "not compared"}}, "not compared; patina scrape"},
	} {
		if got := Freshness([]api.IndexState{test.x}, dialect.CLI{}); got != test.want {
			t.Errorf("%+v: %q, want %q", test.x, got, test.want)
		}
	}
	long := all(api.Lag{Why: strings.Repeat("why ", 100)})
	for range 9 {
		long.Pending, long.New = append(long.Pending, strings.Repeat("long/", 90)),
			append(long.New, strings.Repeat("long/", 90))
	}
	if got := Lagging(long, dialect.CLI{}); len(got) > 450 {
		t.Errorf("%d bytes: %s", len(got), got)
	}
}

// Indexes of other projects must be named, and share one line.
func TestIndexesElsewhere(t *testing.T) {
	visits := map[string]Visit{"lib": {}, "other": {}, "fresh": {}}
	all := []api.IndexState{
		{Project: "app", Behind: 7},
		{Project: "lib", Behind: 2, ChangedFiles: 1},
		{Project: "fresh", Behind: -1},
		{Project: "other", Behind: 1},
	}
	if got := elsewhere(all,
		visits); got != "behind their trees: lib 2 commits and 1 file, other 1 commit; patina mother sync" {
		t.Errorf("%q", got)
	}
	if got := Freshness(atHome(all, visits), dialect.CLI{}); got != "index is 7 commits behind; patina scrape" {
		t.Errorf("%q", got)
	}
	all[2].Reparse = true
	if got := elsewhere(all[2:3],
		visits); got != "written by another version of the parsers: fresh; patina mother sync" {
		t.Errorf("%q", got)
	}
	if got := elsewhere(all, visits); !strings.HasSuffix(got,
		"other 1 commit; written by another version of the parsers: fresh; patina mother sync") {
		t.Errorf("%q", got)
	}
	if got := Freshness([]api.IndexState{{Reparse: true}},
		dialect.CLI{}); got != "index written by another version of the parsers; patina scrape" {
		t.Errorf("%q", got)
	}
	if got := elsewhere(all, nil); got != "" {
		t.Errorf("nobody was visited: %q", got)
	}
}

// Indexes of other machines are named with commit and age, in harmless text. One that did not
// answer is left out.
func TestFarIndexes(t *testing.T) {
	now := time.Date(2026, 1, 9, 12, 0, 0, 0, time.UTC)
	at := func(project, head string, ago time.Duration) api.IndexState {
		return api.IndexState{Project: project, Generation: doc.Generation{Head: head, ScrapedAt: now.Add(-ago)}}
	}
	for want, all := range map[string][]api.IndexState{
		"": {{Project: "lib"}},
		"from other machines: lib at 0123456789ab, read 30 seconds ago": {at("lib", "0123456789abcdef", 30*time.Second)},
		"from other machines: lib, read 0 seconds ago; wal at abc, read 5 days ago": {
			at("lib", "", -time.Hour), {Project: "gone"}, at("wal", "abc", 121*time.Hour),
		},
		"from other machines: lib, read 90 minutes ago": {at("lib", "", 90*time.Minute)},
		"from other machines: lib, read 47 hours ago":   {at("lib", "", 47*time.Hour)},
	} {
		if got := FarIndexes(all, now); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	got := FarIndexes([]api.IndexState{at("l\x1b[31mib\n", "\x1b]0;x\a\xff\n0123456789", 0)}, now)
	if got != layout.OneLine(got) {
		t.Errorf("%q", got)
	}
}
