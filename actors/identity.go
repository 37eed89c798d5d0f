package actors

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"patina/fusion"
	"patina/store"
)

// idOf is a document's identity in fusion: the path for code, the doc_id for every other kind.
func idOf(kind store.Kind, h store.Ranked) string {
	if kind == store.Code {
		return h.Path
	}
	return h.DocID
}

// kindOf tells the kind of a document that no list names, from its doc_id.
func kindOf(docID string) store.Kind {
	for _, k := range store.Kinds() {
		if strings.HasPrefix(docID, string(k)+":") {
			return k
		}
	}
	return store.Code
}

// matches tells whether a doc_id means the document of a key: code also by the doc_id of one of its symbols.
func matches(k fusion.Key, docID string) bool {
	return k.ID == docID || k.Kind == string(store.Code) && strings.HasPrefix(docID, k.ID+"::")
}

// union lists what the lists hold, each document once, by kind and identity in fusion.
func union(of []*lists) map[store.Kind][]string {
	ids := map[store.Kind][]string{}
	for _, m := range of {
		for _, l := range m.Lists {
			for _, h := range l.Hits {
				ids[l.Kind] = append(ids[l.Kind], idOf(l.Kind, h))
			}
		}
	}
	for kind, all := range ids {
		slices.Sort(all)
		ids[kind] = slices.Compact(all)
	}
	return ids
}

// semantic is the channel whose raw scores are cosines.
const semantic = "semantic"

// cosinesOf holds the cosine of each document that the semantic channel found, by its identity in fusion.
func cosinesOf(of []*lists) map[string]float64 {
	out := map[string]float64{}
	for _, m := range of {
		for _, l := range m.Lists {
			if l.Channel != semantic {
				continue
			}
			for _, h := range l.Hits {
				out[idOf(l.Kind, h)] = h.Raw
			}
		}
	}
	return out
}

// admits tells whether a document that the question names may be shown in spite of the filter. Lists hold only what the
// filter lets through: a filter that is narrow admits what they hold.
func admits(f store.Filter, listed map[store.Kind][]string, x store.Ranked) bool {
	kind := kindOf(x.DocID)
	if len(f.Kinds) > 0 && !slices.Contains(f.Kinds, kind) {
		return false
	}
	return !f.Narrow() || slices.Contains(listed[kind], idOf(kind, x))
}

// changed tells whether the file that a document comes from is no longer the one that was read.
func changed(root string, d store.Description) bool {
	return d.Path != "" && root != "" && Changed(root, d.Path, d.Stat)
}

// Changed tells whether a file below a root is no longer the one that was read, by one lstat.
func Changed(root, path string, read store.Stat) bool {
	info, err := os.Lstat(filepath.Join(root, filepath.FromSlash(path)))
	if err != nil {
		return true
	}
	if info.Size() != read.Size || info.ModTime().UnixNano() != read.ModTime {
		return true
	}
	sys, ok := info.Sys().(*syscall.Stat_t)
	return ok && read.Inode != 0 && sys.Ino != read.Inode
}
