package transcript

import (
	"crypto/sha256"
	"encoding/hex"
	"path"
	"slices"
	"strings"
	"time"
)

// A composer makes turns of texts that were said, and of tools that ran.
type composer struct {
	redact func(string) string
	line   int
	at     time.Time

	out     []Spoken
	actions []string // of the agent, since somebody last spoke
	size    int      // bytes of actions
	first   Spoken   // place of the first action
	open    map[string]call
	failed  []failure
}

// A call is a tool that runs. Its texts are redacted.
type call struct {
	Command string `json:",omitempty"`
	Edit    string `json:",omitempty"` // the file and the new text, in one line
}

// toolInput is the part of a tool's arguments that is kept. Clients name the same thing
// in several ways.
type toolInput struct {
	Command  commandWords `json:"command"`
	Cmd      commandWords `json:"cmd"`
	FilePath string       `json:"file_path"`
	Path     string       `json:"filePath"`
	New      string       `json:"new_string"`
	NewText  string       `json:"newString"`
	Content  string       `json:"content"`
	Patch    string       `json:"patch"`
}

// editedPrefix begins the line of a change.
const editedPrefix = "edited "

// Bounds of a turn.
const (
	maxPiece    = 1200     // bytes of a turn; longer texts become several
	maxMessage  = 8 << 10  // bytes of a message in all: its beginning, its errors and its end
	maxCommand  = 400      // bytes of a command
	maxHead     = 160      // bytes of the output of a command that succeeded
	maxEdit     = 240      // bytes of a change
	maxActions  = 1000     // bytes of commands in one turn
	maxOpen     = 32       // tools that run at once
	maxFailed   = 8        // failed commands whose mend is awaited
	maxEdits    = 4        // changes named in a mend
	windowBytes = 64 << 10 // of an output, searched for errors: half at its beginning
	longestSaid = 1 << 20  // bytes of a message that are read
	margin      = 4 << 10  // bytes read beyond a cut, so that a secret there is whole
)

// say adds a text that a person or the agent said. A program's insertions are not said.
func (c *composer) say(user bool, text string) {
	text = cleanText(text[:min(len(text), longestSaid)])
	role := RoleAgent
	if user {
		role = RoleUser
		text = withoutInserted(text)
	}
	if strings.TrimSpace(text) == "" {
		return
	}
	c.flushActions()
	text = c.redact(text)
	if !user {
		for i := range c.failed {
			c.failed[i].Said = clipText(text, maxEdit)
		}
	}
	for _, piece := range cutPieces(shortenMessage(text)) {
		c.out = append(c.out, Spoken{role, piece, c.line, c.at})
	}
}

// begin notes that a tool runs.
func (c *composer) begin(id string, in toolInput) {
	if c.open == nil || len(c.open) >= maxOpen { // calls without an end are of no use
		c.open = map[string]call{}
	}
	c.open[callKey(id)] = c.callOf(in)
}

// callKey returns the key of a call. It is a sum because an id may hold anything, and is kept.
func callKey(id string) string {
	sum := sha256.Sum256([]byte(id))
	return hex.EncodeToString(sum[:8])
}

// callOf returns the call of a tool. It is empty for a tool that only reads.
func (c *composer) callOf(in toolInput) (out call) {
	file, text := in.FilePath+in.Path, in.New+in.NewText+in.Content
	patch := in.Patch
	if command := string(in.Command + in.Cmd); command != "" {
		if !strings.HasPrefix(command, "apply_patch") {
			out.Command = clipText(c.redactHead(command, maxCommand), maxCommand)
			return out
		}
		patch = command
	}
	if patch != "" {
		file, text = readPatch(patch[:min(len(patch), windowBytes)])
	}
	if file != "" && text != "" {
		out.Edit = path.Base(path.Dir(file)) + "/" + path.Base(file) + ": " + text[:min(len(text), windowBytes)]
		out.Edit = clipText(c.redactHead(out.Edit, maxEdit), maxEdit)
	}
	return out
}

// readPatch returns the file of a patch, and the lines that it adds.
func readPatch(patch string) (file, added string) {
	var b strings.Builder
	for line := range strings.Lines(patch) {
		if name, ok := strings.CutPrefix(line, "*** Update File: "); ok && file == "" {
			file = strings.TrimSpace(name)
		}
		if name, ok := strings.CutPrefix(line, "*** Add File: "); ok && file == "" {
			file = strings.TrimSpace(name)
		}
		if strings.HasPrefix(line, "+") {
			b.WriteString(line[1:])
		}
	}
	return file, b.String()
}

// redactHead returns the beginning of a text without secrets. It may be longer than most.
func (c *composer) redactHead(text string, most int) string {
	return c.redact(cleanText(text[:min(len(text), most+margin)]))
}

// end notes that a tool has ended.
func (c *composer) end(id, output string, o outcome) {
	key := callKey(id)
	call, ok := c.open[key]
	delete(c.open, key)
	switch {
	case !ok:
	case call.Command != "" && o == failedOutcome:
		c.fail(call.Command, output)
	case call.Command != "":
		if !c.mend(call.Command) {
			c.act("$ "+call.Command, c.headOf(output))
		}
	case call.Edit != "" && o != failedOutcome:
		for i := range c.failed {
			if f := &c.failed[i]; len(f.Edits) < maxEdits {
				f.Edits = append(f.Edits, call.Edit)
			}
		}
		c.act(editedPrefix+call.Edit, "")
	}
}

// headOf returns the first lines of an output.
func (c *composer) headOf(output string) string {
	head := c.redactHead(strings.TrimLeft(output, " \t\r\n"), maxHead)
	lines := strings.SplitN(head, "\n", 3)
	return clipText(strings.TrimSpace(strings.Join(lines[:min(2, len(lines))], "\n")), maxHead)
}

// act adds an action of the agent to the turn of actions.
func (c *composer) act(action, output string) {
	if output != "" {
		action += "\n" + output
	}
	if c.size > 0 && c.size+len(action) > maxActions {
		c.flushActions()
	}
	if len(c.actions) == 0 {
		c.first = Spoken{Role: RoleTool, Line: c.line, At: c.at}
	}
	c.actions = append(c.actions, action)
	c.size += len(action) + 1
}

// dropEdits drops changes from the turn of actions, because another turn names them.
func (c *composer) dropEdits(edits []string) {
	c.actions = slices.DeleteFunc(c.actions, func(action string) bool {
		edit, ok := strings.CutPrefix(action, editedPrefix)
		return ok && slices.Contains(edits, edit)
	})
}

// flushActions ends the turn of actions.
func (c *composer) flushActions() {
	if len(c.actions) > 0 {
		c.first.Text = clipText(strings.Join(c.actions, "\n"), maxPiece)
		c.out = append(c.out, c.first)
	}
	c.actions, c.size = nil, 0
}

// completeTurns ends all turns. Failures that were not mended become turns.
func (c *composer) completeTurns() {
	c.flushActions()
	for i := range c.failed {
		c.report(&c.failed[i])
	}
}

func (c *composer) take() []Spoken {
	out := c.out
	c.out = nil
	return out
}
