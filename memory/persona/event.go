package persona

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"strconv"
	"strings"
	"time"
)

// Captured is the type of the events that Append writes.
const Captured = "knowledge_captured"

// An Event is one line of the log. Other fields of the line stay in the log.
type Event struct {
	ID         string
	Type       string
	Content    string
	Source     string
	Domains    []string
	Time       time.Time // zero if the line has none
	Project    string    // the project in which the note was written
	Supersedes string    // the id of the older event that this one replaces; may be empty
}

// The reasons why a line is not an event.
var (
	errNoObject = errors.New("no JSON object")
	errEmpty    = errors.New("no content")
	errNUL      = errors.New("NUL bytes")
)

// bom is at the start of files saved by some editors.
var bom = []byte("\ufeff")

// parseEvent parses a line without its newline. Missing and malformed fields are left empty. A line
// needs content, or an older event to supersede. ok is false for a blank line.
func parseEvent(line []byte) (e Event, ok bool, err error) {
	line = bytes.TrimSpace(bytes.TrimPrefix(line, bom))
	if len(line) == 0 {
		return e, false, nil
	}
	if line = bytes.TrimSpace(bytes.Trim(line, "\x00")); len(line) == 0 {
		return e, false, errNUL
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(line, &fields); err != nil || fields == nil {
		return e, false, errNoObject
	}
	e = Event{
		ID: readString(fields["id"]), Type: readString(fields["event_type"]), Content: readString(fields["content"]),
		Source:  readString(fields["source"]),
		Domains: readList(fields["domains"]), Time: readTime(fields["timestamp"]),
		Project: readString(fields["working_project"]), Supersedes: readString(fields["supersedes"]),
	}
	if e.Content == "" && e.Supersedes == "" {
		return e, false, errEmpty
	}
	return e, true, nil
}

// readString returns a string, or a number as written. Otherwise it returns "".
func readString(raw json.RawMessage) string {
	var s string
	if json.Unmarshal(raw, &s) == nil {
		return strings.TrimSpace(s)
	}
	var n json.Number
	if json.Unmarshal(raw, &n) == nil {
		return n.String()
	}
	return ""
}

// readList returns a list of strings, also from one string with commas.
func readList(raw json.RawMessage) []string {
	var list []json.RawMessage
	if json.Unmarshal(raw, &list) != nil {
		return Domains(readString(raw))
	}
	var all []string
	for _, x := range list {
		all = append(all, readString(x))
	}
	return Domains(all...)
}

// mostDomains bounds the domains of one event.
const mostDomains = 32

// Domains splits names at commas, in lower case and each once.
func Domains(names ...string) (out []string) {
	seen := map[string]bool{}
	for _, list := range names {
		for name := range strings.SplitSeq(list, ",") {
			name = strings.ToLower(strings.Join(strings.Fields(name), " "))
			if name != "" && !seen[name] && len(out) < mostDomains {
				seen[name] = true
				out = append(out, name)
			}
		}
	}
	return out
}

// millisecondsFrom is too large for seconds: the year 5138.
const millisecondsFrom = 1e11

// readTime reads seconds or milliseconds since 1970, or a time as in RFC 3339. It returns the zero
// time for anything else.
func readTime(raw json.RawMessage) time.Time {
	s := readString(raw)
	if x, err := strconv.ParseFloat(s, 64); err == nil {
		if math.Abs(x) >= millisecondsFrom {
			x /= 1000
		}
		if t := time.Unix(int64(x), 0).UTC(); isPlausible(t) {
			return t
		}
		return time.Time{}
	}
	for _, form := range []string{time.RFC3339, "2006-01-02T15:04:05", "2006-01-02 15:04:05", time.DateOnly} {
		if t, err := time.Parse(form, s); err == nil && isPlausible(t.UTC()) {
			return t.UTC()
		}
	}
	return time.Time{}
}

// isPlausible reports whether a time can be printed as a day.
func isPlausible(t time.Time) bool { return t.Year() > 0 && t.Year() < 10_000 && t.Unix() != 0 }

// jsonLine returns the event as written: a JSON object with a newline. The time is in seconds.
func (e Event) jsonLine() ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(struct {
		ID         string   `json:"id"`
		Type       string   `json:"event_type"`
		Time       int64    `json:"timestamp"`
		Source     string   `json:"source"`
		Content    string   `json:"content"`
		Domains    []string `json:"domains"`
		Project    string   `json:"working_project,omitempty"`
		Supersedes string   `json:"supersedes,omitempty"`
	}{e.ID, e.Type, e.Time.Unix(), e.Source, e.Content, append([]string{}, e.Domains...), e.Project, e.Supersedes})
	return b.Bytes(), err
}
