package local

import (
	"context"
	"net"
	"testing"
	"time"
)

// A server serves pages until the client has had enough or the server ends. Otherwise the client is
// told why it must serve them itself.
func TestServePages(t *testing.T) {
	p := indexed(t)
	s := startServing(t, someVersion)
	client := func(version string) *Client {
		return &Client{Home: p.Home, Version: version, patience: time.Minute}
	}
	isThere := func(address string) bool {
		c, err := net.Dial("tcp4", address)
		if err == nil {
			_ = c.Close()
		}
		return err == nil
	}
	site := Site{Place: p, Secret: []byte("secret")}

	ctx, cancel := context.WithCancel(t.Context())
	var at string
	err := client(someVersion).ServePages(ctx, site, func(address string) {
		if at = address; !isThere(at) {
			t.Errorf("nobody listens at %s", at)
		}
		cancel()
	})
	if err == nil || at == "" {
		t.Fatalf("address %q, error %v", at, err)
	}
	for end := time.Now().Add(time.Minute); isThere(at); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("the pages stay without their client")
		}
	}

	refused := func(name string, c *Client, s Site) {
		t.Helper()
		if err := c.ServePages(t.Context(), s, func(string) { t.Errorf("%s: served", name) }); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	check(t, err)
	defer func() { _ = l.Close() }()
	refused("another build", client("v9.9.9"), site)
	refused("a port in use", client(someVersion), Site{Place: p, Port: l.Addr().(*net.TCPAddr).Port})
	other := p
	other.Secret = "another"
	refused("another project", client(someVersion), Site{Place: other})
	t.Run("other settings", func(t *testing.T) {
		t.Setenv("PATINA_LIMIT", "3")
		refused("other settings", client(someVersion), site)
	})

	ended := client(someVersion).ServePages(t.Context(), site, func(string) { check(t, s.Process.Kill()) })
	if ended == nil {
		t.Error("no error after the end of the server")
	}
	refused("no server", client(someVersion), site)
}
