package mcp

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"strconv"
)

// withNumber makes the id of a message come back as it was sent. The library reads numbers as
// float64, which cannot hold every integer above 2^53. So such an id is a text while the library
// has the message, and the returned writer writes it as a number again. The body of r must be in
// memory.
func withNumber(w http.ResponseWriter, r *http.Request) http.ResponseWriter {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return w
	}
	number := json.RawMessage(nil)
	body, number = replaceNumbers(body)
	r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
	if number == nil {
		return w
	}
	return &numberWriter{w, standIn(number), number}
}

// standIn returns the text in place of a number.
func standIn(number json.RawMessage) []byte { return []byte(strconv.Quote("number " + string(number))) }

// replaceNumbers replaces the id of a message, and the id that it cancels, by a text if float64
// cannot hold it. number is the replaced id of the message itself, or nil.
func replaceNumbers(message []byte) (out []byte, number json.RawMessage) {
	var m map[string]json.RawMessage
	if json.Unmarshal(message, &m) != nil {
		return message, nil
	}
	changed := false
	if id := m["id"]; isInexact(id) {
		m["id"], number, changed = standIn(id), id, true
	}
	var params map[string]json.RawMessage
	if string(m["method"]) == `"notifications/cancelled"` && json.Unmarshal(m["params"], &params) == nil &&
		isInexact(params["requestId"]) {
		params["requestId"] = standIn(params["requestId"])
		m["params"], _ = json.Marshal(params) // parsed values can be encoded
		changed = true
	}
	if !changed {
		return message, nil
	}
	if out, err := json.Marshal(m); err == nil {
		return out, number
	}
	return message, nil
}

// isInexact reports whether an id is a number that would not come back digit by digit.
func isInexact(id json.RawMessage) bool {
	if len(id) == 0 || id[0] != '-' && (id[0] < '0' || id[0] > '9') {
		return false
	}
	n, err := strconv.ParseInt(string(id), 10, 64)
	return err != nil || int64(float64(n)) != n || n == 1<<63-1
}

// A numberWriter writes a number in place of its text. The library must write a message in one
// call.
type numberWriter struct {
	http.ResponseWriter
	text, number []byte
}

// Write implements io.Writer.
func (w *numberWriter) Write(p []byte) (int, error) {
	if _, err := w.ResponseWriter.Write(bytes.ReplaceAll(p, append([]byte(`"id":`), w.text...),
		append([]byte(`"id":`), w.number...))); err != nil {
		return 0, err
	}
	return len(p), nil
}

// Flush implements http.Flusher.
func (w *numberWriter) Flush() { _ = http.NewResponseController(w.ResponseWriter).Flush() }

// Unwrap returns the writer for http.ResponseController.
func (w *numberWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }
