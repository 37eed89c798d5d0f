// Package transcript reads transcripts of agents (Claude Code, Codex, OpenCode), the notes that
// they mark in any text, and the records of a project's working sessions, turn by turn (turns.go).
//
// From a transcript it takes only the words that a person typed and the agent's answers. It skips
// the output of tools, the content of files, inserted instructions, quoted lines and fenced blocks,
// because a text from a repository must not become a note. All but FindTurns is pure.
package transcript

import (
	"cmp"
	"encoding/json"
	"strings"

	"patina/internal/lazyregexp"
	"patina/store/markdown"
)

// A Note is a marked line, or a person's line that begins with "remember".
type Note struct {
	Marker
	User    bool // a person said it
	Session string
	// Around is the rest of the message without its notes. If that is empty, it is the message
	// before.
	Around string
}

// A Transcript is the parsed content of a file.
type Transcript struct {
	Form   string // "Claude Code", "Codex" or "OpenCode"; empty: not recognised
	Notes  []Note
	Faults []Fault
	Lines  int // that are JSON
	Broken int // lines that are not JSON

	before string // the last message, without notes
}

// TooMany reports whether there are more notes and faults than MaxMarkers. The rest was not read.
func (t *Transcript) TooMany() bool { return len(t.Notes)+len(t.Faults) > MaxMarkers }

// Is reports whether a text may be a transcript: it begins with a JSON object.
func Is(text string) bool {
	return strings.HasPrefix(strings.TrimSpace(firstBytes(text)), `{"`) || isExport(text)
}

func firstBytes(text string) string { return text[:min(len(text), 4096)] }

// isExport reports whether a text is one JSON object over many lines, as OpenCode exports it.
func isExport(text string) bool {
	h := strings.Join(strings.Fields(firstBytes(text)), "")
	return strings.HasPrefix(h, `{"info":`)
}

// Read reads a transcript. types are the valid types of notes.
func Read(text string, types []string) (t Transcript) {
	if isExport(text) {
		t.readOpenCode(text, types)
		return t
	}
	number := 0
	for line := range strings.Lines(text) {
		if number++; strings.TrimSpace(line) == "" {
			continue
		}
		var r record
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			t.Broken++
			continue
		}
		t.Lines++
		t.readRecord(r, number, types)
	}
	return t
}

// A record is one line of a Claude Code or Codex transcript.
type record struct {
	Type      string          `json:"type"`
	SessionID string          `json:"sessionId"`
	Meta      bool            `json:"isMeta"`
	Side      bool            `json:"isSidechain"`
	Summary   bool            `json:"isCompactSummary"`
	Tool      json.RawMessage `json:"toolUseResult"`
	Message   struct {
		Content json.RawMessage `json:"content"`
	} `json:"message"`
	Payload struct {
		Type    string          `json:"type"`
		Role    string          `json:"role"`
		Kind    string          `json:"kind"`
		Message json.RawMessage `json:"message"`
		Content json.RawMessage `json:"content"`
	} `json:"payload"`
}

func (t *Transcript) readRecord(r record, line int, types []string) {
	switch p := r.Payload; {
	case r.Type == "user" || r.Type == "assistant":
		t.Form = "Claude Code"
		if r.Meta || r.Side || r.Summary || len(r.Tool) > 0 {
			return
		}
		t.takeNotes(messageText(r.Message.Content, "text"), r.Type == "user", r.SessionID, line, types)
	case r.Type == "event_msg" && p.Type == "user_message": // the role has more
		if t.Form = "Codex"; p.Kind == "" || p.Kind == "plain" {
			t.takeNotes(messageText(p.Message, ""), true, "", line, types)
		}
	case r.Type == "response_item" && p.Type == "message" && p.Role == "assistant":
		t.Form = "Codex"
		t.takeNotes(messageText(p.Content, "output_text"), false, "", line, types)
	}
}

// messageText returns a text, or the joined text parts of a list. It returns "" for a list with a
// tool's result.
func messageText(raw json.RawMessage, sort string) string {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		return text
	}
	var parts []struct {
		Type string `json:"type"`
		Text string `json:"text"`
	}
	if json.Unmarshal(raw, &parts) != nil {
		return ""
	}
	var b strings.Builder
	for _, p := range parts {
		if p.Type == "tool_result" {
			return ""
		}
		if p.Type == sort {
			b.WriteString(p.Text + "\n")
		}
	}
	return b.String()
}

// readOpenCode reads the output of "opencode export".
func (t *Transcript) readOpenCode(text string, types []string) {
	var all struct {
		Info     struct{ ID string }
		Messages []struct {
			Info  struct{ Role string }
			Parts []part
		}
	}
	if t.Form = "OpenCode"; json.Unmarshal([]byte(text), &all) != nil {
		t.Broken = 1
		return
	}
	for i, m := range all.Messages {
		t.Lines++
		for _, p := range m.Parts {
			t.part(p, m.Info.Role, all.Info.ID, i+1, types)
		}
	}
}

var (
	remember = lazyregexp.New(`(?i)^\s*(?:please,?\s+)?remember(?::|\s+that\s)\s*(\S.*)$`)
	inserted = lazyregexp.New(`^\s*<[a-zA-Z][\w-]*[ >]`)
)

// takeNotes adds the notes in a text. A user's text that begins with a tag is skipped, because a
// program inserted it.
func (t *Transcript) takeNotes(text string, user bool, session string, line int, types []string) {
	if user && inserted().MatchString(text) || t.TooMany() {
		return
	}
	text = ownWords(text)
	found, faults := ParseMarkers(text, types)
	if user {
		for l := range strings.Lines(text) {
			if len(found)+len(faults) > MaxMarkers {
				break
			}
			if m := remember().FindStringSubmatch(strings.TrimRight(l, "\r\n")); m != nil {
				found = append(found, Marker{Text: strings.TrimSpace(m[1])})
			}
		}
	}
	around := strings.TrimSpace(withoutNotes(text))
	for _, m := range found {
		m.Line = line
		t.Notes = append(t.Notes, Note{m, user, session, cmp.Or(around, t.before)})
	}
	t.before = cmp.Or(around, t.before)
	for _, f := range faults {
		f.Line = line
		t.Faults = append(t.Faults, f)
	}
}

// withoutNotes returns a text without the lines that are notes.
func withoutNotes(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		if !IsMarker(line) && !remember().MatchString(strings.TrimRight(line, "\r\n")) {
			b.WriteString(line)
		}
	}
	return b.String()
}

// ownWords returns a text without fenced blocks, quoted lines, and the lines between tags.
func ownWords(text string) string {
	var b strings.Builder
	var fence markdown.Fence
	tag := ""
	for line := range strings.Lines(text) {
		bare := strings.TrimSpace(line)
		switch {
		case tag != "":
			if strings.Contains(bare, "</"+tag) {
				tag = ""
			}
		case fence.Step(bare) != markdown.Outside:
		case strings.HasPrefix(bare, ">"), strings.HasPrefix(line, "    "), strings.HasPrefix(line, "\t"):
		case inserted().MatchString(bare):
			name := bare[1:]
			name = name[:strings.IndexAny(name, " >")]
			if !strings.Contains(bare, "</"+name) {
				tag = name
			}
		default:
			b.WriteString(line)
		}
	}
	return b.String()
}
