package visit

import (
	"context"
	"errors"
	"slices"
	"testing"

	"patina/actors"
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

// An empty service finds every name.
type everything struct{ actors.Service }

func (everything) Resolve(_ context.Context, r actors.ResolveRequest) (*actors.ResolveAnswer, error) {
	if r.Names[0] == "gone" {
		return nil, lookup.ErrNoDocument
	}
	return &actors.ResolveAnswer{DocID: r.Names[0]}, nil
}

func (everything) Detail(_ context.Context, r actors.DetailRequest) (*actors.DetailAnswer, error) {
	a := &actors.DetailAnswer{}
	a.Kind = doc.Code
	return a, nil
}

// A service that shows nothing refuses every look-up, and does not say whether the name is there.
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
	_, err := s.Scry(ctx, actors.Request{})
	refuses("scry", err)
	_, err = s.Matches(ctx, actors.MatchesRequest{})
	refuses("matches", err)
	_, err = s.Resolve(ctx, actors.ResolveRequest{Names: []string{"gone"}})
	refuses("resolve", err)
	_, err = s.Detail(ctx, actors.DetailRequest{DocID: "a.go"})
	refuses("detail", err)
	_, err = s.NearNames(ctx, actors.NearNamesRequest{})
	refuses("near names", err)
	_, err = s.Packages(ctx, actors.PackagesRequest{})
	refuses("packages", err)
	_, err = s.Symbols(ctx, actors.SymbolsRequest{})
	refuses("symbols", err)
	_, err = s.Lines(ctx, actors.LinesRequest{Lines: []actors.Line{{Path: "a.go", Number: 1}}})
	refuses("lines", err)
	_, err = s.Overview(ctx, actors.OverviewRequest{})
	refuses("overview", err)
	_, err = s.Brief(ctx, actors.BriefRequest{})
	refuses("brief", err)
	_, err = s.Assay(ctx, actors.AssayRequest{})
	refuses("assay", err)
	_, err = s.Recent(ctx, actors.RecentRequest{})
	refuses("recent", err)
	_, err = s.Beliefs(ctx, actors.BeliefsRequest{})
	refuses("beliefs", err)
}
