package local

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"sync"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"

	"patina/ask/project"
	"patina/wire/nodepb"
)

const (
	// helloTime is the time for the first message of a server. A server that is stopped costs it
	// once.
	helloTime = 50 * time.Millisecond
	// aliveEvery is the time between two questions whether a server is still at work, while it
	// answers.
	aliveEvery = 50 * time.Millisecond
	// aliveTime is the time for the answer, which is longer because the machine may be busy.
	aliveTime = 250 * time.Millisecond
	// forgetTime is the time for which a server is not asked again after it failed.
	forgetTime = 5 * time.Second
)

// errDead means that the server does not answer.
var errDead = errors.New("the server does not answer")

// A Client finds the server of a home. It is safe for concurrent use. The zero value without a Home
// finds none.
type Client struct {
	Home    string
	Version string // of this build
	// Keep keeps the connection after its last use. The caller must then Close the client.
	Keep bool

	// patience is added to helloTime and aliveTime: a test on a busy machine must not fail because
	// its server is late.
	patience time.Duration

	mu     sync.Mutex
	link   *link     // nil without a connection
	failed time.Time // when the server failed, or the zero time
}

// A link is one connection to a server.
type link struct {
	conn  *grpc.ClientConn
	calls nodepb.LocalClient
	users int // guarded by Client.mu
	gone  bool

	patience time.Duration // as the client's
}

// take returns the connection to the server. It returns an error if there is no socket, or the
// server has failed. The caller must call leave.
func (c *Client) takeLink() (*link, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case c.Home == "":
		return nil, fs.ErrNotExist
	case c.link != nil:
	case !c.failed.IsZero() && time.Since(c.failed) < forgetTime:
		return nil, errDead
	default:
		l, err := dial(c.Home)
		if err != nil {
			return nil, err
		}
		c.link = l
		l.patience = c.patience
	}
	c.link.users++
	return c.link, nil
}

// dial prepares a connection, which is made with the first call.
func dial(home string) (*link, error) {
	path, err := Socket(home)
	if err != nil {
		return nil, err
	}
	if _, err := os.Lstat(path); err != nil {
		return nil, err
	}
	conn, err := grpc.NewClient("passthrough:///local",
		grpc.WithTransportCredentials(insecure.NewCredentials()),
		grpc.WithDisableServiceConfig(),
		grpc.WithContextDialer(func(ctx context.Context, _ string) (net.Conn, error) { return connectSocket(ctx, path) }),
		grpc.WithDefaultCallOptions(grpc.MaxCallRecvMsgSize(maxMessage), grpc.MaxCallSendMsgSize(maxMessage)),
	)
	if err != nil {
		return nil, fmt.Errorf("connect to %q: %w", path, err)
	}
	return &link{conn: conn, calls: nodepb.NewLocalClient(conn)}, nil
}

// leave ends a use of a connection.
func (c *Client) leave(l *link) {
	c.mu.Lock()
	defer c.mu.Unlock()
	l.users--
	if l.users > 0 || c.Keep && !l.gone {
		return
	}
	c.drop(l)
}

// fail remembers that a server does not answer, and lets the others of its users know.
func (c *Client) fail(l *link) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !l.gone {
		c.failed = time.Now()
	}
	c.drop(l)
}

// drop closes a connection. It may be called again. The caller must hold mu.
func (c *Client) drop(l *link) {
	if l.gone {
		return
	}
	l.gone = true
	if c.link == l {
		c.link = nil
	}
	_ = l.conn.Close()
}

// Close ends the connection. Running calls fail.
func (c *Client) Close() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.link != nil {
		c.drop(c.link)
	}
}

// watch returns a context for a call that ends with ctx, or with the cause errDead when the server
// has not said within aliveTime and patience that it is at work. The caller must call done.
func (l *link) watch(ctx context.Context) (inner context.Context, done func()) {
	inner, cancel := context.WithCancelCause(ctx)
	timer := time.AfterFunc(aliveEvery, func() {
		for inner.Err() == nil {
			if err := l.hello(inner, aliveTime+l.patience); err != nil {
				cancel(errDead)
				return
			}
			select {
			case <-time.After(aliveEvery):
			case <-inner.Done():
			}
		}
	})
	return inner, func() {
		timer.Stop()
		cancel(nil)
	}
}

