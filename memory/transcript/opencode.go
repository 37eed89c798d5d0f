package transcript

import (
	"encoding/json"
	"time"
)

// An openCodeState is the state of a tool in a part of a message by OpenCode.
type openCodeState struct {
	Status   string          `json:"status"`
	Input    toolInput       `json:"input"`
	Output   json.RawMessage `json:"output"`
	Error    json.RawMessage `json:"error"`
	Metadata struct {
		Exit *int `json:"exit"`
	} `json:"metadata"`
}

// AddMessage reads a message by OpenCode with its parts. A part that is not JSON is counted.
func (p *Parser) AddMessage(info []byte, parts [][]byte) {
	var m struct {
		Role string `json:"role"`
		Time struct {
			Created int64 `json:"created"`
		} `json:"time"`
	}
	p.line++
	if p.compose.line = p.line; json.Unmarshal(info, &m) != nil {
		p.Broken++
		return
	}
	p.compose.at = time.Time{}
	if at := time.UnixMilli(m.Time.Created).UTC(); at.Year() >= 2000 && at.Year() < 9000 {
		p.compose.at = at
	}
	for _, raw := range parts {
		var one struct {
			part
			Tool  string
			State openCodeState
		}
		if json.Unmarshal(raw, &one) != nil {
			p.Broken++
			continue
		}
		switch {
		case one.Type == "text" && !one.Synthetic && !one.Ignored && (m.Role == "user" || m.Role == "assistant"):
			p.compose.say(m.Role == "user", one.Text)
		case one.Type == "tool" && (one.State.Status == "completed" || one.State.Status == "error"):
			s := one.State
			o := outcomeIf(s.Status == "error" || s.Metadata.Exit != nil && *s.Metadata.Exit != 0)
			p.compose.begin("call", s.Input)
			p.compose.end("call", rawText(s.Output)+rawText(s.Error), o)
		}
	}
}
