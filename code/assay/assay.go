package assay

import (
	"context"
	"fmt"

	"patina/internal/glob"
	"patina/store"
	"patina/store/doc"
)

// A Query asks for facts: calls, imports, definitions or co-changes.
type Query struct {
	Type string // must be one of Types
	// Pattern is a name, Type.method, a glob of names, a path, a folder, a glob of paths or a
	// doc_id. "." means everything.
	Pattern string
}

// Types returns the values of Query.Type that Ask answers.
func Types() []string {
	return []string{
		"callers", "callees", "references", "imports", "importers", "functions", "types", "inventory",
		"co-changes",
	}
}

// A Fact is one line of an answer. Its fields depend on the question.
type Fact struct {
	// DocID is the caller, callee, importer, definition, or co-changed file. It is empty if that is
	// outside the index.
	DocID   string
	Path    string // of DocID; for callees, of the call
	Line    int    // of the first call, or of the definition; 0 if unknown
	Symbol  string
	Sort    doc.Sort
	Title   string // signature
	Written string // the call or import as written
	As      string // for references: a word of syntax.As, such as "reads"
	// Target is the doc_id that callers and importers lead to. For callees, it is the caller.
	Target    string
	Count     int    // calls, or commits in co-changes
	Candidate bool   // only the name says so
	Of        int    // number of possible definitions, including this one
	Reason    string // the evidence for it
}

// Facts are the answer to a Query, the most certain first.
type Facts struct {
	Query
	Meant []string // doc_ids that the pattern names, at most maxMeant
	Facts []Fact
	Notes []string // omissions, with reasons
	// Unknown lists, sorted, the languages whose parsers do not find facts of this type: of the
	// files named by the pattern, and of files that contain its name. For them no facts means
	// unknown, not zero.
	Unknown []string
	// NothingRead is true if some of the Unknown are languages of the files named by the pattern.
	NothingRead bool
}

func (f *Facts) addNote(format string, args ...any) {
	f.Notes = append(f.Notes, fmt.Sprintf(format, args...))
}

const maxMeant = 50 // names or files for one pattern

// Ask answers a question from the current generation of r. A type that is not in Types is an error.
// A pattern that names nothing is not an error: the answer is empty. If ctx has a deadline,
// references may be incomplete, and Notes says so.
func Ask(ctx context.Context, r *store.Reader, a Query) (*Facts, error) {
	snap, err := r.Snapshot(ctx)
	if err != nil {
		return nil, err
	}
	out := &Facts{Query: a}
	if isGlob(a.Pattern) && !glob.Bounded(a.Pattern) {
		out.addNote("the pattern has over %d bytes or %d alternatives: read as a name",
			glob.MaxLength, glob.MaxAlternatives)
	}
	switch a.Type {
	case "callers":
		err = assayCallers(ctx, r, snap, out)
	case "callees":
		err = assayCallees(ctx, r, snap, out)
	case "references":
		err = assayReferences(ctx, r, snap, out)
	case "imports":
		err = assayImports(ctx, r, snap, out)
	case "importers":
		err = assayImporters(ctx, r, snap, out)
	case "functions":
		err = assaySymbols(ctx, r, snap, out, doc.Function, doc.Method)
	case "types":
		err = assaySymbols(ctx, r, snap, out, doc.Type)
	case "inventory":
		err = assayInventory(ctx, r, snap, out)
	case "co-changes":
		err = assayCoChanges(ctx, r, snap, out)
	default:
		return nil, fmt.Errorf("assay: no question %q", a.Type)
	}
	if err == nil {
		err = addUnknown(ctx, r, snap, out)
	}
	if err != nil {
		return nil, fmt.Errorf("assay %s of %q: %w", a.Type, a.Pattern, err)
	}
	return out, nil
}
