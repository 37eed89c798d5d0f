package transcript

import (
	"cmp"
	"encoding/json"
	"slices"
)

// A Message is an OpenCode file of a message, with the files of its parts.
type Message struct {
	Info  []byte
	Parts [][]byte
}

// ReadMessages reads an OpenCode session, which has a file for each message and for each part. A
// file that is not JSON is counted as broken. types are the valid types of notes.
func ReadMessages(session string, messages []Message, types []string) Transcript {
	type info struct {
		ID   string
		Role string
		Time struct{ Created int64 }
	}
	type message struct {
		info
		parts [][]byte
	}
	t := Transcript{Form: "OpenCode"}
	var all []message
	for _, m := range messages {
		var i info
		if json.Unmarshal(m.Info, &i) != nil {
			t.Broken++
			continue
		}
		all = append(all, message{i, m.Parts})
	}
	slices.SortFunc(all, func(a, b message) int {
		return cmp.Or(cmp.Compare(a.Time.Created, b.Time.Created), cmp.Compare(a.ID, b.ID))
	})
	for i, m := range all {
		t.Lines++
		for _, raw := range m.parts {
			var p part
			if json.Unmarshal(raw, &p) != nil {
				t.Broken++
				continue
			}
			t.part(p, m.Role, session, i+1, types)
		}
	}
	return t
}

// A part is a part of an OpenCode message.
type part struct {
	Type, Text         string
	Synthetic, Ignored bool
}

// part takes the notes of a part, unless a program inserted it.
func (t *Transcript) part(p part, role, session string, line int, types []string) {
	if p.Type == "text" && !p.Synthetic && !p.Ignored && (role == "user" || role == "assistant") {
		t.takeNotes(p.Text, role == "user", session, line, types)
	}
}
