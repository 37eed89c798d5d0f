package api

import "reflect"

// A Lookup is a request that one project answers in one generation of its index. These are all
// requests of Service except Request and WhyRequest.
type Lookup interface {
	// Verb returns the name of the request in errors.
	Verb() string
	// Options returns the project to ask and the time to wait.
	Options() ReadOptions
}

// WithOptions returns a copy of a request with other options. r must not be nil.
func WithOptions(r Lookup, o ReadOptions) Lookup {
	from := reflect.Indirect(reflect.ValueOf(r))
	out := reflect.New(from.Type()).Elem()
	out.Set(from)
	out.FieldByName("ReadOptions").Set(reflect.ValueOf(o))
	return out.Interface().(Lookup)
}

// IndexOf returns the Index of an answer to a Lookup. It returns nil for a nil pointer and for
// anything else.
func IndexOf(answer any) *IndexState {
	v := reflect.ValueOf(answer)
	if v.Kind() != reflect.Pointer || v.IsNil() || v.Elem().Kind() != reflect.Struct {
		return nil
	}
	index := v.Elem().FieldByName("Index")
	if !index.IsValid() {
		return nil
	}
	of, _ := index.Addr().Interface().(*IndexState)
	return of
}

// StaysHome returns the reason why a request is answered only on the machine of its project. It
// returns "" if others may send the request.
func StaysHome(r Lookup) string {
	if r.Verb() == (VerifyRequest{}).Verb() {
		return "checks of beliefs are run only on the machine of the project"
	}
	return ""
}

// Options implements Lookup.
func (o ReadOptions) Options() ReadOptions { return o }

// Verb implements Lookup.
func (DetailRequest) Verb() string { return "detail" }

// Verb implements Lookup.
func (ResolveRequest) Verb() string { return "resolve" }

// Verb implements Lookup.
func (LinksRequest) Verb() string { return "links" }

// Verb implements Lookup.
func (NearNamesRequest) Verb() string { return "near names" }

// Verb implements Lookup.
func (AssayRequest) Verb() string { return "assay" }

// Verb implements Lookup.
func (RecentRequest) Verb() string { return "recent" }

// Verb implements Lookup.
func (OverviewRequest) Verb() string { return "overview" }

// Verb implements Lookup.
func (BriefRequest) Verb() string { return "brief" }

// Verb implements Lookup.
func (PackagesRequest) Verb() string { return "packages" }

// Verb implements Lookup.
func (SymbolsRequest) Verb() string { return "symbols" }

// Verb implements Lookup.
func (LinesRequest) Verb() string { return "lines" }

// Verb implements Lookup.
func (ClosestRequest) Verb() string { return "closest words" }

// Verb implements Lookup.
func (FreshnessRequest) Verb() string { return "freshness" }

// Verb implements Lookup.
func (TreeRequest) Verb() string { return "tree" }

// Verb implements Lookup.
func (VerifyRequest) Verb() string { return "verify" }

// Verb implements Lookup.
func (ReachRequest) Verb() string { return "reach" }

// Verb implements Lookup.
func (BeliefsRequest) Verb() string { return "beliefs" }

// Verb implements Lookup.
func (AuditRequest) Verb() string { return "audit" }

// Verb implements Lookup.
func (ProposalsRequest) Verb() string { return "proposals" }

// Verb implements Lookup.
func (StandingRequest) Verb() string { return "standing" }

// Verb implements Lookup.
func (ImpactRequest) Verb() string { return "impact" }

// Verb implements Lookup.
func (MatchesRequest) Verb() string { return "matches" }
