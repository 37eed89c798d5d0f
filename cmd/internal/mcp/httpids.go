package mcp

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"strconv"
)

// withNumber lets the id of a message come back as it was sent: the library reads numbers as
// float64, which cannot hold every integer above 2^53. Such an id is a text while the library has
// the message, and a number again in what the returned writer writes. The body of r must be in
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

// standIn is the text that stands for a number.
func standIn(number json.RawMessage) []byte { return []byte(strconv.Quote("number " + string(number))) }

// replaceNumbers returns a message whose id, or the id that it cancels, is a text if it was a
// number that float64 cannot hold. number is the id of the message before, nil if it stays.
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
	if string(m["method"]) == `"notifications/cancelled"` && json.Unmarshal(m["params"], &params) == nil && isInexact(params["requestId"]) {
		params["requestId"] = standIn(params["requestId"])
		m["params"], _ = json.Marshal(params) // what was parsed can be written
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

// A numberWriter writes a number in place of the text that stands for it. The library writes a
// message at once.
type numberWriter struct {
	http.ResponseWriter
	text, number []byte
}

// Write implements io.Writer.
func (w *numberWriter) Write(p []byte) (int, error) {
	if _, err := w.ResponseWriter.Write(bytes.ReplaceAll(p, append([]byte(`"id":`), w.text...), append([]byte(`"id":`), w.number...))); err != nil {
		return 0, err
	}
	return len(p), nil
}

// Flush implements http.Flusher.
func (w *numberWriter) Flush() { _ = http.NewResponseController(w.ResponseWriter).Flush() }

// Unwrap is for http.ResponseController.
func (w *numberWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }
