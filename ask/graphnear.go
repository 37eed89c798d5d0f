package ask

import (
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"patina/actors/api"
	"patina/code/assay"
	"patina/code/lookup"
	"patina/graph"
	"patina/store/doc"
)

// widest bounds the documents of one step whose surroundings are looked up for the next step.
const widest = 24

// surroundings returns the graph around a document: callers and callees of a symbol, imports,
// importers and companions of a file, the beliefs about them, the links of a belief, the files of a
// commit. Request.Depth is the number of steps, 0 for one, of a belief for two.
func (c *Call) surroundings(ctx context.Context, e api.Service, r Request) (*graph.Graph, error) {
	found, err := c.Document(ctx, e, r.Name, true)
	if err != nil {
		return nil, c.notFound(ctx, e, err, Graph, "document", r.Name)
	}
	s := &surrounding{c: c, e: e, g: &graph.Graph{}, has: map[string]int{}}
	centre := nodeOf(found.Description)
	centre.Centre = true
	s.addNode(centre)
	s.g.Title = "around " + centre.Label
	depth := r.Depth
	if depth <= 0 {
		if depth = 1; found.Belief != nil {
			depth = 2
		}
	}
	done := map[string]bool{}
	for step := range min(depth, MostDepth) {
		var next []graph.Node
		for _, n := range s.g.Nodes {
			if !done[n.ID] {
				next = append(next, n)
			}
		}
		slices.SortStableFunc(next, func(a, b graph.Node) int { return int(b.Weight - a.Weight) })
		if len(next) > widest {
			s.g.AddNote(fmt.Sprintf("step %d leads on from %d of %s documents: the heaviest", step+1, widest, graph.Thousands(len(next))))
			next = next[:widest]
		}
		for _, n := range next {
			done[n.ID] = true
			if err := s.expand(ctx, n); err != nil {
				if f, ok := errors.AsType[*api.Failure](err); ok && f.Status == api.Deadline && step > 0 {
					s.g.AddNote("the time was over: some surroundings are missing. --timeout gives more")
					return s.g, nil
				}
				return nil, err
			}
		}
	}
	if len(s.g.Nodes) == 1 && len(s.g.Notes) == 0 {
		s.g.AddNote("nothing is known to lead there or away from there")
	}
	return s.g, nil
}

// nodeOf returns the node of a document.
func nodeOf(d doc.Description) graph.Node {
	n := graph.Node{ID: d.DocID, Kind: d.Kind.Label(), Label: d.DocID, Note: d.Title}
	switch {
	case d.Symbol != "":
		n.Label, n.Under, n.Kind = doc.BareName(d.Symbol), d.Path, "symbol"
	case d.SHA != "":
		n.Label, n.Under = d.SHA[:min(8, len(d.SHA))], d.Title
	case d.Belief != nil:
		n.ID, n.Kind = BeliefPrefix+d.Belief.ID, "belief"
		n.Label, n.Note = d.Belief.ID, d.Belief.Statement
		n.Under, n.Level = fmt.Sprintf("standing %.2f", d.Belief.Standing), d.Belief.Standing
	case d.Path != "":
		n.Label, n.Kind = d.Path, "file"
	}
	return n
}

// A surrounding gathers the graph around a document.
type surrounding struct {
	c   *Call
	e   api.Service
	g   *graph.Graph
	has map[string]int // places of nodes
}

// addNode adds a node, or weight to it.
func (s *surrounding) addNode(n graph.Node) {
	if i, ok := s.has[n.ID]; ok {
		s.g.Nodes[i].Weight += n.Weight
		return
	}
	s.has[n.ID] = len(s.g.Nodes)
	s.g.Nodes = append(s.g.Nodes, n)
}

func (s *surrounding) link(from, to string, kind graph.Kind, f assay.Fact) {
	note := ""
	if f.Candidate {
		note = f.Reason
		if f.Of > 1 {
			note = fmt.Sprintf("one of %d", f.Of)
		}
	}
	s.g.Edges = append(s.g.Edges, graph.Edge{
		From: from, To: to, Kind: kind, Candidate: f.Candidate, Weight: float64(max(1, f.Count)), Note: note,
	})
}

