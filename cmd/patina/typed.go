package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"patina/actors"
	"patina/cmd/internal/cli"
	"patina/store"
	"patina/store/assay"
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
	whole := actors.DetailRequest{ReadOptions: s.within(), DocID: names[0], Diff: symbols}
	found, err := e.Detail(ctx, whole)
	if !errors.Is(err, lookup.ErrNoDocument) {
		return found, err
	}
	if path, line, ok := lineOf(typed); ok && symbols {
		if names, err = s.place.Names(path); err != nil {
			return nil, err
		}
		whole.Line = line
	}
	meant, err := e.Resolve(ctx, actors.ResolveRequest{ReadOptions: s.within(), Names: names, Symbols: symbols})
	if err != nil {
		return nil, err
	}
	whole.ReadOptions, whole.DocID = s.within(), meant.DocID
	return e.Detail(ctx, whole)
}

// lineOf reads a place as compilers and answers print it: "path:12", "path:12:5" or "path:12-30".
func lineOf(typed string) (path string, line int, ok bool) {
	path = strings.TrimRight(typed, ":0123456789-")
	at, _, _ := strings.Cut(strings.TrimPrefix(typed[len(path):], ":"), ":")
	at, _, _ = strings.Cut(at, "-")
	line, err := strconv.Atoi(at)
	return path, line, err == nil && line > 0 && path != "" && strings.HasPrefix(typed[len(path):], ":")
}

// defined says which places define a name, if several do.
func (s *scrying) defined(ctx context.Context, e actors.Service, name string) string {
	var ids []string
	for _, sort := range []string{"functions", "types"} {
		found, err := e.Assay(ctx, actors.AssayRequest{ReadOptions: s.within(), Query: assay.Query{Type: sort, Pattern: name}})
		if err != nil {
			continue // a hint must not hide the error
		}
		for _, f := range found.Facts.Facts {
			ids = append(ids, f.DocID)
		}
	}
	n := len(ids)
	if n < 2 {
		return ""
	}
	return fmt.Sprintf("%d places define it: %s", n, strings.Join(ids[:min(n, nearNames)], ", "))
}

// notFound adds hints to the error for an unknown name; other errors stay as they are. what is a
// word for the thing, such as "file".
func (s *scrying) notFound(ctx context.Context, e actors.Service, err error, what, typed string, hints ...string) error {
	if !errors.Is(err, lookup.ErrNoDocument) {
		return err
	}
	name := typed
	if names, err := s.place.Names(typed); err == nil {
		name = names[0]
	}
	if places := s.defined(ctx, e, name); places != "" {
		return cli.Hint(fmt.Errorf("%q names no single %s", typed, what), places, "give the doc_id of one")
	}
	near := s.near(ctx, e, typed)
	if len(near) > 0 {
		hints = slices.Insert(hints, 0, "did you mean "+strings.Join(near, ", "))
	}
	return cli.Hint(fmt.Errorf("no %s %q in the index", what, typed), hints...)
}

// near returns symbols, files and folders with names close to a mistyped one.
func (s *scrying) near(ctx context.Context, e actors.Service, typed string) []string {
	path, symbol, ok := strings.Cut(strings.TrimPrefix(typed, store.KindOf(typed).Traits().Prefix), "::")
	if names, err := s.place.Names(path); err == nil {
		path = names[0]
	}
	name := typed
	if ok && s.place.Exists(path) {
		name = path + "::" + symbol
	} else if ok {
		name = symbol
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
		s.Warn("hint: did you mean %s", strings.Join(near, ", "))
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
