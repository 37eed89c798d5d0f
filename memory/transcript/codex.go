package transcript

import (
	"encoding/json"
	"strings"
)

// A codexRecord is a line of a transcript by Codex.
type codexRecord struct {
	Type      string `json:"type"`
	Timestamp string `json:"timestamp"`
	Payload   struct {
		Type      string          `json:"type"`
		Role      string          `json:"role"`
		Kind      string          `json:"kind"`
		Message   json.RawMessage `json:"message"`
		Content   json.RawMessage `json:"content"`
		Name      string          `json:"name"`
		Arguments string          `json:"arguments"`
		Input     string          `json:"input"`
		CallID    string          `json:"call_id"`
		Output    json.RawMessage `json:"output"`
		Action    struct {
			Command commandWords `json:"command"`
		} `json:"action"`
	} `json:"payload"`
}

func (p *Parser) addCodex(line []byte) error {
	var r codexRecord
	if err := json.Unmarshal(line, &r); err != nil {
		return err
	}
	p.compose.at = clockOf(r.Timestamp)
	switch m := r.Payload; {
	case r.Type == "event_msg" && m.Type == "user_message":
		if m.Kind == "" || m.Kind == "plain" { // the role "user" also has inserted instructions
			p.compose.say(true, rawText(m.Message))
		}
	case r.Type != "response_item":
	case m.Type == "message" && m.Role == "assistant":
		p.compose.say(false, messageText(m.Content, "output_text"))
	case m.Type == "function_call":
		var in toolInput
		_ = json.Unmarshal([]byte(m.Arguments), &in) // arguments that are no object name no command
		p.compose.begin(m.CallID, in)
	case m.Type == "custom_tool_call":
		p.compose.begin(m.CallID, toolInput{Patch: m.Input})
	case m.Type == "local_shell_call":
		p.compose.begin(m.CallID, toolInput{Command: m.Action.Command})
	case m.Type == "function_call_output", m.Type == "custom_tool_call_output":
		text, o := codexOutput(m.Output)
		p.compose.end(m.CallID, text, o)
	}
	return nil
}

// codexOutput returns the text of an output, and whether the command failed. Older versions write
// an object as text, newer ones a head with the exit code.
func codexOutput(raw json.RawMessage) (string, outcome) {
	text := rawText(raw)
	var object struct {
		Output   string `json:"output"`
		Metadata *struct {
			ExitCode int `json:"exit_code"`
		} `json:"metadata"`
		Success *bool `json:"success"`
	}
	if json.Unmarshal(raw, &object) == nil && object.Success != nil {
		return text, outcomeIf(!*object.Success)
	}
	if strings.HasPrefix(strings.TrimSpace(text), "{") && json.Unmarshal([]byte(text), &object) == nil &&
		object.Metadata != nil {
		return object.Output, outcomeIf(object.Metadata.ExitCode != 0)
	}
	return text, outcomeInHead(text)
}

// commandWords is a command: a text, or a list of words.
type commandWords string

// UnmarshalJSON implements json.Unmarshaler. Anything but a text and a list of texts is no command.
func (c *commandWords) UnmarshalJSON(b []byte) error {
	var text string
	if json.Unmarshal(b, &text) == nil {
		*c = commandWords(text)
		return nil
	}
	var words []string
	if json.Unmarshal(b, &words) == nil {
		if len(words) == 3 && strings.HasSuffix(words[0], "sh") && strings.HasPrefix(words[1], "-") {
			words = words[2:] // bash -lc "the command"
		}
		*c = commandWords(strings.Join(words, " "))
	}
	return nil
}
