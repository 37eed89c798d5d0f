package nodecmd

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"patina/cmd/internal/cli"
	"patina/cmd/internal/layout"
	"patina/registry"
	"patina/wire/mother"
	"patina/wire/nodepb"
)

func (a *app) status() *cobra.Command {
	var f folders
	var fronts []string
	var self, ready, asJSON bool
	c := &cobra.Command{
		Use:   "status",
		Short: "Show how the nodes are, and which repositories have none",
		Long: `Show how the nodes are, as a front sees them: since when, how many calls they
work on, the time in which half and 99 of 100 of the last answers came, how
often they were asked beside a slow node and instead of one that had failed, the
age of their oldest index, and the days of their certificates. Below are the
repositories that no node answers for.

With --self, say in one line whether the node or front of this PATINA_HOME is at
work, for the health check of a container. --ready asks, too, whether it takes
questions, and has its repositories.

Exit codes: 0 all repositories are answered for, 1 some are not, 2 no front
could be asked. With --self: 0 it is at work, 1 it is not.`,
		Example: `  patina node status
  patina node status --self --ready`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if err := f.setDefaults(); err != nil {
				return err
			}
			if self {
				return a.statusOfSelf(c.Context(), &f, ready)
			}
			m, err := askStatus(c.Context(), &f, fronts, false)
			if err != nil {
				return err
			}
			if asJSON {
				err = layout.Encode(a.Out, statusOf(m))
			} else {
				err = statusOf(m).print(a.Out, time.Now())
			}
			if err == nil && len(m.GetRepositories()) > 0 {
				err = cli.Exit(cli.ExitNothing)
			}
			return err
		},
	}
	addAskFlags(c, &f, &fronts, &asJSON)
	c.Flags().BoolVar(&self, "self", false, "only this node or front, in one line")
	c.Flags().BoolVar(&ready, "ready", false, "with --self: whether it takes questions, too")
	c.MarkFlagsMutuallyExclusive("self", "json")
	c.MarkFlagsMutuallyExclusive("self", "front")
	return c
}

// addAskFlags adds the flags of commands that ask a front.
func addAskFlags(c *cobra.Command, f *folders, fronts *[]string, asJSON *bool) {
	addFolderFlags(c, f)
	c.Flags().StringSliceVar(fronts, "front", nil, "`host:port` of fronts (default: your setting mother, or as in nodes.toml)")
	c.Flags().BoolVar(asJSON, "json", false, "print as JSON (docs/nodes.md)")
}

// askTime bounds a call to the fronts.
const askTime = 5 * time.Second

// askStatus asks a front how the nodes are, and for the replicas of all repositories or of those
// that no node answers for.
func askStatus(ctx context.Context, f *folders, fronts []string, all bool) (*nodepb.StatusReply, error) {
	ctx, cancel := context.WithTimeout(ctx, askTime)
	defer cancel()
	if len(fronts) == 0 {
		settings, _, err := registry.SettingSources{Home: f.home}.Read()
		if err != nil {
			return nil, err
		}
		if fronts = settings.Fronts(); len(fronts) == 0 {
			if fronts, err = frontsOf(f); err != nil {
				return nil, err
			}
		}
	}
	if len(fronts) == 0 {
		return nil, cli.Hint(errors.New("no front is known"), `join one: patina node join TOKEN`,
			"or name one: PATINA_MOTHER=host:port", "for the node or front of this machine: patina node status --self")
	}
	client := mother.Of(f.certificates, fronts)
	defer client.Close()
	m, err := client.Status(ctx, all)
	if err != nil {
		return nil, cli.Hint(fmt.Errorf("ask the front: %w", err), mother.Advice(err), "what is wrong here: patina doctor")
	}
	return m, nil
}

// A status is how the nodes are, for people and for programs.
type status struct {
	Schema     int          `json:"schema"`
	Front      nodeStatus   `json:"front"`
	Nodes      []nodeStatus `json:"nodes"`
	Unanswered []replicated `json:"unanswered"` // repositories
}

// A nodeStatus is how one node is, or the front that was asked.
type nodeStatus struct {
	Name         string     `json:"name"`
	State        string     `json:"state"` // up, suspect, down, unknown
	Draining     bool       `json:"draining"`
	Since        time.Time  `json:"since"`
	Why          string     `json:"why"` // it is down
	Boot         string     `json:"boot"`
	Version      string     `json:"version"`
	Repositories int        `json:"repositories"` // of those that the asker may see
	InFlight     int        `json:"in_flight"`
	Slots        int        `json:"slots"`
	P50          float64    `json:"p50_ms"` // of the last answers; 0 without any
	P99          float64    `json:"p99_ms"`
	Hedges       int64      `json:"hedges"`
	Failovers    int64      `json:"failovers"`
	OldestIndex  *time.Time `json:"oldest_index"`        // null without an index
	Expires      *time.Time `json:"certificate_expires"` // null without one
}

// A replicated is a repository and the nodes that have it.
type replicated struct {
	Name     string    `json:"name"`
	Declared []string  `json:"declared"` // nodes that are to host it
	Replicas []replica `json:"replicas"`
}

type replica struct {
	Node      string     `json:"node"`
	Up        bool       `json:"up"` // questions may go there
	Head      string     `json:"head"`
	ScrapedAt *time.Time `json:"scraped_at"`
}

// timeOf returns a time for JSON. It is nil for 0.
func timeOf(unix int64) *time.Time {
	if unix == 0 {
		return nil
	}
	t := time.Unix(unix, 0).UTC()
	return &t
}

