package mcp

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// listening serves HTTP like ServeHTTP, with a given wait for bodies, and returns its address.
func listening(t *testing.T, o HTTPOptions, within time.Duration) string {
	t.Helper()
	o.Address = "127.0.0.1:0"
	_, h := serverOf(bench{}).handler(o)
	g := h.(guard)
	g.within = within
	s := httptest.NewServer(g)
	t.Cleanup(s.Close)
	return s.Listener.Addr().String()
}

// sent writes bytes to a server and returns its answers until it closes the connection.
func sent(t *testing.T, address, request string) string {
	t.Helper()
	c, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = c.Close() }()
	if _, err := io.WriteString(c, request); err != nil {
		return err.Error()
	}
	answer, _ := io.ReadAll(c)
	return string(answer)
}

// request returns a request with one message and further header lines.
func request(host, lines, body string, length int) string {
	if lines != "" {
		lines += "\r\n"
	}
	return fmt.Sprintf("POST %s HTTP/1.1\r\nHost: %s\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\n"+
		"Connection: close\r\n%sContent-Length: %d\r\n\r\n%s", Endpoint, host, lines, length, body)
}

// Requests that no library would send must be refused or answered correctly.
func TestRawRequests(t *testing.T) {
	open := listening(t, HTTPOptions{}, time.Minute)
	closed := listening(t, HTTPOptions{Token: "let me in"}, time.Minute)
	whole := func(host, lines string) string { return request(host, lines, hello, len(hello)) }
	for _, c := range []struct {
		address, name, send string
		status              int
	}{
		{open, "as it should be", whole("localhost", ""), 200},
		{open, "another host", whole("evil.example", ""), 403},
		{open, "a host that looks like this one", whole("127.0.0.1.evil.example", ""), 403},
		{open, "a number as host", whole("2130706433", ""), 403},
		{open, "no host", strings.Replace(whole("x", ""), "Host: x\r\n", "", 1), 400},
		{open, "two hosts", whole("localhost", "Host: evil.example"), 400},
		{
			open, "the host in the first line",
			strings.Replace(whole("localhost", ""), "POST ", "POST http://evil.example", 1), 403,
		},
		{open, "another origin", whole("localhost", "Origin: http://evil.example"), 403},
		{open, "no origin of a file", whole("localhost", "Origin: null"), 403},
		{open, "two origins", whole("localhost", "Origin: http://localhost\r\nOrigin: http://evil.example"), 403},
		{open, "an origin with a user", whole("localhost", "Origin: http://evil.example@localhost"), 403},
		{
			open, "a page of this machine",
			whole("localhost", "Origin: http://localhost:3000\r\nSec-Fetch-Site: cross-site"), 200,
		},
		{open, "an image of another site", whole("localhost", "Sec-Fetch-Site: cross-site"), 403},
		{open, "a negative length", request("localhost", "", hello, -1), 400},
		{open, "a length that is too short", request("localhost", "", hello, 5), 400},
		{open, "no header but bytes", "\x16\x03\x01\x02\x00\x01\x00\r\n\r\n", 400},
		{open, "a long header", whole("localhost", "X: "+strings.Repeat("a", 2<<20)), 431},
		{open, "a request behind it", whole("localhost", "") + "GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n", 200},
		{closed, "no token", whole("localhost", ""), 401},
		{closed, "an empty token", whole("localhost", "Authorization: Bearer "), 401},
		{closed, "another token", whole("localhost", "Authorization: Bearer let me out"), 401},
		{closed, "another scheme", whole("localhost", "Authorization: Basic let me in"), 401},
		{
			closed, "the token in the address",
			strings.Replace(whole("localhost", ""), Endpoint, Endpoint+"?token=let+me+in", 1), 401,
		},
		{closed, "the token", whole("localhost", "Authorization: Bearer let me in"), 200},
	} {
		answer := sent(t, c.address, c.send)
		if !strings.HasPrefix(answer, fmt.Sprintf("HTTP/1.1 %d ", c.status)) || strings.Count(answer, "HTTP/1.1 ") > 1 {
			t.Errorf("%s is answered with %.200q, want %d", c.name, answer, c.status)
		}
		if c.status != 200 && strings.Contains(answer, "serverInfo") {
			t.Errorf("%s is let in", c.name)
		}
	}
}

// A client that sends half a body must be disconnected, and other clients must be answered
// meanwhile.
func TestHalfBodies(t *testing.T) {
	patient := listening(t, HTTPOptions{}, time.Hour)
	for range 50 {
		c, err := net.Dial("tcp", patient)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = c.Close() }()
		if _, err := io.WriteString(c, request("localhost", "", `{"jsonrpc":`, 1000)); err != nil {
			t.Fatal(err)
		}
	}
	if answer := sent(t, patient, request("localhost", "", hello, len(hello))); !strings.Contains(answer,
		"serverInfo") {
		t.Errorf("beside them: %.200q", answer)
	}
	hasty := listening(t, HTTPOptions{}, time.Millisecond)
	if answer := sent(t, hasty, request("localhost", "", `{"jsonrpc":`, 1000)); !strings.HasPrefix(answer,
		"HTTP/1.1 408 ") {
		t.Errorf("half a body is answered with %.200q", answer)
	}
}

// Few large bodies may be read at the same time, because each may take 16 MiB.
func TestLargeBodiesAtOnce(t *testing.T) {
	address := listening(t, HTTPOptions{}, time.Hour)
	refused := 0
	for range largeAtOnce {
		c, err := net.Dial("tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = c.Close() }()
		// The server asks for the body only when it has a place for it.
		if _, err := io.WriteString(c, strings.Replace(request("localhost", "Expect: 100-continue", "", 10<<20),
			"Connection: close\r\n", "", 1)); err != nil {
			t.Fatal(err)
		}
		b := make([]byte, len("HTTP/1.1 100"))
		if _, err := io.ReadFull(c, b); err != nil || string(b) != "HTTP/1.1 100" {
			t.Fatalf("%q, %v", b, err)
		}
	}
	for range 3 {
		if strings.HasPrefix(sent(t, address, request("localhost", "", "", 10<<20)),
			fmt.Sprintf("HTTP/1.1 %d ", http.StatusServiceUnavailable)) {
			refused++
		}
	}
	if refused != 3 {
		t.Errorf("%d of 3 further ones are refused", refused)
	}
	if answer := sent(t, address, request("localhost", "", hello, len(hello))); !strings.Contains(answer,
		"serverInfo") {
		t.Errorf("a small one beside them: %.200q", answer)
	}
}
