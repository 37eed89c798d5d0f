package actors

import (
	"os"
	"path/filepath"
	"slices"
	"syscall"

	"patina/store"
)

// union lists what the lists hold, each document once, by kind and identity in fusion.
func union(of []*Lists) map[store.Kind][]string {
	ids := map[store.Kind][]string{}
	for _, m := range of {
		for _, l := range m.Lists {
			for _, h := range l.Hits {
				ids[l.Kind] = append(ids[l.Kind], l.Kind.Identity(h))
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

// A meaning is what the semantic channel says of a question beside its ranking.
type meaning struct {
	cosines      map[string]float64 // of each document that it found, by its identity in fusion
	words, known int                // oracles.List
}

// meaningOf is empty where the semantic channel did not answer.
func meaningOf(of []*Lists) meaning {
	out := meaning{cosines: map[string]float64{}}
	for _, m := range of {
		for _, l := range m.Lists {
			if l.Channel != semantic {
				continue
			}
			out.words, out.known = l.Words, l.Known
			for _, h := range l.Hits {
				out.cosines[l.Kind.Identity(h)] = h.Raw
			}
		}
	}
	return out
}

// add joins the meaning to what the store knows of the documents. A question's words have two witnesses of equal voice: what is written
// in the project, and the model's vocabulary, which holds what projects like it write. The first alone is short of common words where
// the project is small, the second of the names of this project.
func (m meaning) add(to map[string]store.Evidence, c store.Calibration) {
	for id, e := range to {
		if m.words > 0 {
			e.Known = (e.Known + float64(m.known)/float64(m.words)) / 2
		}
		if cosine, ok := m.cosines[id]; ok {
			e.Cosine = c.Evidence(cosine)
		}
		to[id] = e
	}
}

// admits tells whether a document that the question names may be shown in spite of the filter. Lists hold only what the
// filter lets through: a filter that is narrow admits what they hold.
func admits(f store.Filter, listed map[store.Kind][]string, x store.Ranked) bool {
	kind := store.KindOf(x.DocID)
	if len(f.Kinds) > 0 && !slices.Contains(f.Kinds, kind) {
		return false
	}
	return !f.Narrow() || slices.Contains(listed[kind], kind.Identity(x))
}

// changed tells whether the file that a document comes from is no longer the one that was read.
func changed(root string, d store.Description) bool {
	return d.Path != "" && root != "" && modified(root, d.Path, d.Stat)
}

// modified reports whether a file below a root is no longer the one that was read, by one lstat.
func modified(root, path string, read store.Stat) bool {
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
