package tokenize

import (
	"encoding/json"
	"errors"
	"fmt"
)

// mostSpecial is the number of special tokens that may be put before a text, and behind it.
const mostSpecial = 16

// frame holds the special tokens around a text.
type frame struct{ before, after []int64 }

// parsePostProcessor returns the special tokens that a "post_processor" of a tokenizer.json puts
// around a text.
func parsePostProcessor(raw json.RawMessage, depth int) (frame, error) {
	kind, err := kindOf(raw, "post_processor")
	if err != nil || kind == "" {
		return frame{}, err
	}
	switch kind {
	case "TemplateProcessing":
		return parseTemplate(raw)
	case "BertProcessing", "RobertaProcessing":
		var o struct {
			Type        string
			Sep, Cls    namedID
			TrimOffsets bool `json:"trim_offsets"` // these two decide no ids
			PrefixSpace bool `json:"add_prefix_space"`
		}
		if err := decodeStrictly(raw, &o); err != nil {
			return frame{}, err
		}
		return frame{[]int64{o.Cls.id}, []int64{o.Sep.id}}, nil
	case "ByteLevel": // about the places of tokens
		return frame{}, nil
	case "Sequence":
		var o struct {
			Type       string
			Processors []json.RawMessage
		}
		if err := decodeStrictly(raw, &o); err != nil {
			return frame{}, err
		}
		if depth >= deepest || len(o.Processors) > mostSpecial {
			return frame{}, errors.New("too many post-processors")
		}
		var all frame
		for _, r := range o.Processors {
			f, err := parsePostProcessor(r, depth+1)
			if err != nil {
				return frame{}, err
			}
			all = frame{append(f.before, all.before...), append(all.after, f.after...)}
		}
		return all, nil
	}
	return frame{}, fmt.Errorf("the post-processor %.64q is not known", kind)
}

// namedID is a pair of a token and its id.
type namedID struct{ id int64 }

func (n *namedID) UnmarshalJSON(data []byte) error {
	var token string
	pair := []any{&token, &n.id}
	if err := json.Unmarshal(data, &pair); err != nil {
		return err
	}
	if len(pair) != 2 || n.id < 0 || n.id > highestID {
		return errors.New("a special token needs its name and its id")
	}
	return nil
}

// templatePart is a text or a special token of a template. One of the two is nil.
type templatePart struct {
	Sequence *struct {
		ID     string `json:"id"`
		TypeID int64  `json:"type_id"`
	}
	SpecialToken *struct {
		ID     string `json:"id"`
		TypeID int64  `json:"type_id"`
	}
}

func parseTemplate(raw json.RawMessage) (frame, error) {
	var o struct {
		Type          string
		Single        []templatePart
		Pair          json.RawMessage // for two texts at once
		SpecialTokens map[string]struct {
			ID     string
			IDs    []int64
			Tokens []string
		} `json:"special_tokens"`
	}
	if err := decodeStrictly(raw, &o); err != nil {
		return frame{}, err
	}
	var f frame
	var seen int
	for _, p := range o.Single {
		switch {
		case p.Sequence != nil && p.SpecialToken == nil && p.Sequence.ID == "A" && p.Sequence.TypeID == 0:
			seen++
		case p.SpecialToken != nil && p.Sequence == nil && p.SpecialToken.TypeID == 0:
			special, ok := o.SpecialTokens[p.SpecialToken.ID]
			if !ok {
				return frame{}, fmt.Errorf("the template names %.64q without its id", p.SpecialToken.ID)
			}
			for _, id := range special.IDs {
				if id < 0 || id > highestID {
					return frame{}, fmt.Errorf("the special token %.64q has the id %d", p.SpecialToken.ID, id)
				}
			}
			if seen == 0 {
				f.before = append(f.before, special.IDs...)
			} else {
				f.after = append(f.after, special.IDs...)
			}
		default:
			return frame{}, errors.New("the template has a part that is not known, or a type that is not 0")
		}
		if len(f.before) > mostSpecial || len(f.after) > mostSpecial {
			return frame{}, errors.New("the template has too many special tokens")
		}
	}
	if seen != 1 {
		return frame{}, errors.New("the template must name the text once")
	}
	return f, nil
}
