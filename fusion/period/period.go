// Package period reads times and people from the values of flags and the words of questions.
//
// It is pure: no I/O, and no clock besides the time it is given. It does not know the history, so
// it returns the people that a question may name. The caller must decide which of them are authors.
//
// All words of a question are searched for, so a wrong reading costs more than a missed one. Words
// should be read only if a question asks for past work (history.go). Quoted words are never read.
package period

import (
	"fmt"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode"
)

// A Span is the time from Since up to, but not including, Until. A zero time means no limit.
type Span struct{ Since, Until time.Time }

// Set reports whether the span has a limit.
func (s Span) Set() bool { return !s.Since.IsZero() || !s.Until.IsZero() }

// String returns the first and the last day of a span, or "any time".
func (s Span) String() string {
	const day = time.DateOnly
	switch {
	case !s.Set():
		return "any time"
	case s.Until.IsZero():
		return "since " + s.Since.Format(day)
	case s.Since.IsZero():
		return "until " + s.Last().Format(day)
	case s.Last().Format(day) == s.Since.Format(day):
		return s.Since.Format(day)
	}
	return s.Since.Format(day) + " to " + s.Last().Format(day)
}

// Last returns the last second in the span. It returns the zero time if Until is zero.
func (s Span) Last() time.Time {
	if s.Until.IsZero() {
		return s.Until
	}
	return s.Until.Add(-time.Second)
}

// firstYear is the first year that is read, because version control began about then and lower
// numbers are mostly quantities.
const firstYear = 1990

// Parse reads the value of a flag: 2024, 2024-03, 2024-03-01, "March 2024", "3 months ago", "last
// month", yesterday, or a time as 2024-03-01T12:00:00. The span is the whole year, month, week or
// day that the value names, in the time zone of now. The error names the value; the caller should
// add Forms.
func Parse(value string, now time.Time) (Span, error) {
	ts := splitTokens(value)
	for i := range ts {
		ts[i].quoted = false
	}
	if x, ok := dateAt(ts, 0, now); ok && x.n == len(ts) {
		return x.Span, nil
	}
	if x, ok := readNumeric(ts, 0, now.AddDate(ahead, 0, 0)); ok && x.n == len(ts) {
		return x.Span, nil
	}
	if at, err := time.ParseInLocation("2006-01-02T15:04:05", strings.TrimSpace(value), now.Location()); err == nil {
		return Span{at, at.Add(time.Second)}, nil
	}
	if at, err := time.Parse(time.RFC3339, strings.TrimSpace(value)); err == nil {
		return Span{at, at.Add(time.Second)}, nil
	}
	return Span{}, fmt.Errorf("no date in %q", value)
}

// ahead is the number of years after now that a flag may name. Questions must name the past, but a
// flag may ask for a time "until 2999".
const ahead = 1000

// Forms tells users which dates Parse accepts.
const Forms = `give a date such as 2024, 2024-03, 2024-03-01, "March 2024", "3 months ago", "last month" or yesterday`

// A found is a date in a text.
type found struct {
	Span
	n       int  // number of tokens
	bare    bool // a year or a month alone
	open    bool // the words before it make the span open
	rolling bool // it ends now: "the last 3 weeks"
}

// dateAt reads the date that begins at token i, which may be after the last token. It reports
// whether there is one.
func dateAt(ts []token, i int, now time.Time) (found, bool) {
	for _, read := range []func([]token, int, time.Time) (found, bool){
		readNumeric, readQuarter, readNamedMonth, readRelative,
	} {
		if x, ok := read(ts, i, now); ok {
			return x, true
		}
	}
	return found{}, false
}

// readNumeric reads 2024, 2024-03 and 2024-03-01, also with "/". A date must not begin after now.
func readNumeric(ts []token, i int, now time.Time) (found, bool) {
	if i >= len(ts) {
		return found{}, false
	}
	parts := strings.Split(strings.ReplaceAll(ts[i].text, "/", "-"), "-")
	if len(parts) > 3 || len(parts[0]) != 4 {
		return found{}, false
	}
	n := [3]int{0, 1, 1}
	for k, p := range parts {
		if k > 0 && len(p) != 2 {
			return found{}, false
		}
		v, err := strconv.ParseUint(p, 10, 16)
		if err != nil {
			return found{}, false
		}
		n[k] = int(v)
	}
	s, ok := calendarSpan(n[0], n[1], n[2], len(parts), now)
	return found{Span: s, n: 1, bare: len(parts) == 1}, ok
}

