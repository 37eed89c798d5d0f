package visit

import (
	"context"
	"errors"
	"slices"
	"testing"

	"patina/actors/api"
	"patina/code/lookup"
	"patina/store/doc"
)

func TestParse(t *testing.T) {
	for value, want := range map[string][]doc.Kind{
		"code,commits": {doc.Code, doc.Commit}, " beliefs ": {doc.Belief}, "": {}, ",": {}, " , ": {},
	} {
		if got, err := ParseKinds(value); err != nil || got == nil || !slices.Equal(got, want) {
			t.Errorf("%q: %v, %v", value, got, err)
		}
	}
	for _, value := range []string{"none", "5", "code,none", "all", "*", "true", "code;commits"} {
		if got, err := ParseKinds(value); err == nil || got == nil || len(got) > 0 {
			t.Errorf("%q: %v, %v", value, got, err)
		}
	}
}

// everything is a service that finds every name except "gone".
type everything struct{ api.Service }

func (everything) Resolve(_ context.Context, r api.ResolveRequest) (*api.ResolveAnswer, error) {
	if r.Names[0] == "gone" {
		return nil, lookup.ErrNoDocument
	}
	return &api.ResolveAnswer{DocID: r.Names[0]}, nil
}

func (everything) Detail(_ context.Context, r api.DetailRequest) (*api.DetailAnswer, error) {
	a := &api.DetailAnswer{}
	a.Kind = doc.Code
	return a, nil
}

// A service that shows nothing must refuse every look-up, and must not reveal whether a name
// exists.
func TestClosedService(t *testing.T) {
	s, ctx := Service{Service: everything{}, Project: "lib", Kinds: []doc.Kind{}}, t.Context()
	refuses := func(call string, err error) {
		t.Helper()
		_, hidden := errors.AsType[*Error](err)
		_, closed := errors.AsType[*ClosedError](err)
		if !hidden && !closed {
			t.Errorf("%s: %v", call, err)
		}
	}
	_, err := s.Scry(ctx, api.Request{})
	refuses("scry", err)
	_, err = s.Matches(ctx, api.MatchesRequest{})
	refuses("matches", err)
	_, err = s.Resolve(ctx, api.ResolveRequest{Names: []string{"gone"}})
	refuses("resolve", err)
	_, err = s.Detail(ctx, api.DetailRequest{DocID: "a.go"})
	refuses("detail", err)
	_, err = s.NearNames(ctx, api.NearNamesRequest{})
	refuses("near names", err)
	_, err = s.Packages(ctx, api.PackagesRequest{})
	refuses("packages", err)
	_, err = s.Symbols(ctx, api.SymbolsRequest{})
	refuses("symbols", err)
	_, err = s.Lines(ctx, api.LinesRequest{Lines: []api.Line{{Path: "a.go", Number: 1}}})
	refuses("lines", err)
	_, err = s.Overview(ctx, api.OverviewRequest{})
	refuses("overview", err)
	_, err = s.Brief(ctx, api.BriefRequest{})
	refuses("brief", err)
	_, err = s.Assay(ctx, api.AssayRequest{})
	refuses("assay", err)
	_, err = s.Impact(ctx, api.ImpactRequest{})
	refuses("impact", err)
	_, err = s.Recent(ctx, api.RecentRequest{})
	refuses("recent", err)
	_, err = s.Beliefs(ctx, api.BeliefsRequest{})
	refuses("beliefs", err)
}
