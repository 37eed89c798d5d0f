package mcp

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// A poster sends messages over HTTP, in a session once it has one.
type poster struct {
	http.Handler
	session string
}

func dialHTTP() *poster {
	_, h := serverOf(bench{}).handler(HTTPOptions{Address: "127.0.0.1:7717"})
	return &poster{Handler: h}
}

// post sends one body and returns the status and the answer.
func (p *poster) post(body string) (status int, answer string) {
	r := httptest.NewRequest(http.MethodPost, "http://127.0.0.1:7717"+Endpoint, strings.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	if p.session != "" {
		r.Header.Set("Mcp-Session-Id", p.session)
	}
	w := httptest.NewRecorder()
	p.ServeHTTP(w, r)
	if id := w.Header().Get("Mcp-Session-Id"); id != "" && p.session == "" {
		p.session = id
	}
	b, _ := io.ReadAll(w.Result().Body)
	return w.Code, string(b)
}

// Over HTTP too, every message must be answered, and so must the next one.
func TestFaultsAreAnsweredOverHTTP(t *testing.T) {
	p := dialHTTP()
	if status, answer := p.post(hello); status != http.StatusOK || !strings.Contains(answer, `"serverInfo"`) ||
		p.session == "" {
		t.Fatalf("%d %s", status, answer)
	}
	deep := strings.Repeat("[", 100_000) + strings.Repeat("]", 100_000)
	for _, c := range []struct {
		send   string
		status int
		want   string
	}{
		{``, 400, "-32700"},
		{`{`, 400, "-32700"},
		{"\x00\x1b[2J", 400, "-32700"},
		{`[{"jsonrpc":"2.0","id":1,"method":"ping"}]`, 400, "no batches"},
		{`{"jsonrpc":"2.0","id":1,"method":"no/such"}`, 0, "-32601"},
		{`{"jsonrpc":"2.0","id":9007199254740992,"method":"ping"}`, 200, `"id":9007199254740992`},
		{`{"jsonrpc":"2.0","id":9007199254740993,"method":"ping"}`, 200, `"id":9007199254740993`},
		{`{"jsonrpc":"2.0","id":-9223372036854775807,"method":"no/such"}`, 0, `"id":-9223372036854775807`},
		{`{"jsonrpc":"2.0","id":18446744073709551615,"method":"ping"}`, 200, `"id":18446744073709551615`},
		{`{"jsonrpc":"2.0","id":1.50,"method":"ping"}`, 200, `"id":1.50`},
		{`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":9007199254740993}}`, 202, ""},
		{`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"rm"}}`, 0, "-32602"},
		{call(1, "scry", `{"mode":["find"]}`), 200, "mode: want a text"},
		{call(1, "scry", `{"limit":"many"}`), 200, "limit: want a whole number"},
		{call(1, "scry", `{"query":"`+strings.Repeat("a", 10<<20)+`"}`), 200, "query: want at most 65536 bytes"},
		{call(1, "scry", `{"query":`+deep+`}`), 0, ""},
		{call(1, "scry", `{"query":"`+strings.Repeat("a", 17<<20)+`"}`), 413, "at most 16777216 bytes"},
		{hello, 200, `"serverInfo"`}, // a second time, in the same session
		{`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`, 202, ""},
	} {
		status, answer := p.post(c.send)
		if c.status != 0 && status != c.status || !strings.Contains(answer, c.want) || len(answer) > 3000 {
			t.Errorf("%.80s is answered with %d %.300s, want %d %s", c.send, status, answer, c.status, c.want)
		}
		if status, answer := p.post(`{"jsonrpc":"2.0","id":"again","method":"ping"}`); status != http.StatusOK ||
			!strings.Contains(answer, `"again"`) {
			t.Fatalf("after %.80s, ping is answered with %d %.300s", c.send, status, answer)
		}
	}
	p.session = "nobody's"
	if status, _ := p.post(`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`); status != http.StatusNotFound {
		t.Errorf("a session that is none is answered with %d", status)
	}
}

// No request ends the server.
func FuzzHTTP(f *testing.F) {
	for _, s := range []string{
		hello, call(1, "scry", `{"query":"x"}`), `[`, `[]`, `{"id":null}`,
		`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`,
	} {
		f.Add(http.MethodPost, Endpoint, s)
	}
	f.Add(http.MethodDelete, Endpoint, "")
	f.Fuzz(func(t *testing.T, method, path, body string) {
		// A GET opens a stream that stays open. An empty method means GET.
		if method == http.MethodGet || method == "" || !strings.HasPrefix(path, "/") {
			return
		}
		p := dialHTTP()
		p.post(hello)
		r, err := http.NewRequest(method, "http://127.0.0.1:7717/", strings.NewReader(body))
		if err != nil {
			return
		}
		r.URL.Path = path
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Mcp-Session-Id", p.session)
		w := httptest.NewRecorder()
		p.ServeHTTP(w, r)
		p.session = ""
		if status, answer := p.post(hello); status != http.StatusOK {
			t.Fatalf("after %s %q %q: %d %s", method, path, body, status, answer)
		}
	})
}
