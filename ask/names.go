package ask

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"

	"patina/actors/api"
	"patina/code/assay"
	"patina/code/lookup"
	"patina/store/doc"
)

// Document returns the document with a typed name: a path or a doc_id, from the root or from the
// folder of the call. If symbols is set, the name may also be a symbol with a single definition, or
// a place in a file. The error wraps lookup.ErrNoDocument if there is no such document.
func (c *Call) Document(
	ctx context.Context, e api.Service, typed string, symbols bool,
) (*api.DetailAnswer, error) {
	names, err := c.Place.Names(typed)
	if err != nil {
		return nil, err
	}
	whole := api.DetailRequest{ReadOptions: c.Within(), DocID: names[0], Diff: symbols}
	found, err := e.Detail(ctx, whole)
	if !errors.Is(err, lookup.ErrNoDocument) {
		return found, err
	}
	if path, line, ok := lineOf(typed); ok && symbols {
		if names, err = c.Place.Names(path); err != nil {
			return nil, err
		}
		whole.Line = line
	}
	meant, err := e.Resolve(ctx, api.ResolveRequest{ReadOptions: c.Within(), Names: names, Symbols: symbols})
	if err != nil {
		return nil, err
	}
	whole.ReadOptions, whole.DocID = c.Within(), meant.DocID
	return e.Detail(ctx, whole)
}

// lineOf parses a place as compilers and answers print it: "path:12", "path:12:5" or "path:12-30".
func lineOf(typed string) (path string, line int, ok bool) {
	path = strings.TrimRight(typed, ":0123456789-")
	at, _, _ := strings.Cut(strings.TrimPrefix(typed[len(path):], ":"), ":")
	at, _, _ = strings.Cut(at, "-")
	line, err := strconv.Atoi(at)
	return path, line, err == nil && line > 0 && path != "" && strings.HasPrefix(typed[len(path):], ":")
}

// NotFound turns the error of an unknown name into a *NotFoundError, and returns other errors as
// they are. what is a word for the thing, such as "file".
func (c *Call) NotFound(ctx context.Context, e api.Service, err error, what, typed string) error {
	return c.notFound(ctx, e, err, "", what, typed)
}

// notFound is NotFound for a form.
func (c *Call) notFound(
	ctx context.Context, e api.Service, err error, form Form, what, typed string,
) error {
	if !errors.Is(err, lookup.ErrNoDocument) {
		return err
	}
	name := typed
	if names, err := c.Place.Names(typed); err == nil {
		name = names[0]
	}
	out := &NotFoundError{Form: form, What: what, Typed: typed}
	if places := c.findDefinitions(ctx, e, name); len(places) > 1 {
		out.Count, out.Places = len(places), places[:min(len(places), nearNames)]
		return out
	}
	out.Near = c.findNear(ctx, e, typed)
	return out
}

// findDefinitions returns the places that define a name. It ignores errors, because they would hide
// a more important one.
func (c *Call) findDefinitions(ctx context.Context, e api.Service, name string) (ids []string) {
	for _, sort := range []string{"functions", "types"} {
		query := assay.Query{Type: sort, Pattern: name}
		found, err := e.Assay(ctx, api.AssayRequest{ReadOptions: c.Within(), Query: query})
		if err != nil {
			continue
		}
		for _, f := range found.Facts.Facts {
			ids = append(ids, f.DocID)
		}
	}
	return ids
}

// nearNames is the number of names that are offered for an unknown one.
const nearNames = 3

// findNear returns symbols, files and folders with names close to a mistyped one.
func (c *Call) findNear(ctx context.Context, e api.Service, typed string) []string {
	path, symbol, ok := strings.Cut(strings.TrimPrefix(typed, doc.KindOf(typed).Traits().Prefix), "::")
	if names, err := c.Place.Names(path); err == nil {
		path = names[0]
	}
	name := typed
	if ok && c.Place.Exists(path) {
		name = path + "::" + symbol
	} else if ok {
		name = symbol
	}
	out := c.findNearNames(ctx, e, name, false)
	if !ok || !c.Place.Exists(path) {
		path, _, _ = strings.Cut(path, "#")
		out = append(out, c.findNearNames(ctx, e, path, true)...)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// findNearNames asks for symbols or for paths. It ignores errors, because they would hide a more
// important one.
func (c *Call) findNearNames(ctx context.Context, e api.Service, name string, paths bool) []string {
	near, err := e.NearNames(ctx, api.NearNamesRequest{
		ReadOptions: c.Within(), Name: name, Limit: nearNames, Paths: paths,
	})
	switch {
	case err != nil:
		return nil
	case paths:
		return near.Paths
	}
	return near.Names
}

// offerNames warns that other names may be meant.
func (c *Call) offerNames(near []string) {
	if len(near) > 0 {
		c.Warn("hint: did you mean %s", strings.Join(near, ", "))
	}
}
