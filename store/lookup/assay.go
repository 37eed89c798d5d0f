package lookup

import (
	"context"
	"fmt"

	"patina/store"
	"patina/store/glob"
)

// An AssayQuery asks for facts: calls, imports, definitions or co-changes.
type AssayQuery struct {
	Type string // one of AssayTypes
	// Pattern is a name, Type.method, a glob of names, a path, a folder, a glob of paths or a
	// doc_id; "." means everything.
	Pattern string
}

// AssayTypes lists the questions that Assay answers.
func AssayTypes() []string {
	return []string{
		"callers", "callees", "imports", "importers", "functions", "types", "inventory",
		"co-changes",
	}
}

// A Fact is one line of an answer. Its fields depend on the question.
type Fact struct {
	// DocID is the caller, callee, importer, definition, or co-changed file. It is empty outside
	// the index.
	DocID   string
	Path    string // of DocID; for callees, of the call
	Line    int    // of the first call, or of the definition; 0 for none
	Symbol  string
	Sort    store.Sort
	Title   string // signature
	Written string // the call or import as written
	// Target is the doc_id that callers and importers lead to; for callees, the caller.
	Target    string
	Count     int    // calls, or commits in co-changes
	Candidate bool   // names alone leave it open
	Of        int    // number of possible definitions, with this one
	Reason    string // the evidence for it
}

// Facts are the answer to an AssayQuery, most certain first.
type Facts struct {
	AssayQuery
	Meant []string // doc_ids that the pattern names, at most maxMeant
	Facts []Fact
	Notes []string // omissions, with reasons
}

// note adds a note.
func (f *Facts) note(format string, args ...any) {
	f.Notes = append(f.Notes, fmt.Sprintf(format, args...))
}

const (
	maxMeant = 50      // names or files for one pattern
	allFiles = 1 << 30 // reads the facts of all files
)

// Assay answers a question about facts. ErrNoDocument says that the pattern names nothing at all.
func Assay(ctx context.Context, r *store.Reader, a AssayQuery) (*Facts, error) {
	snap, err := r.Snapshot(ctx)
	if err != nil {
		return nil, err
	}
	out := &Facts{AssayQuery: a}
	if isGlob(a.Pattern) && !glob.Bounded(a.Pattern) {
		out.note("the pattern has over %d bytes or %d alternatives: read as a name",
			glob.MaxLength, glob.MaxAlternatives)
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
