package prose

import (
	"path"
	"strings"
)

// Names returns the identities of some records among each other, by path. Records of one name in
// several folders are told apart by their paths.
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
