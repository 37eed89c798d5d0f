package nodecmd

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"patina/actors"
	"patina/ask/embedders"
	"patina/cmd/internal/cli"
	"patina/wire/config"
	"patina/wire/host"
	"patina/wire/metrics"
	"patina/wire/pki"
	"patina/wire/placement"
	"patina/wire/serve"
)

// drainTime is how long running questions may take when a node or front ends. drainGrace is a bit
// more, for the rest of the end.
const (
	drainTime  = 30 * time.Second
	drainGrace = drainTime + 5*time.Second
)

// A serving is one run of "patina node serve", with its flags.
type serving struct {
	*app
	folders folders
	listen  string
	hints   string
	status  string
	open    int
	// handover is how long the new owners of a repository must have shown it before it goes.
	handover time.Duration
	log      *slog.Logger
}

func (a *app) serve() *cobra.Command {
	s := &serving{app: a}
	c := &cobra.Command{
		Use:   "serve [NAME]",
		Short: "Serve the repositories of a node",
		Long: `Serve the repositories of a node to fronts and other nodes. It clones those that
the plan gives to it (patina node plan), fetches what is new every minute, makes
their indexes and answers. Nothing in a repository is run. One that moves to
another node stays until that node has it.

The certificate says which node it is. Without certificates NAME does, and only
this machine is listened to. The address is that of nodes.toml, or --listen.

A signal TERM, an interrupt or patina node drain ends it: running questions are
answered, new ones refused. A second signal ends it at once.

With --hints it takes hints that a repository has something new: POST /hint,
signed with hint_secret of nodes.toml, as forges sign what they send.`,
		Example: `  patina node serve node-0 --config deploy/cluster
  patina node serve --listen :7470`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			return s.run(c.Context(), strings.Join(args, ""))
		},
	}
	addFolderFlags(c, &s.folders)
	addStatusFlag(c, &s.status)
	f := c.Flags()
	f.StringVar(&s.listen, "listen", "", "`address` to listen on: host:port")
	f.StringVar(&s.hints, "hints", "", "`address` to take hints on: host:port")
	f.DurationVar(&s.handover, "handover", 2*time.Minute, "`time` that a moved repository stays once others have it")
	f.IntVar(&s.open, "open", 0, "most `indexes` that stay open at once (default 64)")
	return c
}

// identify returns the folder of the process's certificate, and its name. Without certificates the
// folder is nil and the name is the given one.
func (f *folders) identify(role pki.Role, given string) (*pki.Folder, string, error) {
	certificates, err := pki.OpenFolder(f.certificates)
	if errors.Is(err, fs.ErrNotExist) {
		if _, err := os.Lstat(filepath.Join(f.certificates, "tls.crt")); !errors.Is(err, fs.ErrNotExist) {
			return nil, "", cli.Hint(fmt.Errorf("the certificate in %s is not complete", f.certificates),
				`get another with "patina node join"`)
		}
		if given == "" {
			return nil, "", cli.Hint(fmt.Errorf("which %s this is, no certificate in %s says", role, f.certificates),
				"give its name in nodes.toml", `or get a certificate with "patina node join"`)
		}
		return nil, given, config.CheckName(given)
	}
	if err != nil {
		return nil, "", err
	}
	id := certificates.Identity()
	if id.Role != role {
		return nil, "", cli.Hint(fmt.Errorf("the certificate in %s is of %s, and not of a %s", f.certificates, id, role),
			"name another folder with --certificates")
	}
	if given != "" && given != id.Name {
		return nil, "", fmt.Errorf("the certificate in %s is of %s, and not of %q", f.certificates, id, given)
	}
	return certificates, id.Name, nil
}

// gate returns who may ask: whoever the certificates and the configuration say, or without
// certificates every process of this machine.
func gate(certificates *pki.Folder, live *config.Live) *serve.Gate {
	if certificates == nil {
		return nil
	}
	return &serve.Gate{
		Identify: pki.PeerIdentity,
		Rights:   func() serve.Rights { return live.Config() },
	}
}

// heedRevoked lets connections to other nodes end at those whose certificates are revoked.
func heedRevoked(certificates *pki.Folder, live *config.Live) {
	if certificates != nil {
		certificates.IsRevoked = func(name, serial string) bool { return live.Config().IsRevoked(name, serial) }
	}
}

