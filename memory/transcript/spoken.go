package transcript

import (
	"encoding/json"
	"strings"
	"time"
)

// The roles of a turn: who speaks.
const (
	RoleUser  = "user"  // a person typed it
	RoleAgent = "agent" // the agent's answer
	RoleTool  = "tool"  // commands that the agent ran, with the head of their output
	RoleError = "error" // a command that failed, with the lines that say why
	RoleMend  = "mend"  // a command that failed, and the steps that mended it
)

// A Spoken is one turn of a conversation with an agent. Its text is printable and at most maxPiece
// bytes. Text of the roles RoleTool, RoleError and RoleMend holds output of tools, which anybody
// may have written.
type Spoken struct {
	Role string
	Text string
	Line int       // of the transcript, from 1; 0: unknown
	At   time.Time // zero: unknown
}

// Forms of transcripts that a Parser reads.
const (
	FormClaude   = "Claude Code"
	FormCodex    = "Codex"
	FormOpenCode = "OpenCode"
	FormGemini   = "Gemini CLI"
)

// A Parser makes turns of a transcript, piece by piece. The zero value is not usable: call
// NewParser. It must be used by one goroutine at a time.
type Parser struct {
	form    string
	compose composer
	line    int
	taken   []takenMessage // of Gemini CLI

	// Broken counts the lines that are not JSON.
	Broken int
}

// NewParser returns a parser for a form. redact replaces the secrets in a text; it is called before
// a text is cut, because half a secret would not be recognised. state is that of an earlier Parser
// for the first part of the same file, or nil. A state that cannot be read counts as nil.
func NewParser(form string, state []byte, redact func(string) string) *Parser {
	p := &Parser{form: form, compose: composer{redact: redact}}
	var s parserState
	if json.Unmarshal(state, &s) == nil {
		p.line, p.taken, p.compose.open, p.compose.failed = s.Line, s.Taken, s.Open, s.Failed
	}
	return p
}

// parserState is the part of a Parser that the rest of a file needs. It holds redacted text only.
type parserState struct {
	Line   int
	Open   map[string]call `json:",omitempty"`
	Failed []failure       `json:",omitempty"`
	Taken  []takenMessage  `json:",omitempty"`
}

// State returns the state for the rest of the file.
func (p *Parser) State() []byte {
	// It has texts and numbers only, which always have a JSON form.
	b, _ := json.Marshal(parserState{p.line, p.compose.open, p.compose.failed, p.taken})
	return b
}

// AddLine reads one line of a transcript with lines of JSON. A line that is not JSON is counted.
func (p *Parser) AddLine(line []byte) {
	p.line++
	p.compose.line = p.line
	if len(strings.TrimSpace(string(line[:min(len(line), 64)]))) == 0 {
		return
	}
	var err error
	switch p.form {
	case FormClaude:
		err = p.addClaude(line)
	case FormCodex:
		err = p.addCodex(line)
	case FormGemini:
		err = p.addGemini(line)
	}
	if err != nil {
		p.Broken++
	}
}

// SkipLine counts a line that is too long to read.
func (p *Parser) SkipLine() { p.line++ }

// Take returns the turns that are complete, and forgets them.
func (p *Parser) Take() []Spoken { return p.compose.take() }

// Finish completes the turns of all that was read, although the next line is not known yet. A
// command that failed becomes a turn, and stays in the state, so that its mend is noticed in the
// rest of the file.
func (p *Parser) Finish() []Spoken {
	p.compose.completeTurns()
	return p.compose.take()
}

// clockOf parses a time as clients write it. It returns the zero time if that fails.
func clockOf(s string) time.Time {
	at, err := time.Parse(time.RFC3339Nano, s)
	if err != nil || at.Year() < 2000 || at.Year() > 9000 {
		return time.Time{}
	}
	return at.UTC()
}

// rawText returns the text of a JSON value: a string, a list of strings and of objects with a text,
// or an object with an output or a content.
func rawText(raw json.RawMessage) string {
	var b strings.Builder
	appendText(&b, raw, 0)
	return b.String()
}

// deepest bounds how deep texts are looked for in a JSON value.
const deepest = 4

func appendText(b *strings.Builder, raw json.RawMessage, depth int) {
	if len(raw) == 0 || depth > deepest {
		return
	}
	switch raw[0] {
	case '"':
		var s string
		if json.Unmarshal(raw, &s) == nil {
			b.WriteString(s)
			b.WriteByte('\n')
		}
	case '[':
		var list []json.RawMessage
		if json.Unmarshal(raw, &list) == nil {
			for _, one := range list {
				appendText(b, one, depth+1)
			}
		}
	case '{':
		var o struct {
			Text, Output, Content, Stdout, Error json.RawMessage
			FunctionResponse                     struct{ Response json.RawMessage }
		}
		if json.Unmarshal(raw, &o) == nil {
			for _, part := range []json.RawMessage{
				o.Text, o.Output, o.Content, o.Stdout, o.Error, o.FunctionResponse.Response,
			} {
				appendText(b, part, depth+1)
			}
		}
	}
}