func statusOf(m *nodepb.StatusReply) status {
	s := status{
		Schema: layout.Schema, Front: nodeStatusOf(m.GetFront()), Nodes: []nodeStatus{},
		Unanswered: replicatedOf(m.GetRepositories()),
	}
	for _, n := range m.GetNodes() {
		s.Nodes = append(s.Nodes, nodeStatusOf(n))
	}
	return s
}

func nodeStatusOf(m *nodepb.NodeState) nodeStatus {
	return nodeStatus{
		Name: m.GetNode(), State: m.GetState(), Draining: m.GetDraining(), Since: time.Unix(m.GetSinceUnix(), 0).UTC(),
		Why: m.GetWhy(), Boot: m.GetBootId(), Version: m.GetVersion(), Repositories: int(m.GetRepositories()),
		InFlight: int(m.GetInFlight()), Slots: int(m.GetSlots()),
		P50: float64(m.GetP50Us()) / 1000, P99: float64(m.GetP99Us()) / 1000,
		Hedges: m.GetHedges(), Failovers: m.GetFailovers(),
		OldestIndex: timeOf(m.GetOldestUnix()), Expires: timeOf(m.GetCertificateUnix()),
	}
}

func replicatedOf(all []*nodepb.Replicas) []replicated {
	out := []replicated{}
	for _, m := range all {
		r := replicated{Name: m.GetRepository(), Declared: layout.NonNil(m.GetDeclared()), Replicas: []replica{}}
		for _, x := range m.GetReplicas() {
			r.Replicas = append(r.Replicas, replica{
				Node: x.GetNode(), Up: x.GetUp(), Head: x.GetHead(), ScrapedAt: timeOf(x.GetScrapedAtUnix()),
			})
		}
		out = append(out, r)
	}
	return out
}

const (
	// mostUnanswered bounds the repositories that are printed for people.
	mostUnanswered = 20
	// shortBoot is how much of the name of a start is printed: enough to see that it is another.
	shortBoot = 6
)

// print writes a table of the nodes, and below it what is amiss.
func (s status) print(w io.Writer, now time.Time) error {
	t := tabwriter.NewWriter(w, 0, 8, 2, ' ', 0)
	fmt.Fprintln(t, "NODE\tSTATE\tSINCE\tBOOT\tVERSION\tREPOS\tCALLS\tP50/P99 MS\tHEDGES\tFAILOVERS\tOLDEST\tCERT")
	for _, n := range s.Nodes {
		fmt.Fprintln(t, strings.Join(n.row(now), "\t"))
	}
	front := s.Front.row(now)
	for _, column := range []int{5, 7, 8, 9, 10} { // it hosts nothing and is not chosen
		front[column] = "-"
	}
	fmt.Fprintln(t, strings.Join(front, "\t"))
	if err := t.Flush(); err != nil {
		return err
	}
	var b strings.Builder
	for _, n := range s.Nodes {
		if n.Why != "" {
			fmt.Fprintf(&b, "%s: %s\n", layout.Plain(n.Name), layout.Plain(n.Why))
		}
	}
	if len(s.Unanswered) > 0 {
		fmt.Fprintf(&b, "no node answers for %d of the repositories:\n", len(s.Unanswered))
	}
	for _, r := range s.Unanswered[:min(len(s.Unanswered), mostUnanswered)] {
		fmt.Fprintf(&b, "  %s: %s\n", layout.Plain(r.Name), r.nodes())
	}
	if more := len(s.Unanswered) - mostUnanswered; more > 0 {
		fmt.Fprintf(&b, "  and %d more: patina node list\n", more)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// row returns the cells of a node in the table.
func (n nodeStatus) row(now time.Time) []string {
	state, times, oldest, days := n.State, "-", "-", "-"
	if n.Draining && state == "up" {
		state = "draining"
	}
	if n.P50 > 0 {
		times = fmt.Sprintf("%.1f/%.1f", n.P50, n.P99)
	}
	if n.OldestIndex != nil {
		oldest = ageText(now.Sub(*n.OldestIndex))
	}
	if n.Expires != nil {
		days = fmt.Sprintf("%d d", int(n.Expires.Sub(now).Hours()/24))
	}
	return []string{
		layout.Plain(n.Name), layout.Plain(state), ageText(now.Sub(n.Since)), layout.Plain(n.Boot[:min(shortBoot, len(n.Boot))]),
		layout.Plain(cmp.Or(n.Version, "-")), fmt.Sprint(n.Repositories), fmt.Sprintf("%d/%d", n.InFlight, n.Slots), times,
		fmt.Sprint(n.Hedges), fmt.Sprint(n.Failovers), oldest, days,
	}
}

// ageText writes how long ago something was, for a narrow column.
func ageText(d time.Duration) string {
	d = max(d, 0)
	switch {
	case d < 2*time.Minute:
		return fmt.Sprintf("%d s", int(d.Seconds()))
	case d < 2*time.Hour:
		return fmt.Sprintf("%d min", int(d.Minutes()))
	case d < 48*time.Hour:
		return fmt.Sprintf("%d h", int(d.Hours()))
	}
	return fmt.Sprintf("%d d", int(d.Hours()/24))
}

// nodes names the nodes of a repository, and those that are to host it and do not.
func (r replicated) nodes() string {
	var nodes []string
	for _, x := range r.Replicas {
		if x.Up {
			nodes = append(nodes, x.Node)
		} else {
			nodes = append(nodes, x.Node+" (down)")
		}
	}
	for _, name := range r.Declared {
		if !slices.ContainsFunc(r.Replicas, func(x replica) bool { return x.Node == name }) {
			nodes = append(nodes, name+" (has it not)")
		}
	}
	return layout.Plain(cmp.Or(strings.Join(nodes, ", "), "on no node"))
}
