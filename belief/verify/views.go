package verify

import (
	"context"
	"strings"
)

// A view is one table that queries may read.
type view struct {
	name    string
	columns string // with SQL types, in the names that the format's users know
	fill    func(ctx context.Context, s *source, row func(values ...any) error) error
}

// reachView is the view that is computed from other views.
const reachView = "belief_code_reach"

// views lists the views. docs/knowledge.md describes each, and a test compares the two.
var views = []view{
	{"git_tracked_files", "file_path TEXT, status TEXT", trackedFiles},
	{"commits", "sha TEXT, message TEXT, author_name TEXT, author_email TEXT, timestamp TEXT, branch TEXT", addCommits},
	{"commit_files", "sha TEXT, file_path TEXT", commitFiles},
	{"git_tags", "tag_name TEXT, sha TEXT, tag_date TEXT", gitTags},
	{"function_facts", "file TEXT, name TEXT, container TEXT, line INTEGER, signature TEXT, is_async INTEGER, is_unsafe INTEGER, is_public INTEGER", functionFacts},
	{"import_facts", "file TEXT, import_path TEXT", importFacts},
	{"call_graph", "caller TEXT, callee TEXT, file TEXT, line_number INTEGER", callGraph},
	{"code_search", "path TEXT, name TEXT, kind TEXT, line INTEGER, context TEXT", codeSearch},
	{"patterns", "id TEXT, title TEXT, layer TEXT, status TEXT, created TEXT, tags TEXT, purpose TEXT, file_path TEXT, current_milestone TEXT", addPatterns},
	{"milestones", "spec_id TEXT, version TEXT, name TEXT, status TEXT", addMilestones},
	{
		reachView, "belief_id TEXT, file_path TEXT, reach_score REAL, commit_count INTEGER, symbol TEXT, hop_path TEXT",
		beliefReach,
	},
	{
		"eventlog", "seq INTEGER, event_type TEXT, timestamp TEXT, source_id TEXT, source_file TEXT, data TEXT",
		addEvents,
	},
}

// width returns the number of a view's columns.
func (v view) width() int { return strings.Count(v.columns, ",") + 1 }

// nameViews returns the names of the views, and the statements that create them.
func nameViews() (names []string, statements string) {
	var b strings.Builder
	for _, v := range views {
		names = append(names, v.name)
		b.WriteString("CREATE TABLE " + v.name + "(" + v.columns + ");\n")
	}
	return names, b.String()
}

// Views returns the columns of each view.
func Views() map[string][]string {
	out := make(map[string][]string, len(views))
	for _, v := range views {
		for column := range strings.SplitSeq(v.columns, ", ") {
			name, _, _ := strings.Cut(column, " ")
			out[v.name] = append(out[v.name], name)
		}
	}
	return out
}

// viewNamed returns the view with a name, which must exist.
func viewNamed(name string) view {
	for _, v := range views {
		if v.name == name {
			return v
		}
	}
	panic("verification: no view " + name) // unreachable: the sandbox reads no other tables
}