// calendarSpan returns a year, a month or a day: count is the number of parts that are given, from
// 1 to 3. It reports false for a date that does not exist, is before firstYear, or begins after
// now.
func calendarSpan(year, month, day, count int, now time.Time) (Span, bool) {
	at := time.Date(year, time.Month(month), day, 0, 0, 0, 0, now.Location())
	if year < firstYear || at.Year() != year || int(at.Month()) != month || at.Day() != day || at.After(now) {
		return Span{}, false
	}
	return Span{at, [4]time.Time{1: at.AddDate(1, 0, 0), 2: at.AddDate(0, 1, 0), 3: at.AddDate(0, 0, 1)}[count]}, true
}

// readQuarter reads "Q1 2024".
func readQuarter(ts []token, i int, now time.Time) (found, bool) {
	if i+1 >= len(ts) || len(ts[i].text) != 2 || ts[i].ends || ts[i].lower[0] != 'q' || ts[i].text[1] < '1' ||
		ts[i].text[1] > '4' {
		return found{}, false
	}
	x, ok := readNumeric(ts, i+1, now)
	if !ok || !x.bare {
		return found{}, false
	}
	first := x.Since.AddDate(0, 3*int(ts[i].text[1]-'1'), 0)
	return found{Span: Span{first, first.AddDate(0, 3, 0)}, n: 2}, !first.After(now)
}

// months maps the names of months, and their usual short forms, to their numbers.
var months = sync.OnceValue(func() map[string]int {
	m := map[string]int{"sept": 9}
	for i := time.January; i <= time.December; i++ {
		name := strings.ToLower(i.String())
		m[name], m[name[:3]] = int(i), int(i)
	}
	return m
})

// readNamedMonth reads "March 2024", "1 March 2024", "March 1, 2024", and "March", which is the
// latest March that has begun.
func readNamedMonth(ts []token, i int, now time.Time) (found, bool) {
	at, day, n := i, 0, 0
	number := func(k int) int {
		if k < len(ts) && len(ts[k].text) <= 4 {
			text := strings.TrimRight(ts[k].lower, "sthndr")
			if v, err := strconv.Atoi(text); err == nil && v >= 1 && v <= 31 && text != "" {
				return v
			}
		}
		return 0
	}
	if day = number(i); day > 0 {
		at++
	}
	if at >= len(ts) || at > i && ts[i].ends {
		return found{}, false
	}
	month, ok := months()[ts[at].lower]
	if !ok {
		return found{}, false
	}
	n = at + 1
	if day == 0 && !ts[at].ends {
		if day = number(n); day > 0 {
			n++
		}
	}
	if n < len(ts) && (n > at+1 || !ts[at].ends) { // "March 1, 2024" has a comma before the year
		if year, err := strconv.Atoi(ts[n].text); err == nil && len(ts[n].text) == 4 {
			count := 2
			if day > 0 {
				count = 3
			}
			s, ok := calendarSpan(year, month, max(1, day), count, now)
			return found{Span: s, n: n + 1 - i}, ok
		}
	}
	if day > 0 || len(ts[at].text) < 4 && ts[at].lower != "may" || !unicode.IsUpper(rune(ts[at].text[0])) {
		return found{}, false // "may" and "march" are verbs, "sep" and "dec" are ambiguous
	}
	first := time.Date(now.Year(), time.Month(month), 1, 0, 0, 0, 0, now.Location())
	if first.After(now) {
		first = first.AddDate(-1, 0, 0)
	}
	return found{Span: Span{first, first.AddDate(0, 1, 0)}, n: 1, bare: true}, true
}

// numbers maps the number words that people use to their values.
var numbers = map[string]int{
	"a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8,
	"nine": 9, "ten": 10, "twelve": 12, "couple": 2, "few": 3,
}

// readCount reads a number of units. It must be at most 40,000, which is about a hundred years of
// days.
func readCount(t token) (int, bool) {
	if n, ok := numbers[t.lower]; ok {
		return n, true
	}
	n, err := strconv.Atoi(t.text)
	return n, err == nil && n > 0 && n <= 40000
}

// A unit is a length of time.
type unit struct{ years, months, days int }

