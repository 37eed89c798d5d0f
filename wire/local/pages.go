package local

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"os"
	"slices"
	"strings"
	"time"

	"google.golang.org/grpc"

	"patina/ask/project"
	"patina/wire/nodepb"
)

// pagesTime is the time in which a server must say that it serves pages. A person waits for them,
// so it is longer than that for questions.
const pagesTime = 3 * time.Second

// A Site is a project whose pages are to be served ("patina ui").
type Site struct {
	Place  project.Place
	Port   int    // 0: any free one
	Secret []byte // decides the token of the link, so that another process may go on with the same
}

// ServePages lets the server serve a site until ctx ends. It calls ready with the address (host and
// port) once the server listens there, and returns when the server has ended. If it does not call
// ready, the error says why the process must serve the site itself.
func (c *Client) ServePages(ctx context.Context, s Site, ready func(address string)) error {
	if s.Place.Doubt != "" || s.Place.ID == "" {
		return errors.New("no index that the user's records trust")
	}
	l, err := c.takeLink()
	if err != nil {
		return err
	}
	defer c.leave(l)
	stay, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	late := time.AfterFunc(pagesTime+l.patience, func() { cancel(errDead) })
	defer late.Stop()
	stream, err := l.calls.ServePages(stay, &nodepb.ServePagesRequest{
		Build: buildOf(c.Version), Environment: pageEnvironment(), Project: identify(s.Place.Project),
		Port: int32(s.Port), Secret: s.Secret,
	})
	if err != nil {
		return err
	}
	m, err := stream.Recv()
	if err != nil {
		return err
	}
	if m.GetRefused() != "" {
		return refusal(m.GetRefused())
	}
	late.Stop()
	ready(m.GetAddress())
	if m, err = stream.Recv(); err == nil {
		err = refusal(m.GetRefused())
	}
	return err
}

// ServePages implements nodepb.LocalServer.
func (s *Server) ServePages(r *nodepb.ServePagesRequest, stream grpc.ServerStreamingServer[nodepb.ServePagesReply]) error {
	refuse := func(why string) error { return stream.Send(&nodepb.ServePagesReply{Refused: why}) }
	if s.Pages == nil {
		return refuse("it serves no pages")
	}
	if why := differences(r, &nodepb.HelloReply{Build: s.build, Environment: s.pageEnvironment}); why != "" {
		return refuse(why)
	}
	p, ok := placeOf(s.Home, r.GetProject())
	if !ok {
		return refuse("the records say something else about the project")
	}
	s.countSite(1)
	defer s.countSite(-1)
	s.Log.Info("serving pages", "project", p.Root)
	err := s.Pages(stream.Context(), Site{Place: p, Port: int(r.GetPort()), Secret: r.GetSecret()}, func(address string) {
		// If the client has gone, the context ends.
		_ = stream.Send(&nodepb.ServePagesReply{Address: address})
	})
	s.Log.Info("no longer serving pages", "project", p.Root)
	if err != nil {
		return refuse(err.Error())
	}
	return nil
}

func (s *Server) countSite(n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sites += n
	s.used = time.Now()
}

// pageEnvironment is environment with what else decides a page: patina's variables, and PATH, by
// which the checks of beliefs find their commands.
func pageEnvironment() string {
	all := []string{environment(), "PATH=" + os.Getenv("PATH")}
	for _, v := range os.Environ() {
		if strings.HasPrefix(v, "PATINA_") {
			all = append(all, v)
		}
	}
	slices.Sort(all)
	sum := sha256.Sum256([]byte(strings.Join(all, "\x00")))
	return hex.EncodeToString(sum[:])
}
