package prose

import (
	"path"
	"strings"
)

// DecisionNames returns a name for each record, by its path. Records with the same id are named by
// their paths. Records must not be nil.
func DecisionNames(records []*Decision) map[string]string {
	times := map[string]int{}
	for _, r := range records {
		times[r.ID]++
	}
	names := make(map[string]string, len(records))
	for _, r := range records {
		if names[r.Path] = r.ID; times[r.ID] > 1 {
			names[r.Path] = slug(strings.TrimSuffix(r.Path, path.Ext(r.Path)))
		}
	}
	return names
}
