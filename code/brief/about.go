package brief

import (
	"context"
	"path"
	"strings"

	"patina/scrape/prose"
	"patina/store"
	"patina/store/doc"
)

// OwnersOfPaths returns the lines of the project's CODEOWNERS file that own the paths, or nil if
// there is no such file.
func OwnersOfPaths(ctx context.Context, r *store.Reader, paths []string) ([]Owner, error) {
	g, _, err := newGatherer(ctx, r)
	if err != nil {
		return nil, err
	}
	for _, name := range ownerFiles {
		source, err := g.readText(name)
		if all := OwnersIn(name, source); err != nil || len(all) > 0 {
			return OwnersOf(all, paths), err
		}
	}
	return nil, nil
}

// RulesNaming returns the rules for people and agents that name one of the paths, or its folder,
// the strictest first. A name without a slash counts only with its extension.
func RulesNaming(ctx context.Context, r *store.Reader, paths []string) ([]Quote, error) {
	g, files, err := newGatherer(ctx, r)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, p := range paths {
		names = append(names, p)
		if base := path.Base(p); path.Ext(base) != "" && strings.TrimSuffix(base, path.Ext(base)) != "" {
			names = append(names, base)
		}
		if dir := path.Dir(p); strings.Contains(dir, "/") {
			names = append(names, dir)
		}
	}
	left := maxFiles
	var found []Quote
	for _, f := range files {
		if prose.RuleSourceOf(f.Path) == prose.NoRules {
			continue
		}
		if left--; left < 0 {
			break
		}
		source, err := g.readText(f.Path)
		if err != nil {
			return nil, err
		}
		for _, q := range RulesIn(f.Path, source) {
			if namesOne(q.Text, names) {
				found = append(found, q)
			}
		}
	}
	return bestRules(found), nil
}

// namesOne reports whether a text contains one of the names as a whole: no letter, digit or part of
// a path is beside it.
func namesOne(text string, names []string) bool {
	for _, name := range names {
		for rest := text; ; {
			i := strings.Index(rest, name)
			if i < 0 {
				break
			}
			before, after := rest[:i], rest[i+len(name):]
			if !strings.HasSuffix(before, "/") && !endsWord(before) && !beginsWord(after) {
				return true
			}
			rest = after
		}
	}
	return false
}

func endsWord(s string) bool   { return s != "" && isNameByte(s[len(s)-1]) }
func beginsWord(s string) bool { return s != "" && isNameByte(s[0]) }

// isNameByte reports whether a byte may be in the name of a file. Bytes above ASCII may.
func isNameByte(b byte) bool {
	return b == '_' || b == '-' || b >= 0x80 || '0' <= b && b <= '9' || 'a' <= b|0x20 && b|0x20 <= 'z'
}

// newGatherer returns a gatherer, and the files of the view.
func newGatherer(ctx context.Context, r *store.Reader) (*gatherer, []doc.ListedFile, error) {
	snap, err := r.Snapshot(ctx)
	if err != nil {
		return nil, nil, err
	}
	files, err := r.Files(ctx, snap)
	if err != nil {
		return nil, nil, err
	}
	g := &gatherer{ctx: ctx, r: r, keys: map[string]int64{}}
	for _, f := range files {
		g.keys[f.Path] = f.Key
	}
	return g, files, nil
}
