package nodecmd

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"net"
	"os"
	"os/user"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/sync/errgroup"

	"patina/cmd/internal/cli"
	"patina/cmd/internal/dialect"
	"patina/cmd/internal/layout"
	"patina/wire/config"
	"patina/wire/peer"
	"patina/wire/pki"
)

const (
	// tokenTTL is how long the token that up prints is valid.
	tokenTTL = time.Hour
	// readyPoll is how often it is looked whether all repositories are served, and waitNotice after
	// which time it is said which are not.
	readyPoll  = 100 * time.Millisecond
	waitNotice = 30 * time.Second
	// listenTime is how long fronts wait for nodes at most.
	listenTime = 5 * time.Second
	// upGrace is more than the grace of the processes that up has started.
	upGrace = drainGrace + 5*time.Second
)

// A cluster is one run of "patina node up": the processes of a folder that "patina node init" made.
type cluster struct {
	*app
	dir    string
	user   string // who gets a token
	config *config.Config
	log    *prefixes
}

func (a *app) up() *cobra.Command {
	u := &cluster{app: a}
	c := &cobra.Command{
		Use:   "up DIR",
		Short: "Run the nodes and fronts of a folder on this machine",
		Long: `Run the nodes and fronts of a folder that "patina node init" made, on this
machine, each as a process of its own. When all repositories are answered for,
it says so and prints the commands by which a user joins and asks.

Log lines begin with the name of the process. One that ends is named and started
again, later each time. An interrupt lets all finish what they do, and end.

Exit codes: 0 interrupted and all have ended, 2 a process ends again and again.`,
		Example: `  patina node init try
  patina node up try`,
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error { return u.run(c.Context(), args[0]) },
	}
	c.Flags().StringVar(&u.user, "user", "", "`name` of the user who gets a token (default: yours)")
	return c
}

func (u *cluster) run(ctx context.Context, dir string) (err error) {
	if u.dir, err = filepath.Abs(dir); err != nil {
		return err
	}
	if u.user == "" {
		u.user = userName()
	}
	if err := config.CheckName(u.user); err != nil {
		return fmt.Errorf("--user: %w", err)
	}
	u.config, err = config.Read(u.folder(clusterFolder))
	if errors.Is(err, fs.ErrNotExist) {
		err = cli.Hint(err, "make a cluster there: "+dialect.Command("node", "init", dir))
	}
	if err != nil {
		return err
	}
	if len(u.config.Nodes) == 0 || len(u.config.Fronts) == 0 {
		return cli.Hint(fmt.Errorf("%s declares no node or no front", u.folder(clusterFolder, config.NodesFile)),
			"a user asks a front, and a front asks nodes: declare both there")
	}
	children, err := u.children()
	if err != nil {
		return err
	}
	u.SetGrace(upGrace)
	g, running := errgroup.WithContext(ctx)
	for i, c := range children {
		if i == len(u.config.Nodes) {
			waitListening(running, u.config.Nodes) // so that fronts do not report all nodes as down first
		}
		g.Go(func() error { return c.keepRunning(running) })
	}
	g.Go(func() error { return u.announce(running) })
	if err := g.Wait(); err != nil && !errors.Is(err, context.Canceled) {
		return err
	}
	return nil
}

// waitListening waits until processes listen, but not for long.
func waitListening(ctx context.Context, all []config.Node) {
	ctx, cancel := context.WithTimeout(ctx, listenTime)
	defer cancel()
	var d net.Dialer
	for _, n := range all {
		for ctx.Err() == nil {
			if c, err := d.DialContext(ctx, "tcp", n.Address); err == nil {
				_ = c.Close()
				break
			}
			time.Sleep(readyPoll)
		}
	}
}

func (u *cluster) folder(names ...string) string {
	return filepath.Join(append([]string{u.dir}, names...)...)
}

// userName returns the name by which the user is known here, if it can be in a certificate.
func userName() string {
	if me, err := user.Current(); err == nil && config.CheckName(me.Username) == nil {
		return me.Username
	}
	return "me"
}

// children returns the processes of the cluster, in the order of nodes.toml.
func (u *cluster) children() ([]*child, error) {
	program, err := os.Executable()
	if err != nil {
		return nil, err
	}
	all := slices.Concat(u.config.Nodes, u.config.Fronts)
	width := 0
	for _, n := range all {
		width = max(width, len(n.Name))
	}
	u.log = &prefixes{w: u.Errs, width: width}
	var children []*child
	for i, n := range all {
		home := u.folder(n.Name)
		if _, err := os.Stat(filepath.Join(home, "certificates")); err != nil {
			return nil, cli.Hint(fmt.Errorf("no folder of %s: %w", n.Name, err),
				"each process of nodes.toml needs one: "+dialect.Command("node", "init", "DIR")+" makes them")
		}
		args := []string{"node", "serve", "--config", u.folder(clusterFolder)}
		if i >= len(u.config.Nodes) {
			args = []string{"node", "front", "--config", u.folder(clusterFolder)}
			if i == len(u.config.Nodes) { // one that signs is enough
				args = append(args, "--ca", u.folder(caFolder))
			}
		}
		children = append(children, &child{name: n.Name, program: program, args: args, home: home, log: u.log})
	}
	return children, nil
}

