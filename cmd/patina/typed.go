package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"patina/actors"
	"patina/store"
	"patina/store/lookup"
)

// find returns the document with a typed name: a path or a doc_id, from the root or from the
// working folder. With symbols, the name may also be a symbol with a single definition. The error
// wraps lookup.ErrNoDocument where there is none.
func (s *scrying) find(ctx context.Context, e actors.Service, typed string, symbols bool) (*actors.DetailAnswer, error) {
	names, err := s.place.Names(typed)
	if err != nil {
		return nil, err
	}
	found, err := e.Detail(ctx, actors.DetailRequest{ReadOptions: s.within(), DocID: names[0]})
	if !errors.Is(err, lookup.ErrNoDocument) {
		return found, err
	}
	meant, err := e.Resolve(ctx, actors.ResolveRequest{ReadOptions: s.within(), Names: names, Symbols: symbols})
	if err != nil {
		return nil, err
	}
	return e.Detail(ctx, actors.DetailRequest{ReadOptions: s.within(), DocID: meant.DocID})
}

// notFound adds hints to the error for an unknown name; other errors stay as they are. what is a
// word for the thing, such as "file".
func (s *scrying) notFound(ctx context.Context, e actors.Service, err error, what, typed string, hints ...string) error {
	if !errors.Is(err, lookup.ErrNoDocument) {
		return err
	}
	near := s.near(ctx, e, typed)
	if len(near) > 0 {
		hints = slices.Insert(hints, 0, "did you mean "+strings.Join(near, ", "))
	}
	return hint(fmt.Errorf("no %s %q in the index", what, typed), hints...)
}

// near returns symbols, files and folders with names close to a mistyped one.
func (s *scrying) near(ctx context.Context, e actors.Service, typed string) []string {
	path, symbol, ok := strings.Cut(strings.TrimPrefix(typed, store.KindOf(typed).Traits().Prefix), "::")
	name := typed
	if ok {
		name = symbol
	}
	if names, err := s.place.Names(path); err == nil {
		path = names[0]
	}
	out := s.nearTo(ctx, e, name, false)
	if !ok || !s.place.Exists(path) {
		path, _, _ = strings.Cut(path, "#")
		out = append(out, s.nearTo(ctx, e, path, true)...)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// didYouMean offers names beside an answer.
func (s *scrying) didYouMean(near []string) {
	if len(near) > 0 {
		s.warn("hint: did you mean %s", strings.Join(near, ", "))
	}
}

// nearTo asks for symbols or for paths. It drops an error, which would hide a more important one.
func (s *scrying) nearTo(ctx context.Context, e actors.Service, name string, paths bool) []string {
	near, err := e.NearNames(ctx, actors.NearNamesRequest{ReadOptions: s.within(), Name: name, Limit: nearNames, Paths: paths})
	switch {
	case err != nil:
		return nil
	case paths:
		return near.Paths
	}
	return near.Names
}
