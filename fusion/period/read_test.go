package period

import (
	"testing"
	"time"
)

// monday is the current day in all tests, a Monday.
var monday = time.Date(2026, time.November, 23, 15, 4, 5, 0, time.UTC)

func TestRead(t *testing.T) {
	const nothing = "any time"
	for _, c := range []struct{ text, want, phrase string }{
		// Years.
		{"what changed in the parser in 2024", "2024-01-01 to 2024-12-31", "in 2024"},
		{"In 2024, who worked on the lexer", "2024-01-01 to 2024-12-31", "In 2024"},
		{"how did caching change during 2023", "2023-01-01 to 2023-12-31", "during 2023"},
		{"commits about retries since 2025", "since 2025-01-01", "since 2025"},
		{"commits about retries after 2023", "since 2024-01-01", "after 2023"},
		{"commits about retries before 2020", "until 2019-12-31", "before 2020"},
		{"commits about retries until 2020", "until 2020-12-31", "until 2020"},
		{"changes between 2022 and 2023", "2022-01-01 to 2023-12-31", "between 2022 and 2023"},
		{"changes from 2022 to 2023 in the scheduler", "2022-01-01 to 2023-12-31", "from 2022 to 2023"},
		{"changes since 2022 before 2024", "2022-01-01 to 2023-12-31", "since 2022 before 2024"},
		{"commits of 2021", "2021-01-01 to 2021-12-31", "of 2021"},
		{"retry logic in 2024", "2024-01-01 to 2024-12-31", "in 2024"},
		{"when was tls dropped, back in 2019?", "2019-01-01 to 2019-12-31", "back in 2019"},
		// Months and days.
		{"auth changes since March 2025", "since 2025-03-01", "since March 2025"},
		{"auth changes since march 2025", "since 2025-03-01", "since march 2025"},
		{"retry backoff since March 2025", "since 2025-03-01", "since March 2025"},
		{"what was added in Feb 2024?", "2024-02-01 to 2024-02-29", "in Feb 2024"},
		{"what changed in October", "2026-10-01 to 2026-10-31", "in October"},
		{"what changed in December", "2025-12-01 to 2025-12-31", "in December"},
		{"fixes on 2024-03-01", "2024-03-01", "on 2024-03-01"},
		{"fixes since 2024-03 in the pool", "since 2024-03-01", "since 2024-03"},
		{"what changed on 1 March 2024", "2024-03-01", "on 1 March 2024"},
		{"what changed on March 1, 2024 in the cache", "2024-03-01", "on March 1, 2024"},
		{"releases in Q1 2024", "2024-01-01 to 2024-03-31", "in Q1 2024"},
		{"changes after 2024-12-31", "since 2025-01-01", "after 2024-12-31"},
		// Relative.
		{"what changed last month", "2026-10-01 to 2026-10-31", "last month"},
		{"what did we do last week on the index", "2026-11-16 to 2026-11-22", "last week"},
		{"commits from last year about sqlite", "2025-01-01 to 2025-12-31", "from last year"},
		{"parser bugs last month", "2026-10-01 to 2026-10-31", "last month"},
		{"what changed this week", "since 2026-11-23", "this week"},
		{"what was done this month", "since 2026-11-01", "this month"},
		{"what happened yesterday", "2026-11-22", "yesterday"},
		{"commits from today", "2026-11-23", "from today"},
		{"changes in the last 3 weeks", "since 2026-11-02", "in the last 3 weeks"},
		{"commits of the last two days", "since 2026-11-21", "of the last two days"},
		{"what changed 3 months ago", "2026-08-01 to 2026-08-31", "3 months ago"},
		{"who changed the lock a year ago", "2025-01-01 to 2025-12-31", "a year ago"},
		{"work on ranking over the past month", "since 2026-10-23", "over the past month"},
		{"show commits since yesterday", "since 2026-11-22", "since yesterday"},
		{"which files changed last week", "2026-11-16 to 2026-11-22", "last week"},

		// Numbers that are not years.
		{"in 404", nothing, ""},
		{"what changed in 404 handling", nothing, ""},
		{"http 2024-byte header was cut", nothing, ""},
		{"what changed in 2024-byte chunks", nothing, ""},
		{"was the request split in 2048 bytes", nothing, ""},
		{"commits that wait in 2000 ms steps", nothing, ""},
		{"what did rfc 2024 change", nothing, ""},
		{"fix the timeout after 2000 ms", nothing, ""},
		{"timeout after 2000", nothing, ""},
		{"retries end before 2000", nothing, ""},
		{"how is port 2024 opened", nothing, ""},
		{"fixed in version 2024 of the schema", nothing, ""},
		{"changes in ES2015", nothing, ""},
		{"changed in 1024 files", nothing, ""},
		{"was the bug fixed in #2024", nothing, ""},
		{"the year 2038 problem in 2038", nothing, ""},
		{"changes since v2.0", nothing, ""},
		{"changes since 2.0", nothing, ""},
		{"commits after 2024.1.0", nothing, ""},
		{"commits before abc2024", nothing, ""},
		// Dates in questions about programs that handle dates.
		{"how are dates before 2000-01-01 parsed", nothing, ""},
		{"parse dates before 1995-01-01", nothing, ""},
		{"leap years since 2000", nothing, ""},
		{"format 2024-03-01 as a date", nothing, ""},
		{"how to compute last month", nothing, ""},
		{"the first day of last month", nothing, ""},
		{"how does it filter rows changed last week", nothing, ""},
		{"find rows created in the last 7 days", nothing, ""},
		{"delete sessions older than 3 months ago", nothing, ""},
		{"last week number", nothing, ""},
		{"last 10 lines of the log", nothing, ""},
		{"show the last commit", nothing, ""},
		{"the last day of month", nothing, ""},
		{"expire tokens after 30 days", nothing, ""},
		{"events may march in step", nothing, ""},
		{"what did the march of events change", nothing, ""},
		{"may the lock be taken in may", nothing, ""},
		{"how does this week view render", nothing, ""},
		{"where is yesterday computed", nothing, ""},
		{"implement relative dates like 2 days ago", nothing, ""},
		// Quoted words are searched for and not read.
		{`what changed "in 2024"`, nothing, ""},
		{"what changed `last month`", nothing, ""},
		{"what changed 'since 2024' here", nothing, ""},
		// Two times that do not make one span, or contradict each other.
		{"what changed in 2023 and in 2024", nothing, ""},
		{"what changed since 2024 before 2023", nothing, ""},
		{"what changed in 2099", nothing, ""},
		{"", nothing, ""},
	} {
		r := Read(c.text, monday)
		if r.Span.String() != c.want || r.Phrase != c.phrase {
			t.Errorf("%q: %s %q, want %s %q", c.text, r.Span, r.Phrase, c.want, c.phrase)
		}
	}
}

