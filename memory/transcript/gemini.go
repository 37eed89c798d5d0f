package transcript

import (
	"encoding/json"
	"slices"
	"strings"
)

// A geminiRecord is a line of a transcript by Gemini CLI: metadata, a message, or a change of the
// messages before it. Older versions wrote one object with all messages.
type geminiRecord struct {
	geminiMessage
	Messages []geminiMessage `json:"messages"`
	Set      *struct {
		Messages []geminiMessage `json:"messages"`
	} `json:"$set"`
}

type geminiMessage struct {
	ID        string          `json:"id"`
	Timestamp string          `json:"timestamp"`
	Type      string          `json:"type"`
	Content   json.RawMessage `json:"content"`
	ToolCalls []struct {
		Name   string          `json:"name"`
		Args   toolInput       `json:"args"`
		Result json.RawMessage `json:"result"`
		Status string          `json:"status"`
	} `json:"toolCalls"`
}

// addGemini reads a line. A message is written again when more of its tools have ended, so the
// parts already taken are remembered. What was said and taken back ($rewindTo) was said. $set
// repeats messages, and is skipped.
func (p *Parser) addGemini(line []byte) error {
	var r geminiRecord
	if err := json.Unmarshal(line, &r); err != nil {
		return err
	}
	if r.Set != nil {
		return nil
	}
	if r.ID != "" {
		p.addGeminiMessage(r.geminiMessage)
	}
	for _, m := range r.Messages {
		p.addGeminiMessage(m)
	}
	return nil
}

func (p *Parser) addGeminiMessage(m geminiMessage) {
	p.compose.at = clockOf(m.Timestamp)
	t := p.takenOf(m.ID)
	switch text := rawText(m.Content); {
	case strings.TrimSpace(text) == "" || t.Said:
	case m.Type == "user" || m.Type == "gemini":
		p.compose.say(m.Type == "user", text)
		t.Said = true
	}
	for i := t.Calls; i < len(m.ToolCalls); i++ {
		c := m.ToolCalls[i]
		if c.Status != "success" && c.Status != "error" {
			break // it is written again once it has ended
		}
		text := rawText(c.Result)
		o := outcomeInHead(text)
		if c.Status == "error" {
			o = failedOutcome
		}
		p.compose.begin("call", c.Args)
		p.compose.end("call", text, o)
		t.Calls = i + 1
	}
}

// A takenMessage is a message that was read, and may be written again with more tools.
type takenMessage struct {
	Key   string
	Said  bool
	Calls int
}

// mostTaken bounds the messages that are remembered, because only the last ones are written again.
const mostTaken = 32

// takenOf returns the record of the parts taken from the message with an id.
func (p *Parser) takenOf(id string) *takenMessage {
	key := callKey(id)
	i := slices.IndexFunc(p.taken, func(t takenMessage) bool { return t.Key == key })
	if i < 0 {
		if p.taken = append(p.taken, takenMessage{Key: key}); len(p.taken) > mostTaken {
			p.taken = slices.Delete(p.taken, 0, 1)
		}
		i = len(p.taken) - 1
	}
	return &p.taken[i]
}

// AddDocument reads a whole transcript of one JSON object, as older versions of Gemini CLI write
// it.
func (p *Parser) AddDocument(text []byte) {
	p.compose.line = 0
	if err := p.addGemini(text); err != nil {
		p.Broken++
	}
}
