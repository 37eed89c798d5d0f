package transcript

import "encoding/json"

// A claudeRecord is a line of a transcript by Claude Code.
type claudeRecord struct {
	Type      string `json:"type"`
	Meta      bool   `json:"isMeta"`
	Side      bool   `json:"isSidechain"`
	Summary   bool   `json:"isCompactSummary"`
	Timestamp string `json:"timestamp"`
	Message   struct {
		Content json.RawMessage `json:"content"`
	} `json:"message"`
}

// A claudePart is a part of a message.
type claudePart struct {
	Type    string          `json:"type"`
	Text    string          `json:"text"`
	ID      string          `json:"id"`
	Name    string          `json:"name"`
	Input   toolInput       `json:"input"`
	Of      string          `json:"tool_use_id"`
	Content json.RawMessage `json:"content"`
	Failed  bool            `json:"is_error"`
}

func (p *Parser) addClaude(line []byte) error {
	var r claudeRecord
	if err := json.Unmarshal(line, &r); err != nil {
		return err
	}
	if r.Type != "user" && r.Type != "assistant" || r.Meta || r.Side || r.Summary {
		return nil
	}
	p.compose.at = clockOf(r.Timestamp)
	user := r.Type == "user"
	var text string
	if json.Unmarshal(r.Message.Content, &text) == nil {
		p.compose.say(user, text)
		return nil
	}
	var parts []json.RawMessage
	if err := json.Unmarshal(r.Message.Content, &parts); err != nil {
		return err
	}
	for _, raw := range parts {
		var part claudePart
		if json.Unmarshal(raw, &part) != nil {
			continue // a part of a form that is not known, such as an input that is no object
		}
		switch part.Type {
		case "text":
			p.compose.say(user, part.Text)
		case "tool_use":
			p.compose.begin(part.ID, part.Input)
		case "tool_result":
			p.compose.end(part.Of, rawText(part.Content), outcomeIf(part.Failed))
		}
	}
	return nil
}
