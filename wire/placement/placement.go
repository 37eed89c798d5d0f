// Package placement decides which nodes host which repositories.
//
// It uses rendezvous hashing (Thaler and Ravishankar, 1996): each node has a score for each
// repository, and the nodes with the highest scores host it. The nodes are those that nodes.toml
// declares, whether they run or not, because a crash must not move a repository. A node that is
// added takes its share from all others, and moves nothing else.
//
// It is pure: every node and front computes the same plan from the same two files.
package placement

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/cespare/xxhash/v2"
)

// A Repository is a repository to place.
type Repository struct {
	Name     string   // its name on the wire; must be unique
	Replicas int      // how many nodes host it; 0 means 1
	Nodes    []string // hosts it here and nowhere else; empty means any node
}

// A Plan holds the nodes of each repository by its name, the first choice first.
type Plan map[string][]string

// NewPlan places repositories on the declared nodes. A repository with more replicas than there are
// nodes is on all of them. It returns an error if there is no node, if a name is given twice, or if
// a repository is pinned to a node that is not declared.
func NewPlan(nodes []string, repositories []Repository) (Plan, error) {
	if len(nodes) == 0 {
		return nil, fmt.Errorf("place repositories: no node is declared")
	}
	sorted := slices.Sorted(slices.Values(nodes))
	if twice := firstTwice(sorted); twice != "" {
		return nil, fmt.Errorf("place repositories: node %q is declared twice", twice)
	}
	plan := make(Plan, len(repositories))
	for _, r := range repositories {
		if _, ok := plan[r.Name]; ok {
			return nil, fmt.Errorf("place repositories: %q is listed twice", r.Name)
		}
		for _, n := range r.Nodes {
			if !slices.Contains(sorted, n) {
				return nil, fmt.Errorf("place repository %q: node %q is not declared; there are %s", r.Name, n, strings.Join(sorted, ", "))
			}
		}
		among, replicas := sorted, max(1, r.Replicas)
		if len(r.Nodes) > 0 {
			among, replicas = slices.Compact(slices.Sorted(slices.Values(r.Nodes))), len(r.Nodes)
		}
		plan[r.Name] = rank(among, r.Name)[:min(replicas, len(among))]
	}
	return plan, nil
}

// firstTwice returns the first name that follows itself in a sorted list, or "".
func firstTwice(sorted []string) string {
	for i := 1; i < len(sorted); i++ {
		if sorted[i] == sorted[i-1] {
			return sorted[i]
		}
	}
	return ""
}

// rank orders nodes by their scores for a repository, the highest first.
func rank(nodes []string, repository string) []string {
	type scored struct {
		node  string
		score uint64
	}
	all := make([]scored, len(nodes))
	for i, n := range nodes {
		all[i] = scored{n, score(n, repository)}
	}
	slices.SortFunc(all, func(a, b scored) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.node, b.node))
	})
	ranked := make([]string, len(all))
	for i, s := range all {
		ranked[i] = s.node
	}
	return ranked
}

// score hashes both names with a zero byte between them, because "ab" on "c" must not be "a" on
// "bc".
func score(node, repository string) uint64 {
	return xxhash.Sum64String(node + "\x00" + repository)
}

// Of returns the repositories of a node, sorted.
func (p Plan) Of(node string) (repositories []string) {
	for name, nodes := range p {
		if slices.Contains(nodes, node) {
			repositories = append(repositories, name)
		}
	}
	slices.Sort(repositories)
	return repositories
}

// A Move is a replica that is on another node in another plan.
type Move struct {
	Repository string
	From, To   string // "" where the plan has one replica less or more
}

// Moves lists what changes from one plan to another, by repository. A replica that only changes its
// rank does not move.
func Moves(from, to Plan) (moves []Move) {
	names := map[string]bool{}
	for n := range from {
		names[n] = true
	}
	for n := range to {
		names[n] = true
	}
	for _, name := range slices.Sorted(maps.Keys(names)) {
		left := without(from[name], to[name])
		come := without(to[name], from[name])
		for i := range max(len(left), len(come)) {
			m := Move{Repository: name}
			if i < len(left) {
				m.From = left[i]
			}
			if i < len(come) {
				m.To = come[i]
			}
			moves = append(moves, m)
		}
	}
	return moves
}

// without returns the elements of a that are not in b, in their order.
func without(a, b []string) (rest []string) {
	for _, x := range a {
		if !slices.Contains(b, x) {
			rest = append(rest, x)
		}
	}
	return rest
}

// A Replica is a repository as a node shows it.
type Replica struct {
	Node      string
	Up        bool
	Head      string
	ScrapedAt int64 // unix seconds
}

// MayDrop reports whether a node that is no longer among a repository's owners may remove its
// replica: every owner must be up and show a head that the node has too, or a newer scrape. The
// reason says what is missing, and is "" if the node may. owners must not be empty.
func MayDrop(held Replica, owners []string, shown []Replica) (reason string) {
	if slices.Contains(owners, held.Node) {
		return "the node is an owner"
	}
	for _, owner := range owners {
		i := slices.IndexFunc(shown, func(r Replica) bool { return r.Node == owner })
		switch {
		case i < 0:
			return fmt.Sprintf("%s does not show it yet", owner)
		case !shown[i].Up:
			return fmt.Sprintf("%s is not up", owner)
		case shown[i].Head != held.Head && shown[i].ScrapedAt < held.ScrapedAt:
			return fmt.Sprintf("%s has an older index", owner)
		}
	}
	return ""
}
