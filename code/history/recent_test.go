package history_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"patina/code/history"
	"patina/store/doc"
	"patina/store/storetest"
)

func TestRecent(t *testing.T) {
	day := func(n int) time.Time { return time.Unix(1700000000, 0).AddDate(0, 0, n).UTC() }
	r := storetest.Tree{"a.go": ";A;", "b.py": "", "new.go": ";N;"}.Build(
		t,
		doc.Revision{Subject: "first", Files: []string{"a.go", "b.py", "old.go"}, Time: day(0)},
		doc.Revision{Subject: "second", Files: []string{"a.go", "old.go"}, Time: day(5)},
		doc.Revision{Subject: "merge", Merge: true, Time: day(6)},
		doc.Revision{Subject: "late but older", Files: []string{"b.py"}, Time: day(4)},
		doc.Revision{Subject: "newest", Files: []string{"a.go", "new.go"}, Time: day(7)},
	)
	for _, test := range []struct {
		name     string
		since    time.Time
		filter   doc.Filter
		limit    int
		subjects string
		files    []history.Churn
		merges   int
		total    int
		newest   time.Time
	}{
		{"all", day(-1), doc.Filter{}, 10, "newest second late but older first", []history.Churn{{"a.go", 3, false}, {"b.py", 2, false}, {"old.go", 2, true}, {"new.go", 1, false}}, 1, 4, day(7)},
		{"on the second", day(5), doc.Filter{}, 10, "newest second", []history.Churn{{"a.go", 2, false}, {"new.go", 1, false}, {"old.go", 1, true}}, 1, 2, day(7)},
		{"limit", day(-1), doc.Filter{}, 1, "newest", []history.Churn{{"a.go", 3, false}}, 1, 4, day(7)},
		{"path", day(-1), doc.Filter{Paths: []string{"*.py"}}, 10, "late but older first", []history.Churn{{"b.py", 2, false}}, 0, 2, day(4)},
		{"language", day(-1), doc.Filter{Languages: []string{"go"}}, 10, "newest second first", []history.Churn{{"a.go", 3, false}, {"new.go", 1, false}}, 0, 3, day(7)},
		{"nothing, the newest before", day(8), doc.Filter{}, 10, "", nil, 0, 0, day(7)},
		{"nothing of a path", day(6), doc.Filter{Paths: []string{"*.py"}}, 10, "", nil, 0, 0, day(4)},
		{"nothing ever", day(-1), doc.Filter{Paths: []string{"*.c"}}, 10, "", nil, 0, 0, time.Time{}},
	} {
		p, err := history.Recent(context.Background(), r, test.since, test.filter, test.limit)
		storetest.Check(t, err)
		var subjects []string
		for _, c := range p.Commits {
			subjects = append(subjects, c.Title)
		}
		if s := strings.Join(subjects, " "); s != test.subjects || !slices.Equal(p.Files, test.files) || p.Merges != test.merges || p.Total != test.total || !p.Newest.Equal(test.newest) {
			t.Errorf("%s: %q, %+v", test.name, s, p)
		}
	}
}
