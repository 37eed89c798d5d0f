package front

import (
	"context"
	"encoding/binary"
	"encoding/hex"
	"slices"
	"sync"

	"github.com/cespare/xxhash/v2"
	"google.golang.org/grpc"
	"google.golang.org/grpc/encoding/gzip"

	"patina/wire/config"
	"patina/wire/nodepb"
	"patina/wire/peer"
	"patina/wire/pki"
	"patina/wire/serve"
)

// fewNames is a number of repositories whose list is not worth to be compressed.
const fewNames = 100

// lists keeps the list of all repositories of each group of users, because making one of 10,000
// takes longer than sending "unchanged".
type lists struct {
	mu   sync.Mutex
	of   *listing
	with *config.Config
	kept map[string]list // by rights
}

// A list is the repositories of a reply, and a text that changes with them.
type list struct {
	repositories []*nodepb.Hosted
	tag          string
}

// Repositories implements nodepb.FrontServer.
func (s *Server) Repositories(ctx context.Context, m *nodepb.RepositoriesRequest) (*nodepb.RepositoriesReply, error) {
	a, leave, err := s.admit(ctx)
	if err != nil {
		return nil, err
	}
	defer leave()
	l := s.list(a, m.GetRepositories())
	nodes := s.nodeStates(a)
	sum := xxhash.New()
	_, _ = sum.WriteString(l.tag)
	for _, n := range nodes {
		addText(sum, n.GetNode())
		addText(sum, n.GetState())
		addText(sum, n.GetVersion())
		addNumber(sum, n.GetSinceUnix())
	}
	out := &nodepb.RepositoriesReply{Etag: hex.EncodeToString(sum.Sum(nil))}
	if out.Unchanged = m.GetEtag() == out.Etag; !out.Unchanged {
		out.Repositories, out.Nodes = l.repositories, nodes
		if len(out.Repositories) > fewNames {
			_ = grpc.SetSendCompressor(ctx, gzip.Name) // or not, for a caller that cannot read it
		}
	}
	return out, nil
}

// list returns the repositories that an asker may see, or those of some names.
func (s *Server) list(a *serve.Asker, only []string) list {
	l, c := s.hosts.now.Load(), s.options.Config()
	if len(only) > 0 {
		return listOf(l.visible(a, only))
	}
	rights := s.rightsOf(a)
	s.listed.mu.Lock()
	defer s.listed.mu.Unlock()
	if s.listed.of != l || s.listed.with != c {
		s.listed.of, s.listed.with, s.listed.kept = l, c, map[string]list{}
	}
	kept, ok := s.listed.kept[rights]
	if !ok {
		kept = listOf(l.visible(a, nil))
		s.listed.kept[rights] = kept
	}
	return kept
}

// listOf returns a list with what is shown of repositories.
func listOf(all []*nodepb.Hosted) list {
	sum := xxhash.New()
	l := list{repositories: make([]*nodepb.Hosted, 0, len(all))}
	for _, h := range all {
		short := &nodepb.Hosted{
			Repository: h.GetRepository(), Head: h.GetHead(), ScrapedAtUnix: h.GetScrapedAtUnix(),
			Unreachable: h.GetUnreachable(),
		}
		l.repositories = append(l.repositories, short)
		addText(sum, short.GetRepository())
		addText(sum, short.GetHead())
		at := short.GetScrapedAtUnix() << 1
		if short.GetUnreachable() {
			at++
		}
		addNumber(sum, at)
	}
	l.tag = string(sum.Sum(nil))
	return l
}

// addText adds a text and its end to a hash.
func addText(sum *xxhash.Digest, s string) {
	_, _ = sum.WriteString(s)
	_, _ = sum.Write([]byte{0xff}) // in no text of UTF-8
}

func addNumber(sum *xxhash.Digest, n int64) {
	_, _ = sum.Write(binary.LittleEndian.AppendUint64(nil, uint64(n)))
}

// rightsOf returns a key that is equal for askers who may see the same repositories.
func (s *Server) rightsOf(a *serve.Asker) string {
	switch {
	case a.User != "":
		return "user " + s.options.Config().RightsOf(a.User)
	case isPeer(a):
		return "all"
	}
	return "none"
}

// isPeer reports whether an asker is the user of this machine, a node or a front.
func isPeer(a *serve.Asker) bool { return a.Role == "" || a.Role == pki.Node || a.Role == pki.Front }

// Status implements nodepb.FrontServer. Users are not told why a node is down, because that names
// its address.
func (s *Server) Status(ctx context.Context, m *nodepb.StatusRequest) (*nodepb.StatusReply, error) {
	a, leave, err := s.admit(ctx)
	if err != nil {
		return nil, err
	}
	defer leave()
	out := s.set.Status(m, s.hosts.now.Load().plan, a.MaySee)
	if a.Role == pki.User {
		for _, n := range out.GetNodes() {
			n.Why = ""
		}
	}
	own := s.State(0)
	out.Front = &nodepb.NodeState{
		Node: s.options.Name, State: peer.Up.String(), SinceUnix: s.began.Unix(), Version: own.GetVersion(),
		BootId: own.GetBootId(), Draining: own.GetDraining(), InFlight: own.GetInFlight(), Slots: own.GetSlots(),
		CertificateUnix: own.GetCertificateUnix(),
	}
	return out, nil
}

// nodeStates returns the nodes by name. Users are told names and states only.
func (s *Server) nodeStates(a *serve.Asker) (all []*nodepb.NodeState) {
	s.set.Each(func(n peer.Host) {
		x := &nodepb.NodeState{Node: n.Name, State: n.Condition.String()}
		if a.Role != pki.User {
			x.SinceUnix, x.Version = n.Since.Unix(), n.Version
		}
		all = append(all, x)
	})
	return slices.Clip(all)
}
