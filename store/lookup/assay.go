package lookup

import (
	"context"
	"fmt"

	"patina/store"
)

// An Assay asks for facts: what calls, imports, defines or changes with what.
type AssayQuery struct {
	Type    string // one of AssayTypes
	Pattern string // a name, Type.method, a glob of names; a path, a folder, a glob of paths or a doc_id; "." is everything
}

// AssayTypes are the questions that Assay answers.
func AssayTypes() []string {
	return []string{"callers", "callees", "imports", "importers", "functions", "types", "inventory", "co-changes"}
}

// A Fact is one line of an answer. Which fields it has depends on the question.
type Fact struct {
	DocID     string // who calls, what is called, who imports, what is defined, what changes with it; empty: outside the index
	Path      string // of DocID; of the call for callees
	Line      int    // of the first call, or of the definition; 0 for none
	Symbol    string
	Sort      store.Sort
	Title     string // signature
	Written   string // the call or the import as it is written
	Target    string // callers and importers: doc_id of what it leads to; callees: where the call stands
	Count     int    // calls, or commits of co-changes
	Candidate bool   // names alone do not tell that this is meant
	Of        int    // definitions that may be meant as well, itself counted
	Reason    string // what speaks for it
}

// Facts are the answer to an Assay, the surest first.
type Facts struct {
	AssayQuery
	Meant []string // doc_ids of what the pattern names; at most maxMeant
	Facts []Fact
	Notes []string // what was left out, and why
}

const (
	maxMeant = 50      // names or files that a pattern stands for
	allFiles = 1 << 30 // no bound on the files whose facts are read
)

// Assay answers a question about facts. ErrNoDocument says that the pattern names nothing at all.
func Assay(ctx context.Context, r *store.Reader, a AssayQuery) (*Facts, error) {
	snap, err := r.Snapshot(ctx)
	if err != nil {
		return nil, err
	}
	out := &Facts{AssayQuery: a}
	if isGlob(a.Pattern) && !store.Bounded(a.Pattern) {
		out.Notes = append(out.Notes, fmt.Sprintf("the pattern has over %d bytes or %d alternatives: read as a name", store.MaxGlob, store.MaxAlternatives))
	}
	switch a.Type {
	case "callers":
		err = assayCallers(ctx, r, snap, out)
	case "callees":
		err = assayCallees(ctx, r, snap, out)
	case "imports":
		err = assayImports(ctx, r, snap, out)
	case "importers":
		err = assayImporters(ctx, r, snap, out)
	case "functions":
		err = assaySymbols(ctx, r, snap, out, store.Function, store.Method)
	case "types":
		err = assaySymbols(ctx, r, snap, out, store.Type)
	case "inventory":
		err = assayInventory(ctx, r, snap, out)
	case "co-changes":
		err = assayCoChanges(ctx, r, snap, out)
	default:
		return nil, fmt.Errorf("assay: no question %q", a.Type)
	}
	if err != nil {
		return nil, fmt.Errorf("assay %s of %q: %w", a.Type, a.Pattern, err)
	}
	return out, nil
}
