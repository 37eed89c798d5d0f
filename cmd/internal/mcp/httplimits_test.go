package mcp

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"
)

// keepAlive returns a request that keeps the connection open.
func keepAlive(lines, body string) string {
	return strings.Replace(request("localhost", lines, body, len(body)), "Connection: close\r\n", "", 1)
}

// answered reads from a connection until the text appears.
func answered(t *testing.T, c net.Conn, text string) {
	t.Helper()
	var got []byte
	for b := make([]byte, 1); !strings.Contains(string(got), text); {
		n, err := c.Read(b)
		if got = append(got, b[:n]...); err != nil {
			t.Fatalf("%v after %q, want %q", err, got, text)
		}
	}
}

// Only so many connections are served at the same time. One more must get a reason, and a place
// when another one is closed.
func TestConnectionsAtOnce(t *testing.T) {
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	o := HTTPOptions{Address: "127.0.0.1:0"}
	l, err := o.Listen()
	if err != nil {
		t.Fatal(err)
	}
	go func() { ended <- serverOf(bench{}).ServeHTTP(ctx, l, o) }()
	ping := `{"jsonrpc":"2.0","id":1,"method":"ping"}`
	var all []net.Conn
	for range mostConnections {
		c, err := net.Dial("tcp", l.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, c)
		if _, err := io.WriteString(c, keepAlive("", ping)); err != nil {
			t.Fatal(err)
		}
		answered(t, c, "HTTP/1.1 404 ") // without a session
	}
	refused := sent(t, l.Addr().String(), request("localhost", "", hello, len(hello)))
	if !strings.HasPrefix(refused, "HTTP/1.1 503 ") ||
		!strings.Contains(refused, "too many connections: 256 are open") || strings.Contains(refused, "serverInfo") {
		t.Errorf("one more: %q", refused)
	}
	if err := all[0].Close(); err != nil {
		t.Fatal(err)
	}
	for { // until the server sees the closed one
		if answer := sent(t, l.Addr().String(), request("localhost", "", hello, len(hello))); strings.Contains(answer,
			"serverInfo") {
			break
		} else if !strings.HasPrefix(answer, "HTTP/1.1 503 ") {
			t.Fatalf("%q", answer)
		}
	}
	for _, c := range all {
		_ = c.Close()
	}
	stop()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

// Only so many sessions may be open. One more gets a reason while the earlier ones go on. A session
// that ends makes room. A stream without a session is refused.
func TestSessionsAtOnce(t *testing.T) {
	address := listening(t, HTTPOptions{}, time.Minute)
	begin := func() (id, answer string) {
		answer = sent(t, address, request("localhost", "", hello, len(hello)))
		_, rest, _ := strings.Cut(answer, "Mcp-Session-Id: ")
		id, _, _ = strings.Cut(rest, "\r\n")
		return id, answer
	}
	first := ""
	for range mostHTTPSessions {
		id, answer := begin()
		if id == "" {
			t.Fatalf("%q", answer)
		}
		first = id
	}
	if id, answer := begin(); id != "" || !strings.HasPrefix(answer, "HTTP/1.1 503 ") ||
		!strings.Contains(answer, "too many sessions: 1000 are open") || !strings.Contains(answer, `"id":"hello"`) {
		t.Errorf("one more: %q", answer)
	}
	other := "mcp-session-00000000-0000-4000-8000-000000000000"
	list := `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`
	for id, want := range map[string]string{first: "200", other: "404", "x": "404"} {
		if answer := sent(t, address, request("localhost", "Mcp-Session-Id: "+id, list,
			len(list))); !strings.HasPrefix(answer, "HTTP/1.1 "+want) {
			t.Errorf("%s: %.200q, want %s", id, answer, want)
		}
	}
	for lines, want := range map[string]int{
		"":                         http.StatusBadRequest,
		"Mcp-Session-Id: " + other: http.StatusServiceUnavailable, "Mcp-Session-Id: x": http.StatusNotFound,
	} {
		get := strings.Replace(request("localhost", lines, "", 0), "POST ", "GET ", 1)
		if answer := sent(t, address, get); !strings.HasPrefix(answer, fmt.Sprintf("HTTP/1.1 %d ", want)) {
			t.Errorf("a stream with %q: %.200q, want %d", lines, answer, want)
		}
	}
	end := strings.Replace(request("localhost", "Mcp-Session-Id: "+first, "", 0), "POST ", "DELETE ", 1)
	if answer := sent(t, address, end); !strings.HasPrefix(answer, "HTTP/1.1 200 ") {
		t.Errorf("%q", answer)
	}
	if id, answer := begin(); id == "" {
		t.Errorf("after one has ended: %q", answer)
	}
}
