package wire

import (
	"errors"
	"fmt"
	"reflect"
	"time"

	"patina/actors/api"
	"patina/wire/nodepb"
)

// lookups are the look-ups that cross the wire, by their verbs. Verify is not among them: it stays
// at home (api.StaysHome).
var lookups = tableOf(
	typesOf[api.DetailRequest, api.DetailAnswer](),
	typesOf[api.ResolveRequest, api.ResolveAnswer](),
	typesOf[api.LinksRequest, api.LinksAnswer](),
	typesOf[api.NearNamesRequest, api.NearNamesAnswer](),
	typesOf[api.AssayRequest, api.AssayAnswer](),
	typesOf[api.RecentRequest, api.RecentAnswer](),
	typesOf[api.OverviewRequest, api.OverviewAnswer](),
	typesOf[api.BriefRequest, api.BriefAnswer](),
	typesOf[api.PackagesRequest, api.PackagesAnswer](),
	typesOf[api.SymbolsRequest, api.SymbolsAnswer](),
	typesOf[api.LinesRequest, api.LinesAnswer](),
	typesOf[api.ClosestRequest, api.ClosestAnswer](),
	typesOf[api.FreshnessRequest, api.FreshnessAnswer](),
	typesOf[api.TreeRequest, api.TreeAnswer](),
	typesOf[api.ReachRequest, api.ReachAnswer](),
	typesOf[api.BeliefsRequest, api.BeliefsAnswer](),
	typesOf[api.AuditRequest, api.AuditAnswer](),
	typesOf[api.ProposalsRequest, api.ProposalsAnswer](),
	typesOf[api.StandingRequest, api.StandingAnswer](),
	typesOf[api.MatchesRequest, api.MatchesAnswer](),
	typesOf[api.ImpactRequest, api.ImpactAnswer](),
)

// A lookupType is the type of a request, and that of its answer.
type lookupType struct {
	verb            string
	request, answer reflect.Type
}

// typesOf returns the types of a look-up.
func typesOf[R api.Lookup, A any]() lookupType {
	var r R
	return lookupType{r.Verb(), reflect.TypeFor[R](), reflect.TypeFor[A]()}
}

func tableOf(all ...lookupType) map[string]lookupType {
	out := map[string]lookupType{}
	for _, x := range all {
		out[x.verb] = x
	}
	return out
}

// EncodeRead returns a look-up in a repository as a message. budget is what is left of its time. It
// returns a *api.Failure for a request that stays at home.
func EncodeRead(repository string, r api.Lookup, budget time.Duration) (*nodepb.ReadRequest, error) {
	if _, ok := lookups[r.Verb()]; !ok {
		return nil, staysHome(r, repository)
	}
	data, err := toJSON(api.WithOptions(r, api.ReadOptions{}))
	return &nodepb.ReadRequest{Repository: repository, Verb: r.Verb(), Request: data, BudgetUs: budget.Microseconds()}, err
}

// DecodeRead returns the look-up that a peer sent, with its budget for a timeout and without a
// project. An error wraps ErrInvalid.
func DecodeRead(m *nodepb.ReadRequest) (api.Lookup, error) {
	of, ok := lookups[m.GetVerb()]
	if !ok {
		return nil, fmt.Errorf("%w: no look-up %q", ErrInvalid, m.GetVerb())
	}
	r := reflect.New(of.request)
	if err := fromJSON(m.GetRequest(), r.Interface(), ofRequest); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrInvalid, err)
	}
	return api.WithOptions(r.Interface().(api.Lookup), api.ReadOptions{Timeout: BudgetOf(m.GetBudgetUs())}), nil
}

// EncodeAnswer returns the outcome of a look-up as a message: the answer, or the failure where err
// is not nil. It leaves out what stays at home.
func EncodeAnswer(answer any, err error) (*nodepb.ReadReply, error) {
	if err != nil {
		return &nodepb.ReadReply{Failure: EncodeFailure(err)}, nil
	}
	public := publicAnswer(answer)
	if public == nil {
		return nil, fmt.Errorf("encode answer: %T is none", answer)
	}
	data, err := toJSON(public)
	return &nodepb.ReadReply{Answer: data}, err
}

// DecodeAnswer returns the outcome of a look-up that a peer sent: a pointer to the answer of the
// request r, or a *api.Failure under this engine's name for the project.
func DecodeAnswer(m *nodepb.ReadReply, r api.Lookup, project string) (any, error) {
	if m.GetFailure() != nil {
		f := DecodeFailure(m.GetFailure())
		f.Project, f.Read = project, r.Verb()
		return nil, f
	}
	of, ok := lookups[r.Verb()]
	if !ok {
		return nil, staysHome(r, project)
	}
	if len(m.GetAnswer()) == 0 {
		return nil, &api.Failure{Project: project, Read: r.Verb(), Status: api.Failed, Detail: "no answer"}
	}
	a := reflect.New(of.answer).Interface()
	if err := fromJSON(m.GetAnswer(), a, ofReply); err != nil {
		return nil, &api.Failure{Project: project, Read: r.Verb(), Status: api.Failed, Detail: err.Error()}
	}
	api.IndexOf(a).Project = project
	return a, nil
}

func staysHome(r api.Lookup, project string) *api.Failure {
	why := api.StaysHome(r)
	if why == "" {
		why = "this look-up does not leave the machine of the project"
	}
	return &api.Failure{Project: project, Read: r.Verb(), Status: api.Unavailable, Detail: why}
}

// EncodeFailure returns the error of a look-up as a message. An error that is no *api.Failure is
// sent as Failed.
func EncodeFailure(err error) *nodepb.Failure {
	f, ok := errors.AsType[*api.Failure](err)
	if !ok {
		f = &api.Failure{Status: api.Failed, Detail: err.Error(), Causes: api.CausesOf(err)}
	}
	m := &nodepb.Failure{Status: valid(string(f.Status)), Detail: valid(withoutPaths(f.Detail))}
	for _, c := range f.Causes {
		m.Causes = append(m.Causes, valid(c))
	}
	return m
}

// DecodeFailure returns the failure that a peer sent, without its project and request. A status
// that no failure can have becomes Failed.
func DecodeFailure(m *nodepb.Failure) *api.Failure {
	f := &api.Failure{Status: api.Status(m.GetStatus()), Detail: m.GetDetail(), Causes: m.GetCauses()}
	if !f.Status.OfFailure() {
		f.Status = api.Failed
	}
	return f
}
