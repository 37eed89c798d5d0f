package mother

import (
	"context"
	"sync"
	"time"

	"patina/wire/nodepb"
	"patina/wire/peer"
)

// Status asks a front how the nodes are, and for the replicas of the repositories that the user may
// ask: of all, or of those that no node answers for.
func (c *Client) Status(ctx context.Context, all bool) (*nodepb.StatusReply, error) {
	set, err := c.open()
	if err != nil {
		return nil, err
	}
	reply, call, err := peer.TryAny(ctx, set, peer.How{},
		func(life context.Context, c *peer.Call) (*nodepb.StatusReply, error) {
			return nodepb.NewFrontClient(c.Conn).Status(life, &nodepb.StatusRequest{Replicas: all})
		})
	if err != nil {
		return nil, explain(err)
	}
	call.End()
	return reply, nil
}

// A Front is a front as it was just heard.
type Front struct {
	Address    string
	Took       time.Duration // until it had answered, with the connection
	Err        error         // it did not answer, or is no front; the rest is empty then
	Name       string        // its own
	Version    string        // of patina
	Protocol   *nodepb.Version
	Nodes      []*nodepb.NodeState
	Unanswered int // repositories of the asker that no node answers for
}

// Look asks each of some fronts how it is, with the certificate in a folder. ctx bounds how long it
// waits for those that do not answer.
func Look(ctx context.Context, certificates string, fronts []string) []Front {
	seen := make([]Front, len(fronts))
	var all sync.WaitGroup
	for i, address := range fronts {
		all.Go(func() { seen[i] = lookAtFront(ctx, certificates, address) })
	}
	all.Wait()
	return seen
}

func lookAtFront(ctx context.Context, certificates, address string) Front {
	began := time.Now()
	c := Of(certificates, []string{address})
	defer c.Close()
	m, err := c.Status(ctx, false)
	f := Front{Address: address, Took: time.Since(began), Err: err}
	if err == nil {
		f.Name, f.Version, f.Protocol = m.GetFront().GetNode(), m.GetFront().GetVersion(), m.GetProtocol()
		f.Nodes, f.Unanswered = m.GetNodes(), len(m.GetRepositories())
	}
	return f
}