func (s *serving) run(ctx context.Context, given string) (err error) {
	if err := s.folders.setDefaults(); err != nil {
		return err
	}
	certificates, name, err := s.folders.identify(pki.Node, given)
	if err != nil {
		return err
	}
	s.log = slog.New(slog.NewTextHandler(s.Errs, nil)).With("node", name)
	var h *host.Host
	live, err := config.NewLive(s.folders.config, s.log, func(c *config.Config) {
		if err := h.Update(c); err != nil {
			s.log.Warn("configuration not in force", "why", err.Error())
		}
	})
	if err != nil {
		return err
	}
	heedRevoked(certificates, live)
	declared := live.Config().Node(name)
	if declared == nil {
		return cli.Hint(fmt.Errorf("node %q is not in %s", name, filepath.Join(s.folders.config, config.NodesFile)),
			"declare it there as [[node]], or give another name")
	}
	release, err := claimProcess(s.folders.home)
	if err != nil {
		return err
	}
	defer release()
	if err := placement.ClaimFolder(s.folders.home, name); err != nil {
		return cli.Hint(err, "name the folder of this node with PATINA_HOME")
	}
	l, hints, err := s.listeners(cmp.Or(s.listen, declared.Address), certificates, live)
	if err != nil {
		return err
	}
	defer func() { _ = l.Close() }()
	creds, err := certificates.ServerCredentials()
	if err != nil {
		return err
	}
	eyes, err := openSeen(ctx, pki.Node, name, s.status, certificates, s.log)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, eyes.closeSeen()) }()
	actors.Reside()
	embedders.Reside()
	h, err = host.Open(host.Options{
		Node: name, Config: live.Config(), Folder: s.folders.config, Credentials: certificates.NodeCredentials(),
		Seed: uint64(time.Now().UnixNano()), Open: s.open, Handover: max(s.handover, time.Nanosecond), Log: s.log,
	})
	if err != nil {
		return err
	}
	server := serve.New(serve.Options{
		Backend: h.Backend(), Gate: gate(certificates, live), Credentials: creds, Version: cli.Version, Log: s.log,
		Sketch: h.Sketch, GRPC: eyes.ServerOptions(), Expires: eyes.expires(),
	})
	if err := s.showState(eyes, h, server, l.Addr()); err != nil {
		return errors.Join(err, h.Close(ctx))
	}
	s.SetGrace(drainGrace)
	s.log.Info("serving", "address", l.Addr().String(), "tls", certificates != nil, "repositories", len(h.Hosted()),
		"planned", len(h.States()))
	keeping, stop := context.WithCancel(ctx)
	defer stop()
	go s.folders.keepCertificate(keeping, certificates, live, nil, s.log)
	return s.serveUntil(ctx, live, h, server, l, hints)
}

// show lets others see how the node is.
func (s *serving) showState(eyes *seen, h *host.Host, server *serve.Server, listens net.Addr) error {
	eyes.AddServer(server.Base)
	eyes.AddRepositories(func() (all []metrics.Repository) {
		for _, x := range h.States() {
			all = append(all, metrics.Repository{
				Name: x.Repository, Hosted: x.Hosted, ScrapedAt: x.ScrapedAt,
				Fetches: x.Fetches, FetchErrors: x.FetchErrors, Scrapes: x.Scrapes, ScrapeErrors: x.ScrapeErrors,
			})
		}
		return all
	})
	return eyes.serve(s.folders.home, listens, metrics.Health{
		Live: h.Backend().Beat,
		Ready: func() error {
			if server.IsDraining() {
				return errors.New("the node is draining")
			}
			return h.Ready()
		},
	})
}

// listeners listens for calls and, if hints are wanted, for those. hints may be nil.
func (s *serving) listeners(address string, certificates *pki.Folder, live *config.Live) (calls, hints net.Listener, err error) {
	if err := config.CheckListen(address, certificates != nil); err != nil {
		return nil, nil, err
	}
	if s.hints != "" && live.Config().HintSecret == "" {
		return nil, nil, cli.Hint(errors.New("hints are wanted, and none could be signed"), "set hint_secret in nodes.toml")
	}
	if calls, err = net.Listen("tcp", address); err != nil {
		return nil, nil, cli.Hint(err, "name another address with --listen HOST:PORT")
	}
	if s.hints == "" {
		return calls, nil, nil
	}
	if hints, err = net.Listen("tcp", s.hints); err != nil {
		return nil, nil, errors.Join(cli.Hint(err, "name another address with --hints HOST:PORT"), calls.Close())
	}
	s.log.Info("hints are taken", "address", hints.Addr().String())
	return calls, hints, nil
}

// serveUntil answers calls until ctx ends, and then those that run.
func (s *serving) serveUntil(
	ctx context.Context, live *config.Live, h *host.Host, server *serve.Server, l, hints net.Listener,
) error {
	following, stop := context.WithCancel(context.Background())
	followed := make(chan struct{})
	go func() {
		defer close(followed)
		live.Follow(following)
	}()
	failed := make(chan error, 2)
	go func() { failed <- server.Serve(l) }()
	web := &http.Server{Handler: h.Hints(), ReadHeaderTimeout: 5 * time.Second, ReadTimeout: 30 * time.Second}
	if hints != nil {
		go func() { failed <- web.Serve(hints) }()
	}
	var err error
	select {
	case <-ctx.Done():
	case err = <-failed:
	}
	began := time.Now()
	s.log.Info("draining", "calls", server.Running())
	end, cancel := context.WithTimeout(context.Background(), drainTime)
	defer cancel()
	stop()
	_ = web.Close()
	go h.Stop()
	cut := server.Drain(end)
	<-followed
	closed := h.Close(end)
	s.log.Info("ended", "after", time.Since(began).Round(time.Millisecond).String())
	return errors.Join(err, cut, closed)
}
