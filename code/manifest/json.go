package manifest

import (
	"encoding/json"
	"strings"
)

// A jsonText is a string, or "true", in a JSON document.
type jsonText struct {
	keys  []string // "" for an index of a list
	value string
	line  int // of its key, or of the list's key
}

// eachJSON calls f with the strings and the true values of a document, up to the first mistake.
func eachJSON(text string, f func(jsonText)) {
	r := jsonReader{text: text, decoder: json.NewDecoder(strings.NewReader(text)), line: 1, f: f}
	r.value(nil, 1)
}

// A jsonReader is the state of one text.
type jsonReader struct {
	text    string
	decoder *json.Decoder
	line    int // at the offset at
	at      int
	f       func(jsonText)
}

// lineHere returns the decoder's current line. It must be called in the order of the text.
func (r *jsonReader) lineHere() int {
	to := min(len(r.text), int(r.decoder.InputOffset()))
	r.line += strings.Count(r.text[r.at:to], "\n")
	r.at = to
	return r.line
}

// value reads one value. It returns false at a mistake or below maxDepth.
func (r *jsonReader) value(keys []string, line int) bool {
	t, err := r.decoder.Token()
	if err != nil || len(keys) > maxDepth {
		return false
	}
	switch v := t.(type) {
	case json.Delim:
		for r.decoder.More() {
			key := ""
			if v == '{' {
				t, err := r.decoder.Token()
				if err != nil {
					return false
				}
				key, _ = t.(string)
			}
			if !r.value(append(keys[:len(keys):len(keys)], key), r.lineHere()) {
				return false
			}
		}
		_, err = r.decoder.Token()
		return err == nil
	case string:
		r.f(jsonText{keys, v, line})
	case bool:
		if v {
			r.f(jsonText{keys, "true", line})
		}
	}
	return true
}

// jsonName returns the name at the top of a valid document, or "".
func jsonName(text string) (name string) {
	var m struct{ Name json.RawMessage }
	if json.Unmarshal([]byte(text), &m) == nil {
		_ = json.Unmarshal(m.Name, &name) // a name must be a string
	}
	return name
}

// jsonDescription returns the description at the top of a document. It is empty if there is no such
// string.
func jsonDescription(text string) (q Quote) {
	eachJSON(text, func(t jsonText) {
		if q.Text == "" && len(t.keys) == 1 && t.keys[0] == "description" {
			q = Quote{t.value, t.line}
		}
	})
	return q
}

// A Script is a named command of a package.json or a composer.json.
type Script struct {
	Name, Command string
	Line          int
}

// Scripts lists the scripts of a package.json or a composer.json whose value is a string.
func Scripts(text string) (list []Script) {
	eachJSON(text, func(t jsonText) {
		if len(t.keys) == 2 && t.keys[0] == "scripts" {
			list = append(list, Script{t.keys[1], t.value, t.line})
		}
	})
	return list
}
