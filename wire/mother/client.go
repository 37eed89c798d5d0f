package mother

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"

	"patina/actors/api"
	"patina/registry"
	"patina/wire"
	"patina/wire/config"
	"patina/wire/peer"
	"patina/wire/pki"
)

// ErrNoFront means that the user has named no front.
var ErrNoFront = errors.New("no front is known")

// CertificatesFolder is the folder in a user's home with the user's key and certificate, and that
// of the CA.
const CertificatesFolder = "certificates"

const (
	// idle is how long connections are kept that nobody uses.
	idle = 2 * time.Minute
	// shortWait is how long a question waits for what only makes its answer better.
	shortWait = 50 * time.Millisecond
)

// A Client reaches the repositories of a user's fronts. Their addresses are the user's setting
// mother, and the certificates are in the user's home. Both are read when something is asked, and
// not before. A Client is safe for concurrent use. Close ends it.
type Client struct {
	home         string
	certificates string   // their folder
	fixed        []string // fronts that need not be the user's; nil: the setting says

	mu        sync.Mutex
	closed    bool
	set       *peer.Set // nil while nothing is asked
	addresses []string  // of set
	targets   map[string]*target
	used      time.Time   // set was last asked for
	rest      *time.Timer // closes an idle set; nil without a set
	looked    time.Time   // sketches were last compared
	comparing <-chan struct{}
	keeping   *keeping // nil until there was a certificate
}

// New returns the client of the user with a home. It reads nothing and reaches nothing.
func New(home string) *Client {
	return &Client{home: home, certificates: filepath.Join(home, CertificatesFolder), targets: map[string]*target{}}
}

// Of returns a client of given fronts, with the certificate in a folder, which it does not renew.
func Of(certificates string, fronts []string) *Client {
	return &Client{certificates: certificates, fixed: fronts, targets: map[string]*target{}}
}

// Close ends all calls and connections, after a short wait for sketches that are being compared. It
// may be called again.
func (c *Client) Close() {
	c.mu.Lock()
	comparing := c.comparing
	c.mu.Unlock()
	if comparing != nil { // many a client ends after one question
		select {
		case <-comparing:
		case <-time.After(shortWait):
		}
	}
	c.mu.Lock()
	c.closed = true
	set, k := c.takeSet(), c.keeping
	c.mu.Unlock()
	if set != nil {
		set.Close()
	}
	if k != nil {
		k.stop()
	}
}

// take returns the set, which the caller must close, and forgets it. The caller must hold mu.
func (c *Client) takeSet() *peer.Set {
	set := c.set
	c.set, c.addresses = nil, nil
	if c.rest != nil {
		c.rest.Stop()
	}
	return set
}

// Fronts returns the addresses of the user's fronts. The error wraps ErrNoFront if no front is
// known.
func (c *Client) Fronts() ([]string, error) {
	if c.fixed != nil {
		return c.fixed, nil
	}
	chosen, _, err := registry.SettingSources{Home: c.home}.Read()
	if err != nil {
		return nil, err
	}
	all := chosen.Fronts()
	if len(all) == 0 {
		return nil, fmt.Errorf("%w: join one with \"patina node join TOKEN\", or set PATINA_MOTHER=host:port", ErrNoFront)
	}
	return all, nil
}

// open returns the fronts, whose connections begin now. It returns an error if the user has named
// none, or if they may not be asked.
func (c *Client) open() (*peer.Set, error) {
	addresses, err := c.Fronts()
	if err != nil {
		return nil, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return nil, api.ErrClosed
	}
	c.used = time.Now()
	if c.set != nil && slices.Equal(c.addresses, addresses) {
		return c.set, nil
	}
	if old := c.takeSet(); old != nil { // the user has changed the setting
		go old.Close()
	}
	set, err := c.connect(addresses)
	if err != nil {
		return nil, err
	}
	c.set, c.addresses = set, addresses
	c.rest = time.AfterFunc(idle, c.closeIdle)
	return set, nil
}

// closeIdle closes the set if nobody has used it for idle.
func (c *Client) closeIdle() {
	c.mu.Lock()
	if left := idle - time.Since(c.used); left > 0 && c.set != nil {
		c.rest.Reset(left)
		c.mu.Unlock()
		return
	}
	set := c.takeSet()
	c.mu.Unlock()
	if set != nil {
		set.Close()
	}
}

// connect returns a set of fronts. They are named by their addresses. The caller must hold mu.
func (c *Client) connect(addresses []string) (*peer.Set, error) {
	o := peer.Options{Named: true}
	for _, a := range addresses {
		o.Nodes = append(o.Nodes, config.Node{Name: a, Address: a})
	}
	dir := c.certificates
	folder, err := pki.OpenFolder(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if err := checkLoopback(addresses, dir); err != nil {
			return nil, err
		}
	case err != nil:
		return nil, err
	default:
		all := map[string]credentials.TransportCredentials{}
		for _, a := range addresses {
			if all[a], err = credentialsOf(folder, a); err != nil {
				return nil, err
			}
		}
		o.Credentials = func(n config.Node) credentials.TransportCredentials { return all[n.Address] }
		if c.keeping == nil && c.fixed == nil {
			c.keeping = keepCertificate(dir, c.Fronts)
		}
	}
	return peer.New(o)
}

// credentialsOf returns those of a connection to a front, which is known by its host.
func credentialsOf(f *pki.Folder, address string) (credentials.TransportCredentials, error) {
	if strings.HasPrefix(address, "unix:") {
		return insecure.NewCredentials(), nil
	}
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return nil, err
	}
	c, err := f.ClientTLS(pki.Expected{Role: pki.Front, Host: host})
	if err != nil {
		return nil, err
	}
	return credentials.NewTLS(c), nil
}

// checkLoopback returns an error for an address that others can reach, because without certificates
// nobody knows who answers there.
func checkLoopback(addresses []string, dir string) error {
	for _, a := range addresses {
		if strings.HasPrefix(a, "unix:") {
			continue
		}
		if config.CheckListen(a, false) != nil {
			return fmt.Errorf("front %s is on another machine, and there is no certificate in %q: "+
				"join with \"patina node join TOKEN\"", a, dir)
		}
	}
	return nil
}

// failureOf returns an error of a call, or of the way to it, as that of a look-up.
func failureOf(err error) *api.Failure {
	var call *peer.CallError
	if errors.As(err, &call) {
		f := *wire.FailureOf(call.Err)
		f.Detail = call.Error()
		return &f
	}
	if errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled) {
		return wire.FailureOf(err)
	}
	if f, ok := errors.AsType[*api.Failure](err); ok {
		return f
	}
	return &api.Failure{Status: api.Unreachable, Detail: err.Error()}
}

// Advice returns what to do about an error of a Client, or "" if nothing is known.
func Advice(err error) string { return pki.Advice(err) }
