package govern

import (
	"context"
	"path"
	"slices"
	"strings"

	"patina/belief"
	"patina/internal/glob"
	"patina/scrape/prose"
	"patina/store"
	"patina/store/doc"
)

// maxRuleFiles bounds the files of rules that are read for an act.
const maxRuleFiles = 20

// The scores of the ways in which a rule governs a file or a command.
const (
	namesFile    = .95 // its path, or an end of it
	namesSymbol  = .7  // a symbol in the edit
	namesFolder  = .6  // a folder above the file
	scopedToFile = .5  // only with words of the edit
	namesCommand = .9
)

// findRules returns the rules of files for agents and contributors that name the edited file, a
// folder above it, a symbol in the edit, or the command. Rules in a folder count only below it.
func findRules(ctx context.Context, r *store.Reader, snap *store.Snapshot, act Act) (found []Item, err error) {
	if len(act.Paths) == 0 && act.Command == "" {
		return nil, nil
	}
	files, err := r.Files(ctx, snap)
	if err != nil {
		return nil, store.Damaged(err)
	}
	files = slices.DeleteFunc(slices.Clone(files), func(f doc.ListedFile) bool {
		return prose.RuleSourceOf(f.Path) == prose.NoRules || !governsBelow(f.Path, act.Paths)
	})
	names := identifiers(act.Texts)
	for _, f := range files[:min(len(files), maxRuleFiles)] {
		source, err := r.Text(ctx, f.Key)
		if err != nil {
			return nil, store.Damaged(err)
		}
		rules, _ := prose.ParseRules(f.Path, []byte(source))
		for _, rule := range rules {
			item := Item{Kind: Rule, ID: f.Path, Text: rule.Whole(), Path: f.Path, Line: rule.First}
			if item.Score, item.Reason, item.About = rateRule(rule, act, names); item.Score > 0 {
				found = append(found, item)
			}
		}
	}
	return found, nil
}

// governsBelow reports whether one of the paths is in the folder that a file of rules speaks for. A
// file in a hidden folder, such as .cursor/rules, speaks for the folder above that. Without paths,
// the file must speak for the whole repository.
func governsBelow(file string, paths []string) bool {
	dir := path.Dir(file)
	for i, part := range strings.Split(dir, "/") {
		if len(part) > 1 && part[0] == '.' {
			dir = strings.Join(strings.Split(dir, "/")[:i], "/")
			break
		}
	}
	if dir == "." || dir == "" || dir == "docs" {
		return true
	}
	return slices.ContainsFunc(paths, func(p string) bool { return strings.HasPrefix(p, dir+"/") })
}

// rateRule returns how surely a rule governs an act, why, and which file.
func rateRule(rule prose.Rule, act Act, names map[string]bool) (score float64, reason, about string) {
	if act.Command != "" {
		if name := namedCommand(rule.Whole(), act.Command); name != "" && saysMore(rule.Whole()) {
			return namesCommand, "names this command", ""
		}
		return 0, "", ""
	}
	for _, p := range act.Paths {
		if p == "" {
			continue
		}
		if s, why := rateText(rule.Whole(), p, names); s > score {
			score, reason, about = s, why, p
		}
		if rule.Scope != "" && score < scopedToFile && inScope(rule.Scope, p) && sharesNames(rule.Whole(), act.Texts) {
			score, reason, about = scopedToFile, "for files like this", p
		}
	}
	return score, reason, about
}

// rateText returns how surely a sentence names a file, a folder above it, or a symbol in an edit.
func rateText(s, p string, names map[string]bool) (score float64, reason string) {
	for _, c := range belief.Citations(s) {
		switch {
		case c.Path != "" && (c.Path == p || strings.HasSuffix(p, "/"+c.Path) && !isCommonName(c.Path)):
			return namesFile, "names this file"
		case c.Symbol != "" && names[belief.LastName(c.Symbol)]:
			score, reason = namesSymbol, "names "+c.Symbol
		}
	}
	if score > 0 {
		return score, reason
	}
	for _, code := range codeSpans(s) {
		folder := strings.TrimPrefix(strings.TrimRight(code, "*"), "./")
		if strings.HasSuffix(folder, "/") && len(folder) > 2 && (strings.HasPrefix(p, folder) || strings.Contains(p, "/"+folder)) {
			return namesFolder, "names its folder"
		}
	}
	return 0, ""
}

// isCommonName reports whether a path without folders is the name of many files.
func isCommonName(name string) bool {
	switch strings.ToLower(name) {
	case "mod.rs", "lib.rs", "main.rs", "main.go", "doc.go", "index.js", "index.ts", "index.tsx", "__init__.py", "readme.md",
		"cargo.toml", "package.json", "go.mod", "makefile", "setup.py":
		return true
	}
	return false
}

// codeSpans returns the parts of a sentence between back-ticks.
func codeSpans(s string) (spans []string) {
	parts := strings.Split(s, "`")
	for i := 1; i < len(parts)-1; i += 2 {
		spans = append(spans, strings.TrimSpace(parts[i]))
	}
	return spans
}

// inScope reports whether one of the globs of a rule matches a path, and is no glob of everything.
func inScope(scope, p string) bool {
	for g := range strings.SplitSeq(scope, ",") {
		g = strings.TrimSpace(g)
		if strings.Trim(g, "*/") == "" {
			continue
		}
		if glob.Match(g, p) {
			return true
		}
	}
	return false
}

// leastShared is the number of stems that a scoped rule must share with an edit.
const leastShared = 3

func sharesNames(rule string, texts []string) bool {
	stems, _ := stemSet(rule)
	_, has := stemSet(texts...)
	n := 0
	for _, s := range stems {
		if has[s] {
			n++
		}
	}
	return n >= leastShared
}
