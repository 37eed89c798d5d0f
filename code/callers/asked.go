package callers

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"patina/code/lookup"
	"patina/code/xref"
	"patina/store"
	"patina/store/doc"
	"patina/store/text"
)

// callWords are words of a question about the calls of a symbol, besides those that say so.
var callWords = text.Set(`who what which where how often is are was do does did we i you the a an all of to in for by
	from me show find list code function functions method methods place places file files anything something`)

// callMarks say that a question is about calls.
var callMarks = text.Set(`call calls called calling caller callers use uses used using user users usage usages invoke
	invokes invoked invocation invocations`)

// Asked returns the symbol about whose callers a question asks: "who calls X", "callers of X",
// "where is X used". X must be spelled as code, begin with a capital, or be in backticks, because a
// plain word is more likely a topic.
func Asked(question string) (xref.Name, bool) {
	written, marked := "", false
	if len(question) > xref.MaxName {
		return xref.Name{}, false
	}
	for w := range strings.FieldsSeq(question) {
		bare := strings.Trim(w, "?!,;:.'\"`")
		switch lower := strings.ToLower(bare); {
		case bare == "" || callWords.Has(lower):
		case callMarks.Has(lower):
			marked = true
		case written != "":
			return xref.Name{}, false
		default:
			written = w
		}
	}
	bare := strings.TrimSuffix(strings.Trim(written, "?!,;:.'\"`"), "()")
	isName := strings.Contains(written, "`") || strings.HasSuffix(written, "()") || lookup.IsSpelledAsCode(bare) ||
		bare != "" && bare != strings.ToLower(bare)
	n, ok := xref.ParseName(bare)
	return n, ok && marked && isName
}

const (
	askedFiles = 300 // files with the name that are read for an answer, a bound on time
	maxAsked   = 3   // files with calls in an answer
)

// Answer returns the places that call the symbol that a question asks about, one in each of at most
// maxAsked files, and then the symbol if only one is meant. Calls in tests count if there are no
// others. The certain ones are first, then it goes by path and line. Answer returns nil if the
// question asks for no calls, or none is known.
func Answer(ctx context.Context, r *store.Reader, question string) ([]doc.Ranked, error) {
	n, ok := Asked(question)
	if !ok {
		return nil, nil
	}
	snap, err := r.Snapshot(ctx)
	if err != nil {
		return nil, err
	}
	if count, err := lookup.CountDefinitions(ctx, r, snap, n.Last, crumbDefinitions+1); err != nil || count > crumbDefinitions {
		return nil, err
	}
	defs, err := lookup.Defined(ctx, r, snap, n.Last)
	if err != nil {
		return nil, err
	}
	wanted := slices.DeleteFunc(slices.Clone(defs), func(d xref.Definition) bool {
		return n.Scope != "" && !d.In(n.Scope)
	})
	if len(wanted) == 0 {
		return nil, nil
	}
	calls, _, err := CallersOf(ctx, r, snap, n.Last, wanted, defs, askedFiles)
	if err != nil {
		return nil, err
	}
	unclear := len(defs) > len(wanted)
	calls = slices.DeleteFunc(calls, func(c Called) bool { return unclear && !c.Edge.Certain })
	inTest := func(c Called) bool { return doc.IsTest(c.In.Class) }
	if slices.ContainsFunc(calls, func(c Called) bool { return !inTest(c) }) {
		calls = slices.DeleteFunc(calls, inTest)
	}
	slices.SortStableFunc(calls, func(a, b Called) int {
		if a.Edge.Certain != b.Edge.Certain {
			if a.Edge.Certain {
				return -1
			}
			return 1
		}
		return cmp.Or(cmp.Compare(a.In.Path, b.In.Path), a.Call.Line-b.Call.Line)
	})
	var out []doc.Ranked
	for _, c := range calls {
		if slices.ContainsFunc(out, func(x doc.Ranked) bool { return x.Path == c.In.Path }) {
			continue
		}
		path := strings.Clone(c.In.Path)
		out = append(out, doc.Ranked{DocID: strings.Clone(c.In.Caller(c.Call.Caller)), Path: path, Line: c.Call.Line})
		if len(out) == maxAsked {
			break
		}
	}
	if len(out) > 0 && len(wanted) == 1 {
		out = append(out, doc.Ranked{DocID: doc.SymbolID(wanted[0].Path, wanted[0].Entry.Name), Path: wanted[0].Path})
	}
	return out, nil
}
