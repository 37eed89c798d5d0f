package nodecmd

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"time"

	"patina/cmd/internal/cli"
	"patina/cmd/internal/layout"
	"patina/registry"
	"patina/wire/config"
	"patina/wire/peer"
)

const (
	// selfTime bounds how long a process is asked how it is. Health checks of containers wait for a
	// few seconds.
	selfTime = 2 * time.Second
	// maxSaid bounds what it says, in bytes.
	maxSaid = 1 << 10
)

// statusOfSelf prints in one line how the node or front of this home folder is, and returns
// cli.ExitNothing unless it is well. ready says that it must also take questions.
func (a *app) statusOfSelf(ctx context.Context, f *folders, ready bool) error {
	ctx, cancel := context.WithTimeout(ctx, selfTime)
	defer cancel()
	home, err := registry.Home()
	if err != nil {
		return err
	}
	if _, err := runningProcess(home); err != nil {
		fmt.Fprintf(a.Out, "%s in %s\n", layout.Plain(err.Error()), layout.Plain(home))
		return cli.Exit(cli.ExitNothing)
	}
	at, err := readAddresses(home)
	if errors.Is(err, os.ErrNotExist) {
		fmt.Fprintln(a.Out, "it begins")
		return cli.Exit(cli.ExitNothing)
	}
	if err != nil {
		return fmt.Errorf("read where it listens: %w", err)
	}
	who := fmt.Sprintf("%s %s", at.Role, at.Name)
	if at.Status != "" {
		err = askHealth(ctx, at.Status, ready)
	} else {
		err = at.hear(ctx, f, ready)
	}
	if err != nil {
		fmt.Fprintf(a.Out, "%s: %s\n", layout.Plain(who), layout.Plain(err.Error()))
		return cli.Exit(cli.ExitNothing)
	}
	fmt.Fprintf(a.Out, "%s: ok\n", layout.Plain(who))
	return nil
}

// askHealth asks the address of health of a process. It returns an error that says what is wrong.
func askHealth(ctx context.Context, address string, ready bool) error {
	path := "/healthz"
	if ready {
		path = "/readyz"
	}
	m, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+address+path, http.NoBody)
	if err != nil {
		return err
	}
	reply, err := (&http.Transport{Proxy: nil}).RoundTrip(m)
	if err != nil {
		return err
	}
	defer func() { _ = reply.Body.Close() }()
	said, err := io.ReadAll(io.LimitReader(reply.Body, maxSaid))
	if err != nil {
		return err
	}
	if reply.StatusCode != http.StatusOK {
		return errors.New(strings.TrimSpace(string(said)))
	}
	return nil
}

// hear waits for a beat at the address where a process listens for all. It returns an error that
// says what is wrong.
func (at addresses) hear(ctx context.Context, f *folders, ready bool) error {
	certificates, _, err := f.identify(at.Role, at.Name)
	if err != nil {
		return err
	}
	host, port, err := net.SplitHostPort(at.Listen)
	if err != nil {
		return err
	}
	if ip := net.ParseIP(host); ip == nil || ip.IsUnspecified() {
		host = "127.0.0.1"
	}
	set, err := peer.New(peer.Options{
		Nodes:       []config.Node{{Name: at.Name, Address: net.JoinHostPort(host, port)}},
		Credentials: certificates.CredentialsTo(at.Role),
	})
	if err != nil {
		return err
	}
	defer set.Close()
	if err := set.Wait(ctx); err != nil {
		return err
	}
	switch n := set.States()[0]; {
	case n.Condition != peer.Up:
		return fmt.Errorf("%s: %s", n.Condition, n.Why)
	case ready && n.Draining:
		return errors.New("it is draining")
	}
	return nil
}