// announce waits until every repository is answered for, and then prints how to ask.
func (u *cluster) announce(ctx context.Context) error {
	if err := u.waitReady(ctx); err != nil {
		return err
	}
	ca, err := pki.OpenCA(u.folder(caFolder))
	if err != nil {
		return err
	}
	token, err := ca.Invite(pki.Invitation{Name: u.user, Role: pki.User}, []string{u.config.Fronts[0].Address}, tokenTTL)
	if err != nil {
		return err
	}
	text, err := token.Text()
	if err != nil {
		return err
	}
	u.printReady(text, time.Now().Add(tokenTTL))
	return nil
}

// waitReady waits until each node answers for the repositories that the plan gives to it, and each
// front for all. It asks as the first front, which may see everything.
func (u *cluster) waitReady(ctx context.Context) error {
	plan, err := u.config.Plan()
	if err != nil {
		return err
	}
	want := map[string][]string{}
	for _, n := range u.config.Nodes {
		want[n.Name] = plan.Of(n.Name)
	}
	for _, f := range u.config.Fronts {
		want[f.Name] = slices.Sorted(maps.Keys(plan))
	}
	own, err := pki.OpenFolder(u.folder(u.config.Fronts[0].Name, "certificates"))
	if err != nil {
		return err
	}
	nodes, err := peer.New(peer.Options{Nodes: u.config.Nodes, Credentials: own.NodeCredentials()})
	if err != nil {
		return err
	}
	defer nodes.Close()
	fronts, err := peer.New(peer.Options{Nodes: u.config.Fronts, Credentials: own.CredentialsTo(pki.Front)})
	if err != nil {
		return err
	}
	defer fronts.Close()
	ticks := time.NewTicker(readyPoll)
	defer ticks.Stop()
	notice := time.NewTimer(waitNotice)
	defer notice.Stop()
	for {
		missing := missingOf(append(nodes.States(), fronts.States()...), want)
		if len(missing) == 0 {
			return nil
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-ticks.C:
		case <-notice.C:
			u.log.say("up", "not answered for yet: "+strings.Join(missing, "; "))
			notice.Reset(waitNotice)
		}
	}
}

// missingOf returns which process does not answer for which repositories.
func missingOf(states []peer.NodeState, want map[string][]string) (missing []string) {
	for _, s := range states {
		var not []string
		for _, name := range want[s.Name] {
			hosted := false
			for _, h := range s.Hosted {
				hosted = hosted || h.GetRepository() == name
			}
			if !hosted {
				not = append(not, name)
			}
		}
		if s.Condition != peer.Up {
			missing = append(missing, s.Name+": it is not reached")
		} else if len(not) > 0 {
			missing = append(missing, s.Name+": "+strings.Join(not, ", "))
		}
	}
	return missing
}

// printReady prints in one piece that all is ready, and what a user does next.
func (u *cluster) printReady(token string, until time.Time) {
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	line("ready: repositories %d, nodes %d, fronts %d", len(u.config.Repositories), len(u.config.Nodes), len(u.config.Fronts))
	line("")
	line("In another terminal, as somebody on another machine would:")
	line("  export PATINA_HOME=%s", shellWord(u.folder("laptop")))
	line("  patina node join %s", token)
	if _, err := os.Stat(u.folder(exampleFolder, exampleHome)); err == nil {
		line("  cd %s && patina scrape", shellWord(u.folder(exampleFolder, exampleHome)))
		line("  patina repo add --from-mother %s", exampleName(exampleUsed))
		line("  patina repo link %s %s USES", exampleHome, exampleUsed)
		line("  patina scry --all-repos %s", exampleQuestion)
	} else {
		line("  patina repo list --from-mother")
	}
	line("")
	line("The token lets one machine join as %s until %s. Another one:", layout.Plain(u.user), minute(until))
	line("  %s", dialect.Command("node", "invite", "NAME", "--config", u.folder(clusterFolder), "--ca", u.folder(caFolder)))
	fmt.Fprint(u.Out, b.String())
}

// shellWord returns a path as one word of a shell.
func shellWord(path string) string {
	_, word, _ := strings.Cut(dialect.Command(path), " ")
	return word
}
