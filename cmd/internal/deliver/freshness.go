package deliver

import (
	"fmt"
	"strings"
	"time"

	"patina/actors/api"
	"patina/cmd/internal/dialect"
	"patina/cmd/internal/layout"
)

const (
	namedFiles = 3  // named in a line of text
	listedLag  = 20 // files listed in JSON

	otherParsers = "written by another version of the parsers"
)

// Freshness returns one line if an index is behind its working tree, or if that is not fully known.
// Otherwise it returns "".
func Freshness(indexes []api.IndexState, d dialect.Dialect) string {
	for _, x := range indexes {
		if s := behind(x, d); s != "" {
			return s
		}
	}
	return ""
}

// atHome drops the indexes of other projects.
func atHome(indexes []api.IndexState, visits map[string]Visit) (home []api.IndexState) {
	for _, x := range indexes {
		if _, visited := visits[x.Project]; !visited {
			home = append(home, x)
		}
	}
	return home
}

// elsewhere returns one line about the indexes of other projects that are behind their trees or
// made by other parsers, or "".
func elsewhere(indexes []api.IndexState, visits map[string]Visit) string {
	var parts, foreign []string
	for _, x := range indexes {
		if _, visited := visits[x.Project]; !visited {
			continue
		}
		if x.Reparse {
			foreign = append(foreign, layout.Clip(x.Project, 32))
		}
		var by []string
		if x.Behind > 0 {
			by = append(by, layout.Count(x.Behind, "commit"))
		}
		if x.ChangedFiles > 0 {
			by = append(by, layout.Count(x.ChangedFiles, "file"))
		}
		if len(by) > 0 {
			parts = append(parts, layout.Clip(x.Project, 32)+" "+strings.Join(by, " and "))
		}
	}
	var all []string
	if len(parts) > 0 {
		all = append(all, layout.Clip("behind their trees: "+strings.Join(parts, ", "), 170))
	}
	if len(foreign) > 0 {
		all = append(all, layout.Clip(otherParsers+": "+strings.Join(foreign, ", "), 170))
	}
	if len(all) == 0 {
		return ""
	}
	return strings.Join(append(all, "patina mother sync"), "; ")
}

// FarIndexes returns one line about the indexes of other machines that were asked: the commit and
// the age of each. It returns "" if there is none.
func FarIndexes(indexes []api.IndexState, now time.Time) string {
	var parts []string
	for _, x := range indexes {
		if x.Generation.ScrapedAt.IsZero() { // it did not answer
			continue
		}
		part := layout.Clip(x.Project, 32)
		if head := x.Generation.Head; head != "" {
			part += " at " + layout.Clip(head[:min(len(head), 12)], 12)
		}
		parts = append(parts, part+", read "+layout.Clip(sinceText(now.Sub(x.Generation.ScrapedAt)), 12)+" ago")
	}
	if len(parts) == 0 {
		return ""
	}
	return layout.Clip("from other machines: "+strings.Join(parts, "; "), 170)
}

// sinceText returns a time in its largest unit.
func sinceText(d time.Duration) string {
	switch d = max(0, d); {
	case d >= 48*time.Hour:
		return fmt.Sprintf("%d days", int(d/(24*time.Hour)))
	case d >= 2*time.Hour:
		return fmt.Sprintf("%d hours", int(d/time.Hour))
	case d >= 2*time.Minute:
		return fmt.Sprintf("%d minutes", int(d/time.Minute))
	}
	return fmt.Sprintf("%d seconds", int(d/time.Second))
}

// far keeps the indexes of other machines.
func far(indexes []api.IndexState, visits map[string]Visit) (out []api.IndexState) {
	for _, x := range indexes {
		if visits[x.Project].Far {
			out = append(out, x)
		}
	}
	return out
}

// Lagging returns the line of freshness for a look at the tree alone.
func Lagging(l *api.Lag, d dialect.Dialect) string { return behind(api.IndexState{Lag: l}, d) }

func behind(x api.IndexState, d dialect.Dialect) string {
	l := x.Lag
	if l == nil {
		l = &api.Lag{Looked: 0, Folders: true}
	}
	var parts, all []string
	if x.Behind > 0 {
		parts = append(parts, layout.Count(x.Behind, "commit"))
	}
	if n := max(x.ChangedFiles, len(l.Pending)); n > 0 {
		parts = append(parts, layout.Count(n, "file"))
	}
	if x.Generation.Draft {
		all = append(all, "draft of the index: history not read, model not fitted yet")
	}
	if x.Reparse {
		all = append(all, "index "+otherParsers)
	}
	if len(parts) > 0 {
		all = append(all, "index is "+strings.Join(parts, " and ")+" behind"+named(l.Pending))
	}
	if len(l.New) > 0 {
		all = append(all, fmt.Sprintf("%d new not read%s", len(l.New), named(l.New)))
	}
	if l.Why != "" && (len(all) > 0 || l.Read == 0) {
		all = append(all, layout.Clip(l.Why, 80))
	}
	helps := len(all) > 0 // a scrape would help
	switch {
	case l.Looked == 0 && l.Why != "", l.Quiet: // l.Why is printed below
	case l.Looked < l.Files:
		all = append(all, fmt.Sprintf("%s of %s files were not checked for changes since the last scrape",
			thousands(l.Files-l.Looked), thousands(l.Files)))
	case !l.Folders:
		all = append(all, "new files since the last scrape may be missing")
	}
	if x.Generation.Draft && l.Watched { // the process that watches the tree completes the draft
		return strings.Join(append(all, "being completed"), "; ")
	}
	if len(all) == 0 {
		return ""
	}
	if call := d.Scrape(); helps && call != "" && len(call) < 80 {
		all = append(all, call)
	}
	return strings.Join(all, "; ")
}

// named returns the first few of many names, in brackets.
func named(names []string) string {
	if len(names) == 0 {
		return ""
	}
	var out []string
	for _, n := range names[:min(len(names), namedFiles)] {
		out = append(out, layout.ShortPath(n, 40))
	}
	if len(names) > namedFiles {
		out = append(out, "…")
	}
	return " (" + strings.Join(out, ", ") + ")"
}

// thousands writes a number with a comma before each three digits.
func thousands(n int) string {
	s := fmt.Sprint(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// A jsonLag is the distance between a tree and its index.
type jsonLag struct {
	Files     int      `json:"files"`
	Looked    int      `json:"looked_at"`
	Folders   bool     `json:"all_folders"`
	Refreshed int      `json:"refreshed"`
	Behind    int      `json:"behind_files"`
	New       int      `json:"new_files"`
	Names     []string `json:"behind"`
	Why       string   `json:"not_refreshed,omitempty"`
}

func lagOf(l *api.Lag) *jsonLag {
	if l == nil {
		return nil
	}
	out := &jsonLag{
		Files: l.Files, Looked: l.Looked, Folders: l.Folders, Refreshed: l.Read, Behind: len(l.Pending),
		New: len(l.New), Names: []string{}, Why: l.Why,
	}
	for _, names := range [][]string{l.Pending, l.New} {
		out.Names = append(out.Names, names[:min(len(names), listedLag)]...)
	}
	return out
}

// noteworthy reports whether l must be printed: the tree has moved, or was not fully compared. A
// nil lag is not.
func noteworthy(l *api.Lag) bool {
	return l != nil && (l.Read > 0 || len(l.Pending) > 0 || len(l.New) > 0 || l.Why != "" || !l.Quiet &&
		(l.Looked < l.Files || !l.Folders))
}