// expand adds the direct neighbours of a node.
func (s *surrounding) expand(ctx context.Context, n graph.Node) error {
	switch n.Kind {
	case "belief", "decision":
		return s.addBelief(ctx, n)
	case "position", "repository":
		return nil
	case "file":
		return s.addFile(ctx, n)
	case "folder":
		return s.askFacts(ctx, n, "importers", s.importers)
	}
	if file, _, isSymbol := strings.Cut(n.ID, "::"); isSymbol {
		return s.addSymbol(ctx, n, file)
	}
	return s.addLinks(ctx, n)
}

// coChanges is the question about the files that change with one.
const coChanges = "co-changes"

// askFacts passes the facts about a node to add, and notes the languages without any.
func (s *surrounding) askFacts(ctx context.Context, n graph.Node, question string, add func(graph.Node, assay.Fact)) error {
	a, err := s.e.Assay(ctx, api.AssayRequest{ReadOptions: s.c.Within(), Query: assay.Query{Type: question, Pattern: n.ID}})
	if err != nil {
		return err
	}
	for _, f := range a.Facts.Facts {
		add(n, f)
	}
	if a.NothingRead {
		s.g.AddNote("not known of " + strings.Join(a.Unknown, ", ") + ": " + question)
	}
	if h := a.Index.Generation.History; h != "" && question == coChanges {
		s.g.AddNote("what changes with it is not known: " + h + ". A commit in git and patina scrape give a history")
	}
	return nil
}

// addSymbol adds callers and callees, and for the centre the beliefs about it.
func (s *surrounding) addSymbol(ctx context.Context, n graph.Node, file string) error {
	if err := s.askFacts(ctx, n, "callers", s.caller); err != nil {
		return err
	}
	if err := s.askFacts(ctx, n, "callees", s.callee); err != nil {
		return err
	}
	if !n.Centre {
		return nil
	}
	_, name, _ := strings.Cut(n.ID, "::")
	return s.addGoverning(ctx, n, file, doc.BareName(name))
}

func (s *surrounding) caller(n graph.Node, f assay.Fact) {
	if f.DocID == "" {
		return
	}
	s.addNode(factNode(f))
	s.link(f.DocID, n.ID, graph.Calls, f)
}

func (s *surrounding) callee(n graph.Node, f assay.Fact) {
	if f.DocID == "" { // outside of the index
		return
	}
	s.addNode(factNode(f))
	s.link(n.ID, f.DocID, graph.Calls, f)
}

// factNode returns the node of the document that a fact is about.
func factNode(f assay.Fact) graph.Node {
	n := graph.Node{ID: f.DocID, Kind: "file", Label: f.DocID, Note: f.Title, Weight: float64(f.Count)}
	if file, name, ok := strings.Cut(f.DocID, "::"); ok {
		n.Kind, n.Label, n.Under = "symbol", doc.BareName(name), file
		if f.Sort != "" {
			n.Kind = string(f.Sort)
		}
	}
	return n
}

// addFile adds imports, importers and companions, and for the centre the beliefs about it.
func (s *surrounding) addFile(ctx context.Context, n graph.Node) error {
	for _, x := range []struct {
		question string
		add      func(graph.Node, assay.Fact)
	}{{"imports", s.imported}, {"importers", s.importers}, {coChanges, s.companion}} {
		if err := s.askFacts(ctx, n, x.question, x.add); err != nil {
			return err
		}
	}
	if !n.Centre {
		return nil
	}
	return s.addGoverning(ctx, n, n.ID, "")
}

func (s *surrounding) imported(n graph.Node, f assay.Fact) {
	if f.Target == "" || f.Target == n.ID { // a folder's own files import it
		return
	}
	to := graph.Node{ID: f.Target, Kind: "file", Label: f.Target, Note: f.Written, Weight: 2}
	if path.Ext(f.Target) == "" {
		to.Kind = "folder"
	}
	s.addNode(to)
	s.link(n.ID, to.ID, graph.Imports, f)
}

func (s *surrounding) importers(n graph.Node, f assay.Fact) {
	s.addNode(graph.Node{ID: f.DocID, Kind: "file", Label: f.DocID, Note: f.Written, Weight: 1})
	s.link(f.DocID, n.ID, graph.Imports, f)
}