var units = map[string]unit{
	"day": {0, 0, 1}, "week": {0, 0, 7}, "month": {0, 1, 0}, "quarter": {0, 3, 0}, "year": {1, 0, 0},
	"days": {0, 0, 1}, "weeks": {0, 0, 7}, "months": {0, 1, 0}, "quarters": {0, 3, 0}, "years": {1, 0, 0},
}

// timeBefore returns the time n units before a time. If the month has no such day, it returns the
// last day of that month: a month before 31 March is the last day of February.
func (u unit) timeBefore(at time.Time, n int) time.Time {
	out := at.AddDate(-n*u.years, -n*u.months, -n*u.days)
	if u.days == 0 && out.Day() != at.Day() {
		out = out.AddDate(0, 0, -out.Day())
	}
	return out
}

// startOf returns the beginning of the unit that holds a time. Weeks begin on Monday (ISO 8601).
func (u unit) startOf(at time.Time) time.Time {
	y, m, d := at.Date()
	switch {
	case u.years > 0:
		m, d = time.January, 1
	case u.months == 3:
		m, d = m-(m-1)%3, 1
	case u.months > 0:
		d = 1
	case u.days == 7:
		d -= (int(at.Weekday()) + 6) % 7
	}
	return time.Date(y, m, d, 0, 0, 0, 0, at.Location())
}

// readRelative reads today, yesterday, "3 months ago", "last month" (of the calendar), "this week"
// and "the last 3 weeks" (up to now).
func readRelative(ts []token, i int, now time.Time) (found, bool) {
	the := false
	if i < len(ts) && ts[i].lower == "the" && !ts[i].ends {
		the = true
		i++
	}
	if i >= len(ts) {
		return found{}, false
	}
	more := 0
	if the {
		more = 1
	}
	today := unit{days: 1}.startOf(now)
	switch w := ts[i].lower; {
	case w == "today" && !the:
		return found{Span: Span{today, today.AddDate(0, 0, 1)}, n: 1}, true
	case w == "yesterday" && !the:
		return found{Span: Span{today.AddDate(0, 0, -1), today}, n: 1}, true
	case ts[i].ends || i+1 >= len(ts):
		return found{}, false
	case w == "last" || w == "past" || w == "previous":
		return lastOf(ts, i, now, the, more)
	case w == "this" && !the:
		if u, ok := units[ts[i+1].lower]; ok && !strings.HasSuffix(ts[i+1].lower, "s") && ts[i+1].lower != "day" {
			return found{Span: Span{Since: u.startOf(now)}, n: 2}, true
		}
	case !the && i+2 < len(ts) && !ts[i+1].ends:
		at := i
		if w == "a" && numbers[ts[i+1].lower] > 1 { // a couple
			at++
			if at+1 < len(ts) && ts[at+1].lower == "of" {
				return agoAt(ts, i, at, at+2, now)
			}
		}
		return agoAt(ts, i, at, at+1, now)
	}
	return found{}, false
}

// lastOf reads "last month", "last 3 weeks" and "the last month". Token i must be "last", "past" or
// "previous", and must have a successor.
func lastOf(ts []token, i int, now time.Time, the bool, more int) (found, bool) {
	if u, ok := units[ts[i+1].lower]; ok && ts[i+1].lower != "day" && !strings.HasSuffix(ts[i+1].lower, "s") {
		if the || ts[i].lower == "past" {
			return found{Span: Span{Since: u.timeBefore(now, 1)}, n: 2 + more, rolling: true}, true
		}
		until := u.startOf(now)
		return found{Span: Span{u.timeBefore(until, 1), until}, n: 2}, true
	}
	n, ok := readCount(ts[i+1])
	if !ok || ts[i+1].ends || i+2 >= len(ts) {
		return found{}, false
	}
	u, ok := units[ts[i+2].lower]
	return found{Span: Span{Since: u.timeBefore(now, n)}, n: 3 + more, rolling: true}, ok
}

// agoAt reads "3 months ago" as the day, week, month or year that was then. number is the index of
// the number, and at that of the unit.
func agoAt(ts []token, i, number, at int, now time.Time) (found, bool) {
	if at+1 >= len(ts) || ts[at].ends || ts[at+1].lower != "ago" {
		return found{}, false
	}
	n, ok := readCount(ts[number])
	u, known := units[ts[at].lower]
	if !ok || !known {
		return found{}, false
	}
	start := u.startOf(u.timeBefore(now, n))
	return found{Span: Span{start, u.timeBefore(start, -1)}, n: at + 2 - i}, true
}
