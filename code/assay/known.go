package assay

import (
	"context"
	"slices"
	"strings"

	"patina/code/lang"
	"patina/scrape/syntax"
	"patina/store"
)

// isParsed reports whether the parser of a language finds the facts of a question.
func isParsed(question, language string) bool {
	facts := lang.Named(language).Facts()
	switch question {
	case "callers", "callees":
		return facts.Calls
	case "imports", "importers":
		return facts.Imports
	case "references":
		return syntax.Knows(language)
	case "functions", "types":
		return facts.Symbols
	}
	return true
}

// addUnknown adds the languages whose parsers do not find the facts of the question. It looks at
// the files named by the pattern, or at all code if the pattern names no file. For callers,
// references and importers it also looks at files that contain the name. For these languages no
// facts means unknown, not zero.
func addUnknown(ctx context.Context, r *store.Reader, snap *store.Snapshot, out *Facts) error {
	defines := out.Type == "functions" || out.Type == "types"
	if out.Type == "inventory" || out.Type == "co-changes" || len(out.Facts) > 0 && defines {
		return nil
	}
	files, err := r.Files(ctx, snap)
	if err != nil {
		return err
	}
	meant := make(map[string]bool)
	for _, id := range out.Meant {
		file, _, _ := strings.Cut(id, "::")
		meant[file] = true
	}
	if len(meant) == 0 {
		named, err := filesMeant(ctx, r, snap, out.Pattern)
		if err != nil {
			return err
		}
		for _, f := range named {
			meant[f.Path] = true
		}
	}
	// A name that is not defined may occur in any file.
	seen := make(map[string]bool)
	for _, f := range files {
		if len(out.Facts) > 0 && len(out.Meant) == 0 {
			break
		}
		if !snap.Members.Has(f.Key) || !isCode(f) || len(meant) > 0 && !meant[f.Path] {
			continue
		}
		seen[f.Language] = true
	}
	for name := range seen {
		if !isParsed(out.Type, name) {
			out.Unknown = append(out.Unknown, name)
		}
	}
	if out.Type == "callers" || out.Type == "references" || out.Type == "importers" {
		out.NothingRead = len(out.Unknown) > 0
		if err := addUnread(ctx, r, snap, out, files); err != nil {
			return err
		}
	}
	slices.Sort(out.Unknown)
	return nil
}