// hello returns nil if the server answers in time.
func (l *link) hello(ctx context.Context, within time.Duration) error {
	ctx, cancel := context.WithTimeout(ctx, within)
	defer cancel()
	_, err := l.calls.Hello(ctx, &nodepb.HelloRequest{})
	return err
}

// A Status describes a server.
type Status struct {
	PID     int
	Version string
	InUse   int // engines that are lent now
	Lent    int // engines that were lent since its start
	// Refuses is the reason why it lends no engine to this process, or empty.
	Refuses string
}

// Ask returns the status of the server of a home, as it is for a process of a version. The error
// wraps fs.ErrNotExist if there is no socket.
func Ask(ctx context.Context, home, version string) (Status, error) {
	c := &Client{Home: home}
	l, err := c.takeLink()
	if err != nil {
		return Status{}, err
	}
	defer c.leave(l)
	ctx, cancel := context.WithTimeout(ctx, aliveTime)
	defer cancel()
	m, err := l.calls.Hello(ctx, &nodepb.HelloRequest{})
	if err != nil {
		return Status{}, fmt.Errorf("ask the server of %q: %w", home, err)
	}
	return Status{
		PID: int(m.GetPid()), Version: m.GetVersion(), InUse: int(m.GetInUse()), Lent: int(m.GetLent()),
		Refuses: differences(m, &nodepb.HelloReply{Build: buildOf(version), Environment: environment()}),
	}, nil
}

// open borrows the engine of a place. The error says why the process must open one itself.
func (c *Client) open(ctx context.Context, p project.Place, within time.Duration) (*borrowed, error) {
	if p.Doubt != "" || p.ID == "" {
		return nil, errors.New("no index that the user's records trust")
	}
	l, err := c.takeLink()
	if err != nil {
		return nil, err
	}
	b := &borrowed{client: c, link: l}
	// The stream is the use of the engine: it must outlive this call.
	stay, cancel := context.WithCancel(context.WithoutCancel(ctx))
	b.giveBack = sync.OnceFunc(func() {
		cancel()
		c.leave(l)
	})
	defer context.AfterFunc(ctx, cancel)() // until the engine is open
	if err := b.openEngine(stay, p, within, c.Version); err != nil {
		if _, refused := errors.AsType[refusal](err); !refused && ctx.Err() == nil {
			c.fail(l)
		}
		b.giveBack()
		return nil, err
	}
	return b, nil
}

// A refusal is the reason why a server does not lend an engine.
type refusal string

func (r refusal) Error() string { return "refused: " + string(r) }

// A borrowed is an engine of the server in use.
type borrowed struct {
	client   *Client
	link     *link
	giveBack func()
	lease    uint64
	opened   *nodepb.Opened
}

// begin asks for the engine and waits until it is open.
func (b *borrowed) openEngine(stay context.Context, p project.Place, within time.Duration, version string) error {
	stay, cancel := context.WithCancelCause(stay)
	late := time.AfterFunc(helloTime+b.link.patience, func() { cancel(errDead) })
	defer late.Stop()
	stream, err := b.link.calls.Open(stay, &nodepb.OpenRequest{
		Build: buildOf(version), Environment: environment(), Project: identify(p.Project),
		Scoring: string(p.Scoring), WithinUs: within.Microseconds(),
	})
	if err != nil {
		cancel(err)
		return err
	}
	m, err := stream.Recv()
	if err == nil && m.GetRefused() == "" {
		late.Stop()
		alive, done := b.link.watch(stay)
		defer done()
		defer context.AfterFunc(alive, func() { cancel(context.Cause(alive)) })()
		m, err = stream.Recv()
	}
	if err == nil && m.GetRefused() != "" {
		err = refusal(m.GetRefused())
	}
	if err != nil {
		cancel(err)
		return err
	}
	b.lease, b.opened = m.GetLease(), m
	return nil
}
