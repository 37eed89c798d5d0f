package project

import (
	"path"
	"slices"
	"strings"

	"patina/memory/recall"
	"patina/scrape/content"
	"patina/scrape/openat"
)

// Bounds of the documents that are searched for abbreviations.
const (
	maxGuides      = 100 // documents
	maxGuideBytes  = 1 << 20
	maxDefinitions = 500
)

// guideFolders are the folders whose documents define a project's abbreviations.
var guideFolders = []string{".", "docs", "doc"}

// Definitions returns the abbreviations that the documents of a place define, such as "write-ahead
// log (WAL)": Markdown in its root, docs and doc. It reads 1 MB at most. It returns nil if they
// cannot be read, because a search of notes is of use without them.
func Definitions(p Place) (out []recall.Definition) {
	if p.Far != "" {
		return nil
	}
	tree, err := openat.Open(p.Root)
	if err != nil {
		return nil
	}
	defer tree.Close()
	left, guides := int64(maxGuideBytes), 0
	for _, folder := range guideFolders {
		names, _, err := tree.Names(folder, 10*maxGuides)
		if err != nil {
			continue
		}
		slices.Sort(names)
		for _, name := range names {
			if !strings.HasSuffix(strings.ToLower(name), ".md") || guides == maxGuides {
				continue
			}
			guides++
			text, ok := content.ReadText(tree, path.Join(folder, name), left)
			if !ok {
				continue
			}
			left -= int64(len(text))
			if out = append(out, recall.Definitions(string(text))...); len(out) > maxDefinitions {
				return out[:maxDefinitions]
			}
		}
	}
	return out
}
