package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/client/transport"
	"github.com/mark3labs/mcp-go/mcp"

	"patina/ask/project"
)

// Over HTTP too, the projects of a client must be its own roots, and not those of other clients.
func TestRootsOverHTTP(t *testing.T) {
	fits(t)
	g := layGoldens(t)
	dir := filepath.Dir(g.root)
	write(t, filepath.Join(dir, "one/kettle.go"),
		"package one\n\n// BoilKettle heats water for tea.\nfunc BoilKettle() {}\n")
	write(t, filepath.Join(dir, "two/toast.go"), "package two\n\n// BurnToast browns bread.\nfunc BurnToast() {}\n")
	url := listenHTTP(t, "--listen", "127.0.0.1:0", "--project", g.root)
	of := func(roots ...string) agent {
		//lint:ignore SA1019 by older protocols, clients are asked for their roots on this stream
		carrier, err := transport.NewStreamableHTTP(url, transport.WithContinuousListening())
		if err != nil {
			t.Fatal(err)
		}
		c := client.NewClient(carrier, client.WithRootsHandler(rootsOf(roots)),
			client.WithProtocolVersion(mcp.LATEST_LEGACY_PROTOCOL_VERSION))
		if err := c.Start(t.Context()); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = c.Close() })
		return greet(t, c, mcp.LATEST_LEGACY_PROTOCOL_VERSION)
	}
	both, second := of(filepath.Join(dir, "one"), filepath.Join(dir, "two")), of(filepath.Join(dir, "two"))
	if got := both.call("scry", map[string]any{"query": "heats water for tea"}); !strings.Contains(got, "kettle.go") ||
		!strings.Contains(got, `project: one (others: repo="two")`) {
		t.Errorf("the first root answers\n%s", got)
	}
	if got := both.call("scry", map[string]any{"query": "browns bread", "repo": "two"}); !strings.Contains(got,
		"toast.go") {
		t.Errorf("the second root answers\n%s", got)
	}
	if got := second.call("scry", map[string]any{"query": "browns bread"}); !strings.Contains(got, "toast.go") ||
		strings.Contains(got, "others:") {
		t.Errorf("the only root of another client answers\n%s", got)
	}
}

// A first call waits for the process that fills the store. Meanwhile the server must answer other
// calls, and a call that gives up must end.
func TestFirstCallWaitsForAnotherProcess(t *testing.T) {
	fits(t)
	if testing.Short() {
		t.Skip("fits a model, which takes minutes under the race detector")
	}
	g := layGoldens(t)
	g.run("scrape", "--no-adapt")
	store := filepath.Join(g.root, project.StoreName)
	// This is the state before the first generation is published.
	if err := os.Remove(filepath.Join(store, "current")); err != nil {
		t.Fatal(err)
	}
	lock, err := os.OpenFile(filepath.Join(store, "lock"), os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = lock.Close() }()
	if err := syscall.Flock(int(lock.Fd()), syscall.LOCK_EX); err != nil {
		t.Fatal(err)
	}
	a := connect(t)
	var ask mcp.CallToolRequest
	ask.Params.Name, ask.Params.Arguments = "scry", map[string]any{"query": "how are retries spread"}
	given, giveUp := context.WithCancel(t.Context())
	ended, answered := make(chan error, 1), make(chan string, 1)
	go func() {
		_, err := a.CallTool(given, ask)
		ended <- err
	}()
	go func() {
		r, err := a.CallTool(t.Context(), ask)
		if err != nil || r.IsError {
			answered <- fmt.Sprintf("%v %+v", err, r)
			return
		}
		answered <- r.Content[0].(mcp.TextContent).Text
	}()
	for range 3 {
		if _, err := a.ListTools(t.Context(), mcp.ListToolsRequest{}); err != nil {
			t.Fatal(err)
		}
	}
	giveUp()
	if err := <-ended; err == nil {
		t.Error("a call was answered while another process held the store")
	}
	select {
	case got := <-answered:
		t.Errorf("answered while another process held the store: %s", got)
	default:
	}
	if err := syscall.Flock(int(lock.Fd()), syscall.LOCK_UN); err != nil {
		t.Fatal(err)
	}
	if got := <-answered; !strings.Contains(got, "retr") {
		t.Errorf("answered with %s", got)
	}
}
