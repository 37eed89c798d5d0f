package wire

import (
	"encoding/json"
	"fmt"
	"reflect"
)

// toJSON returns the JSON of plain data.
func toJSON(v any) ([]byte, error) {
	data, err := json.Marshal(v)
	if err != nil {
		return nil, fmt.Errorf("encode %T: %w", v, err)
	}
	return data, nil
}

// toJSONUnlessZero returns the JSON of plain data, or nil for a zero value.
func toJSONUnlessZero(v any) ([]byte, error) {
	if reflect.ValueOf(v).IsZero() {
		return nil, nil
	}
	return toJSON(v)
}

// A bound limits the JSON that a peer may send.
type bound struct{ bytes, values int }

var (
	ofRequest = bound{MaxRequest, mostRequestValues}
	ofReply   = bound{MaxReply, mostReplyValues}
)

// fromJSON reads the JSON of a peer into v, a pointer. Unknown fields are ignored, because a newer
// peer may send them. No data leaves v as it is. It returns an error for JSON beyond the bound, and
// for nesting deeper than mostDepth.
func fromJSON(data []byte, v any, b bound) error {
	if len(data) == 0 {
		return nil
	}
	if len(data) > b.bytes {
		return fmt.Errorf("decode %T: %d bytes, more than %d", v, len(data), b.bytes)
	}
	if values, depth := measureJSON(data); values > b.values || depth > mostDepth {
		return fmt.Errorf("decode %T: %d values, %d deep: more than %d, or deeper than %d", v, values, depth, b.values, mostDepth)
	}
	if err := json.Unmarshal(data, v); err != nil {
		return fmt.Errorf("decode %T: %w", v, err)
	}
	return nil
}

// measureJSON returns at least the number of values in JSON, and its depth. Text that is no JSON
// has some numbers, too.
func measureJSON(data []byte) (values, depth int) {
	values = 1
	quoted, open := false, 0
	for i := 0; i < len(data); i++ {
		switch c := data[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{', c == '[':
			values++
			open++
			depth = max(depth, open)
		case c == '}', c == ']':
			open--
		case c == ',':
			values++
		}
	}
	return values, depth
}
