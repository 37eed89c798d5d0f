package ask

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"patina/actors/api"
	"patina/ask/project"
	"patina/code/assay"
	"patina/fusion"
	"patina/registry/querylog"
	"patina/scrape"
	"patina/store/doc"
)

// A Form is the kind of answer that a request asks for.
type Form string

// The forms.
const (
	Find       Form = "find"    // documents that answer Text
	Lines      Form = "lines"   // lines of files that hold Literal or match Regex
	Detail     Form = "detail"  // a whole document: Name, or the result Rank of the answer QueryID
	Attach     Form = "attach"  // the whole document Name, for a person: without calls
	Why        Form = "why"     // the commits behind the document Name, or its rank for Text
	Neighbours Form = "file"    // the files that change together with Name
	Recent     Form = "recent"  // the commits of the last Days
	Orient     Form = "orient"  // the contents of the folder Name, from the root
	Belief     Form = "belief"  // the belief Name
	Beliefs    Form = "beliefs" // the beliefs that hold
	Facts      Form = "facts"   // the facts of Query
	Impact     Form = "impact"  // what a change of Name may reach, or of uncommitted work
	Graph      Form = "graph"   // a map of the project (Map), or the surroundings of Name
	Context    Form = "context" // an introduction to the project, and to Text
)

// A Request is one request to a project. Names and globs are as typed: relative to the root of the
// project, or to the folder of the call.
type Request struct {
	Form           Form
	Text           string // a question, or the topic of a Context
	Name           string
	QueryID        string
	Rank           int
	Literal, Regex string
	Days           int
	Query          assay.Query
	Diff           bool   // with Impact: the files of Range, below Name if there is one
	Range          string // as in project.Place.Compare
	Map            string // with Graph: PackageMap, BeliefMap or MotherMap
	Depth          int    // with Graph: steps from Name, or parts of folders; 0: as is usual
	Nodes          int    // with Graph: the most; 0: UsualNodes

	Kinds, Paths, Languages, Packages, Oracles []string // filters; empty means all
	Since, Until, Author                       string   // filters of commits and sessions
	AsWritten                                  bool     // no time or author is read from the words

	Fallback []doc.Kind // the kinds if Kinds is empty; nil means all
	Listing  bool       // the answer is a list for programs, without the index's lag
	Symbols  bool       // with Find: the symbols that match are needed
	Starts   bool       // with Find: the texts of the first lines of results are needed
	NoFolder string     // with Find: a folder that does not exist; similar names are offered
	MayAsk   bool       // with Why: an unknown Name is not an error, but sets Answer.Unknown
	Whole    bool       // with Find: the whole texts of the results are needed
	Direct   bool       // with Find: the order of one channel in one kind, as before fusion
}

// Channels returns the oracles that a Request may name.
func Channels() []string { return api.Channels() }

// Kinds returns the names of the kinds that a Request may name, in their order.
func Kinds() string {
	var names []string
	for _, k := range doc.Kinds() {
		names = append(names, k.Label())
	}
	return strings.Join(names, ", ")
}

// question returns a question about a text for the engine, with the filters of the request.
func (c *Call) question(r Request, text string) (api.Request, error) {
	q := api.Request{
		ID: querylog.NewID(time.Now()), Text: text, Limit: c.Settings.Limit, Timeout: c.Settings.Timeout,
		Rule: fusion.Rule(c.Settings.CodeRule), Oracles: Parts(r.Oracles),
		Filter: doc.Filter{Packages: r.Packages},
	}
	for _, glob := range r.Paths {
		fromRoot, err := c.Place.Pattern(glob)
		if err != nil {
			return q, err
		}
		q.Filter.Paths = append(q.Filter.Paths, fromRoot)
	}
	for _, name := range Parts(r.Languages) {
		l, ok := scrape.Language(name)
		if !ok {
			return q, project.AddHint(fmt.Errorf("unknown language %q", name),
				"give a name such as Go, Python or Shell, or an extension such as ts")
		}
		q.Filter.Languages = append(q.Filter.Languages, l)
	}
	for _, name := range q.Oracles {
		if !slices.Contains(api.Channels(), name) {
			return q, project.AddHint(fmt.Errorf("unknown oracle %q", name),
				"this build has: "+strings.Join(api.Channels(), ", "))
		}
	}
	var err error
	if q.Filter.Kinds, err = KindsNamed(r.Kinds); err != nil {
		return q, err
	}
	if len(q.Filter.Kinds) == 0 {
		q.Filter.Kinds = r.Fallback
	}
	if err := r.narrow(&q); err != nil {
		return q, err
	}
	if err := q.Filter.Check(); err != nil {
		return q, project.AddHint(err, `globs are relative to the root, such as 'src/**/*.go' or '!**/*_test.go'`)
	}
	return q, nil
}

// Parts splits the values of a repeatable argument at commas. It drops empty parts.
func Parts(values []string) (all []string) {
	for _, v := range values {
		for part := range strings.SplitSeq(v, ",") {
			if part = strings.TrimSpace(part); part != "" {
				all = append(all, part)
			}
		}
	}
	return all
}

// KindsNamed parses the names of kinds, singular or plural. It returns nil for no names.
func KindsNamed(names []string) ([]doc.Kind, error) {
	var kinds []doc.Kind
	for _, name := range Parts(names) {
		k, ok := doc.KindNamed(name)
		if !ok {
			return nil, project.AddHint(fmt.Errorf("unknown content type %q", name), "there are: "+Kinds())
		}
		kinds = append(kinds, k)
	}
	return kinds, nil
}

// WantsBeliefs reports whether a request without words asks for the beliefs: whether they are the
// only kind that it names.
func WantsBeliefs(kinds []string) bool {
	named, err := KindsNamed(kinds)
	return err == nil && len(named) == 1 && named[0] == doc.Belief
}