func TestPeople(t *testing.T) {
	// The authors of a history, and some whose names are also common words.
	known := [][2]string{
		{"Ann Lee", "ann@example.com"},
		{"Grant Mark", "gm@example.com"},
		{"Default Name", "name@example.com"},
		{"Jean-Luc Picard", "jl.picard@example.org"},
		{"AJ Alt", "alt@example.com"},
		{"PR Id", "id@example.com"},
		{"dependabot[bot]", "49699333+dependabot[bot]@users.noreply.github.com"},
	}
	first := func(text string) string {
		for _, p := range People(text) {
			for _, a := range known {
				if Is(a[0], a[1], p.Name) {
					return p.Phrase
				}
			}
		}
		return ""
	}
	for text, want := range map[string]string{
		"commits by Ann":                              "by Ann",
		"commits by ann":                              "by ann",
		"commits by Ann Lee in 2024":                  "by Ann Lee",
		"commits about the parser by Ann":             "by Ann",
		"what was changed by ann last month":          "by ann",
		"changes from Ann since 2024":                 "from Ann",
		"commits by ann@example.com":                  "by ann@example.com",
		"Ann's changes to the parser":                 "Ann's",
		"ann's commits":                               "ann's",
		"what did Ann change in the lexer":            "Ann",
		"what has Ann Lee fixed":                      "Ann Lee",
		"fixes by Jean-Luc Picard":                    "by Jean-Luc Picard",
		"fixes by jl.picard":                          "by jl.picard",
		"commits by AJ in 2019":                       "by AJ",
		"commits by aj":                               "",
		"the index is sorted by AJ":                   "",
		"commits grouped by ID":                       "",
		"changed by ID":                               "",
		"bumped by dependabot":                        "by dependabot",
		"work done by Grant Mark":                     "by Grant Mark",
		"sorted by name":                              "",
		"rows sorted by Name":                         "",
		"commits sorted by name":                      "",
		"changed by default":                          "",
		"what was changed by default in the settings": "",
		"added by name":                               "",
		"commits grouped by mark":                     "",
		"was it made by hand":                         "",
		"group by id":                                 "",
		"how are changes by Ann found":                "",
		"call by value":                               "",
		"passed by reference":                         "",
		"limited by grant":                            "",
		"replace Ann by Lee":                          "",
		"written by me":                               "",
		"commits by nobody":                           "",
		`commits "by Ann"`:                            "",
		"commits 'by Ann'":                            "",
		"the index is split by ann":                   "by ann", // people split things
		"stand by Ann":                                "",
		"step by step changes":                        "",
		"what did the lexer change":                   "",
		"changes from main":                           "",
		"changes from default":                        "",
		"two by two":                                  "",
		"by":                                          "",
		"":                                            "",
	} {
		if got := first(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestParse(t *testing.T) {
	for value, want := range map[string]string{
		"2024": "2024-01-01 to 2024-12-31", "2024-03": "2024-03-01 to 2024-03-31", "2024-03-01": "2024-03-01",
		"2024/03/01": "2024-03-01", "2999-12-31": "2999-12-31", "March 2024": "2024-03-01 to 2024-03-31",
		"1 Mar 2024":   "2024-03-01",
		"3 months ago": "2026-08-01 to 2026-08-31", "10 days ago": "2026-11-13",
		"2 weeks ago":          "2026-11-09 to 2026-11-15",
		"a couple of days ago": "2026-11-21", "last month": "2026-10-01 to 2026-10-31",
		"last week": "2026-11-16 to 2026-11-22",
		"this year": "since 2026-01-01", "today": "2026-11-23", "yesterday": "2026-11-22",
		"last 3 weeks":        "since 2026-11-02",
		"2024-03-01T12:00:00": "2024-03-01", "2024-03-01T12:00:00Z": "2024-03-01",
		"Q3 2025": "2025-07-01 to 2025-09-30",
	} {
		s, err := Parse(value, monday)
		if err != nil || s.String() != want {
			t.Errorf("%q: %s, %v; want %s", value, s, err, want)
		}
	}
	for _, value := range []string{
		"", "soon", "2024-13", "2024-02-30", "404", "20240301", "last", "3 ago", "ago", "the", "-1 days ago",
		"99999 years ago", "a couple of",
	} {
		if s, err := Parse(value, monday); err == nil {
			t.Errorf("%q: %s, want an error", value, s)
		}
	}
}

// A month before the 31st is the previous month, even if that has no such day.
func TestEndsOfMonths(t *testing.T) {
	for _, c := range []struct{ now, value, want string }{
		{"2026-03-31", "a month ago", "2026-02-01 to 2026-02-28"},
		{"2026-03-31", "last 1 month", "since 2026-02-28"},
		{"2026-05-31", "3 months ago", "2026-02-01 to 2026-02-28"},
		{"2024-02-29", "last 1 year", "since 2023-02-28"},
		{"2026-03-01", "past 2 days", "since 2026-02-27"},
	} {
		now, err := time.Parse(time.DateOnly, c.now)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := Parse(c.value, now); err != nil || got.String() != c.want {
			t.Errorf("%q on %s: %s, %v, want %s", c.value, c.now, got, err, c.want)
		}
	}
}

func TestMatches(t *testing.T) {
	for _, c := range []struct {
		part string
		want bool
	}{{"ann", true}, {"Ann Lee", true}, {"@example.com", true}, {"lee <ann@", true}, {"bob", false}} {
		if got := Matches("Ann Lee", "ann@example.com", c.part); got != c.want {
			t.Errorf("%q: %v", c.part, got)
		}
	}
}

// Any text is a legal question: the phrase must be set if and only if the span is, and the span
// must be in order.
func FuzzRead(f *testing.F) {
	for _, s := range []string{
		"commits since March 2025", "what did Ann change last 3 weeks", "between 2022 and", "'", "by", "a couple of",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		r := Read(s, monday)
		if (r.Phrase == "") == r.Set() {
			t.Fatalf("%q: phrase %q, span %s", s, r.Phrase, r.Span)
		}
		if !r.Since.IsZero() && !r.Until.IsZero() && !r.Since.Before(r.Until) {
			t.Fatalf("%q: %s ends before it begins", s, r.Span)
		}
		for _, p := range People(s) {
			if p.Name == "" || p.Phrase == "" {
				t.Fatalf("%q: %+v", s, p)
			}
		}
		_, _ = Parse(s, monday)
	})
}
