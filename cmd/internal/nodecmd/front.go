package nodecmd

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"patina/cmd/internal/cli"
	"patina/wire/config"
	"patina/wire/front"
	"patina/wire/metrics"
	"patina/wire/peer"
	"patina/wire/pki"
)

// A fronting is one run of "patina node front", with its flags.
type fronting struct {
	*app
	folders folders
	listen  string
	status  string
	signs   bool // --ca is given
	log     *slog.Logger
}

func (a *app) front() *cobra.Command {
	s := &fronting{app: a}
	c := &cobra.Command{
		Use:   "front [NAME]",
		Short: "Answer users for the repositories of all nodes",
		Long: `Answer users for the repositories of all nodes. A front hosts nothing: it passes
each question on to the best replica, to another one if that fails, and to a
second one if it is slow. It asks for the user: each node looks again whether
the user may. Two fronts of one cluster are alike, and users may know both.

The certificate says which front it is. Without certificates NAME does, and only
this machine is listened to. The address is that of nodes.toml, or --listen.

With --ca it signs the certificates of those who join (patina node join) and of
those who renew. One front of a cluster is enough for that.

A signal TERM, an interrupt or patina node drain ends it: running questions are
answered, new ones refused. A second signal ends it at once.`,
		Example: `  patina node front front-0 --config deploy/cluster
  patina node front --listen :7480 --ca ~/cluster-ca`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			s.signs = c.Flags().Changed("ca")
			return s.run(c.Context(), strings.Join(args, ""))
		},
	}
	addFolderFlags(c, &s.folders)
	addCAFlag(c, &s.folders)
	addStatusFlag(c, &s.status)
	c.Flags().StringVar(&s.listen, "listen", "", "`address` to listen on: host:port")
	return c
}

func (s *fronting) run(ctx context.Context, given string) (err error) {
	if err := s.folders.setDefaults(); err != nil {
		return err
	}
	certificates, name, err := s.folders.identify(pki.Front, given)
	if err != nil {
		return err
	}
	o, err := s.frontOptions(certificates)
	if err != nil {
		return err
	}
	s.log = slog.New(slog.NewTextHandler(s.Errs, nil)).With("front", name)
	var server *front.Server
	live, err := config.NewLive(s.folders.config, s.log, func(*config.Config) {
		if err := server.Update(); err != nil {
			s.log.Warn("configuration not in force", "why", err.Error())
		}
	})
	if err != nil {
		return err
	}
	heedRevoked(certificates, live)
	declared := live.Config().Front(name)
	if declared == nil {
		return cli.Hint(fmt.Errorf("front %q is not in %s", name, filepath.Join(s.folders.config, config.NodesFile)),
			"declare it there as [[front]], or give another name")
	}
	release, err := claimProcess(s.folders.home)
	if err != nil {
		return err
	}
	defer release()
	address := cmp.Or(s.listen, declared.Address)
	if err := config.CheckListen(address, certificates != nil); err != nil {
		return err
	}
	l, err := net.Listen("tcp", address)
	if err != nil {
		return cli.Hint(err, "name another address with --listen HOST:PORT")
	}
	defer func() { _ = l.Close() }()
	eyes, err := openSeen(ctx, pki.Front, name, s.status, certificates, s.log)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, eyes.closeSeen()) }()
	o.Name, o.Config, o.Version, o.Log = name, live.Config, cli.Version, s.log
	o.Expires, o.GRPC, o.Dial = eyes.expires(), eyes.ServerOptions(), eyes.DialOptions
	if server, err = front.New(o); err != nil {
		return err
	}
	defer server.Close()
	s.SetGrace(drainGrace)
	eyes.AddServer(server.Base)
	eyes.AddNodes(server.Set())
	if err := eyes.serve(s.folders.home, l.Addr(), healthOf(server)); err != nil {
		return err
	}
	if err := server.Wait(ctx); err != nil { // before that, repositories are not known
		return err
	}
	s.log.Info("serving", "address", l.Addr().String(), "tls", certificates != nil, "signs", o.CA != nil,
		"nodes", len(live.Config().Nodes), "repositories", len(live.Config().Repositories))
	keeping, stop := context.WithCancel(ctx)
	defer stop()
	go s.folders.keepCertificate(keeping, certificates, live, o.CA, s.log)
	return s.serveUntil(ctx, live, server, l)
}

// healthOf returns how a front is. One whose nodes are all down takes questions, because it can say
// which nodes these are.
func healthOf(server *front.Server) metrics.Health {
	return metrics.Health{
		Live: func(context.Context) error { return nil },
		Ready: func() error {
			if server.IsDraining() {
				return errors.New("the front is draining")
			}
			for _, n := range server.Set().States() {
				if n.Condition == peer.Unknown {
					return fmt.Errorf("node %s was not heard yet", n.Name)
				}
			}
			return nil
		},
	}
}

// options returns what follows from the certificates and the CA.
func (s *fronting) frontOptions(certificates *pki.Folder) (o front.Options, err error) {
	if s.signs {
		if certificates == nil {
			return o, cli.Hint(errors.New("a front that signs certificates must have one"),
				`get one with "patina node join"`, "or leave --ca out")
		}
		if o.CA, err = pki.OpenCA(s.folders.ca); err != nil {
			return o, err
		}
		o.Credentials, err = certificates.EnrolCredentials()
	} else {
		o.Credentials, err = certificates.ServerCredentials()
	}
	if err != nil || certificates == nil {
		return o, err
	}
	o.Identify, o.ToNode = pki.PeerIdentity, certificates.NodeCredentials()
	return o, nil
}

// serveUntil answers calls until ctx ends, and then those that run.
func (s *fronting) serveUntil(ctx context.Context, live *config.Live, server *front.Server, l net.Listener) error {
	following, stop := context.WithCancel(context.Background())
	followed := make(chan struct{})
	go func() {
		defer close(followed)
		live.Follow(following)
	}()
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(l) }()
	var err error
	select {
	case <-ctx.Done():
	case err = <-failed:
	}
	began := time.Now()
	s.log.Info("draining", "calls", server.Running())
	end, cancel := context.WithTimeout(context.Background(), drainTime)
	defer cancel()
	cut := server.Drain(end)
	stop()
	<-followed
	s.log.Info("ended", "after", time.Since(began).Round(time.Millisecond).String())
	return errors.Join(err, cut)
}