func (s *surrounding) companion(n graph.Node, f assay.Fact) {
	if f.Count < 2 {
		return // one common commit says little
	}
	s.addNode(graph.Node{ID: f.DocID, Kind: "file", Label: f.DocID, Weight: float64(f.Count)})
	s.g.Edges = append(s.g.Edges, graph.Edge{
		From: n.ID, To: f.DocID, Kind: graph.Changes, Weight: float64(f.Count), Note: f.Reason,
	})
}

// addGoverning adds the beliefs about a file, or about a symbol of it.
func (s *surrounding) addGoverning(ctx context.Context, n graph.Node, file, symbol string) error {
	a, err := s.e.Reach(ctx, api.ReachRequest{ReadOptions: s.c.Within(), Path: file})
	if err != nil || len(a.Beliefs) == 0 {
		return err
	}
	all, err := s.e.Beliefs(ctx, api.BeliefsRequest{ReadOptions: s.c.Within()})
	if err != nil {
		return err
	}
	known := BeliefLinks(all.Beliefs)
	for _, b := range a.Beliefs {
		for _, x := range b.Reached {
			if x.Path != file || symbol != "" && x.Symbol != "" && doc.BareName(x.Symbol) != symbol {
				continue
			}
			id := BeliefPrefix + b.ID
			about, ok := known.Node(id)
			if !ok {
				about = graph.Node{ID: id, Kind: "belief", Label: b.ID}
			}
			about.Weight = 10 * x.Score
			s.addNode(about)
			s.g.Edges = append(s.g.Edges, graph.Edge{
				From: id, To: n.ID, Kind: graph.About, Candidate: x.ByWords(), Weight: 1, Note: x.Reason,
			})
			break
		}
	}
	return nil
}

// addBelief adds the beliefs linked with one, and for the centre the files that it is about.
func (s *surrounding) addBelief(ctx context.Context, n graph.Node) error {
	id := strings.TrimPrefix(n.ID, BeliefPrefix)
	all, err := s.e.Beliefs(ctx, api.BeliefsRequest{ReadOptions: s.c.Within()})
	if err != nil {
		return err
	}
	links := BeliefLinks(all.Beliefs)
	for _, e := range links.Edges {
		other := e.To
		if strings.EqualFold(other, BeliefPrefix+id) {
			other = e.From
		} else if !strings.EqualFold(e.From, BeliefPrefix+id) {
			continue
		}
		if x, ok := links.Node(other); ok {
			s.addNode(x)
			s.g.Edges = append(s.g.Edges, e)
		}
	}
	if !n.Centre {
		return nil
	}
	about, err := s.e.Reach(ctx, api.ReachRequest{ReadOptions: s.c.Within(), IDs: []string{id}})
	if errors.Is(err, lookup.ErrNoDocument) { // a former decision
		return nil
	}
	if err != nil {
		return err
	}
	for _, b := range about.Beliefs {
		for _, x := range b.Reached {
			s.addNode(graph.Node{ID: x.Path, Kind: "file", Label: x.Path, Weight: 5 * x.Score})
			s.g.Edges = append(s.g.Edges, graph.Edge{
				From: n.ID, To: x.Path, Kind: graph.About, Candidate: x.ByWords(), Weight: 1, Note: x.Reason,
			})
		}
	}
	return nil
}

// addLinks adds the documents that another one names: the files of a commit, the commits of a
// session.
func (s *surrounding) addLinks(ctx context.Context, n graph.Node) error {
	d, err := s.e.Detail(ctx, api.DetailRequest{ReadOptions: s.c.Within(), DocID: n.ID})
	if errors.Is(err, lookup.ErrNoDocument) {
		return nil
	}
	if err != nil {
		return err
	}
	for _, l := range d.Links {
		x := graph.Node{ID: l.Target, Kind: "document", Label: l.Target, Weight: 1}
		if !strings.Contains(l.Target, ":") {
			x.Kind = "file"
		}
		s.addNode(x)
		kind := graph.Kind(l.Relation)
		if l.Relation == "co-changes" {
			kind = graph.Changes
		}
		s.g.Edges = append(s.g.Edges, graph.Edge{From: n.ID, To: l.Target, Kind: kind, Weight: 1, Note: l.Note})
	}
	if d.Unlinked > 0 {
		s.g.AddNote(graph.Thousands(d.Unlinked) + " further files of " + n.Label + " are not in the index")
	}
	return nil
}
