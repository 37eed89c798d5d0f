package assay

import (
	"context"
	"database/sql"
	"errors"
	"iter"
	"path"
	"slices"
	"strings"

	"patina/code/callers"
	"patina/code/imports"
	"patina/code/lang"
	"patina/code/xref"
	"patina/scrape/markup"
	"patina/scrape/syntax"
	"patina/store"
	"patina/store/doc"
	"patina/store/format"
	"patina/store/text"
)

// unusedEnds are file name extensions without a language whose texts contain names but never use
// them.
var unusedEnds = text.Set(`.po .pot .snap .patch .diff .lock .map .adoc .asciidoc .org .sum .out .orig .rej .license ` +
	`.txt`)

// maxUnread bounds the texts that one question reads for a name. Files beyond it count as if they
// contained the name, because their posting lists say so.
const maxUnread = 300

// addUnread adds the languages of files that contain a name of the question but that no parser
// reads for it. Whether these files use it is unknown.
func addUnread(ctx context.Context, r *store.Reader, snap *store.Snapshot, out *Facts, files []doc.ListedFile) error {
	if out.Type == "importers" && len(out.Facts) > 0 {
		return nil // a path consists of common words
	}
	words, err := wordsOfUse(ctx, r, snap, out)
	if err != nil {
		return err
	}
	byKey := make(map[int64]doc.ListedFile, len(files))
	for _, f := range files {
		byKey[f.Key] = f
	}
	read := 0
	for _, word := range words {
		keys, err := callers.Mentioning(ctx, r, word)
		if err != nil {
			return err
		}
		var parsed []int64
		for _, k := range append(keys, proseKeys(files)...) {
			f, ok := byKey[k]
			if !ok || !snap.Members.Has(k) {
				continue
			}
			if syntax.Knows(f.Language) && isParsed(out.Type, f.Language) {
				parsed = append(parsed, k)
				continue
			}
			name := unreadName(f, len(out.Facts) == 0)
			if name == "" || slices.Contains(out.Unknown, name) {
				continue
			}
			holds := read >= maxUnread
			if !holds {
				read++
				body, err := readText(ctx, r, k)
				if err != nil {
					return err
				}
				holds = holdsWord(body, word) && (len(out.Facts) == 0 || looksCalled(body, word))
			}
			if holds {
				out.Unknown = append(out.Unknown, name)
			}
		}
		if err := halfRead(ctx, r, out, parsed, word); err != nil {
			return err
		}
	}
	if len(out.Facts) > 0 || len(words) == 0 {
		return nil
	}
	return addGenerated(ctx, r, snap, out, words)
}

// addGenerated adds the languages of generated files that contain one of the words. Their texts
// must be read, because a scrape stores the names that they define but does not index their words.
func addGenerated(ctx context.Context, r *store.Reader, snap *store.Snapshot, out *Facts, words []string) error {
	type file struct {
		key      int64
		language string
	}
	var files []file
	const query = `SELECT key, language, class FROM file ORDER BY key`
	err := r.EachRow(ctx, query, nil, func(scan func(...any) error) error {
		var f file
		var class doc.Class
		err := scan(&f.key, &f.language, &class)
		if err == nil && class&doc.Generated != 0 && class&doc.PathOnly == 0 && snap.Members.Has(f.key) &&
			syntax.Knows(f.language) {
			files = append(files, f)
		}
		return err
	})
	if err != nil {
		return store.Damaged(err)
	}
	for i, f := range files {
		name := "generated " + f.language
		if slices.Contains(out.Unknown, name) {
			continue
		}
		holds := i >= maxUnread
		if !holds {
			body, err := readText(ctx, r, f.key)
			if err != nil {
				return err
			}
			holds = slices.ContainsFunc(words, func(word string) bool { return usesName(f.language, body, word) })
		}
		if holds {
			out.Unknown = append(out.Unknown, name)
		}
	}
	return nil
}

// usesName reports whether a text contains a name other than in its definition. It returns true if
// the text cannot be parsed.
func usesName(language, body, word string) bool {
	if !holdsWord(body, word) {
		return false
	}
	list, _, err := syntax.Uses(language, []byte(body), word)
	return err != nil || slices.ContainsFunc(list, func(u syntax.Use) bool { return u.As != syntax.Defines })
}

// proseKeys returns the keys of prose files that may contain components.
func proseKeys(files []doc.ListedFile) (keys []int64) {
	for _, f := range files {
		if strings.HasSuffix(f.Path, ".mdx") {
			keys = append(keys, f.Key)
		}
	}
	return keys
}

// unreadName returns the language or extension under which an unparsed file is reported, or "" if
// such files use no names. all includes configuration.
func unreadName(f doc.ListedFile, all bool) string {
	end, l := strings.ToLower(path.Ext(f.Path)), lang.Named(f.Language)
	switch {
	case end == ".mdx":
		return "MDX"
	case f.Language == "":
		base := path.Base(f.Path)
		if unusedEnds.Has(end) || strings.HasPrefix(base, ".git") || strings.HasSuffix(base, "ignore") ||
			end == base && !all || end == "" && (strings.ToUpper(base) == base || !all) {
			return ""
		}
		if end == "" {
			return base
		}
		return end
	case l.NoUses, l.Settings && !all, end == ".lock", end == ".sum":
		return ""
	}
	return f.Language
}

// halfRead adds the languages of parsed files that contain a name outside of the parsed part: files
// too costly to parse, and components and pages whose templates no grammar reads.
func halfRead(ctx context.Context, r *store.Reader, out *Facts, keys []int64, word string) error {
	type file struct {
		key      int64
		language string
	}
	var files []file
	const query = `SELECT key, language, class, facts FROM file WHERE key IN `
	err := r.RowsIn(ctx, query, keys, func(scan func(...any) error) error {
		var f file
		var class doc.Class
		var facts sql.RawBytes // looked at once
		if err := scan(&f.key, &f.language, &class, &facts); err != nil {
			return err
		}
		if class&doc.Generated == 0 && (markup.Knows(f.language) || !hasFacts(facts)) {
			files = append(files, f)
		}
		return nil
	})
	if err != nil {
		return store.Damaged(err)
	}
	for _, f := range files {
		if slices.Contains(out.Unknown, f.language) {
			continue
		}
		body, err := readText(ctx, r, f.key)
		if err != nil {
			return err
		}
		if !holdsWord(body, word) {
			continue
		}
		_, _, err = syntax.Uses(f.language, []byte(body), word)
		if errors.Is(err, syntax.ErrTooCostly) ||
			markup.Knows(f.language) && usedInPage(f.language, body, word) {
			out.Unknown = append(out.Unknown, f.language)
		}
	}
	return nil
}

// hasFacts reports whether a scrape has found any facts in a file. encoded must be its stored
// facts.
func hasFacts(encoded []byte) bool {
	const fewest = 64 // bytes; empty facts are shorter
	if len(encoded) >= fewest {
		return true
	}
	f, err := format.DecodeFacts(encoded)
	return err == nil && len(f.Calls)+len(f.Imports)+len(f.Bindings)+len(f.Typed) > 0
}

// readText returns the text of a file, or "" if the index knows only its path.
func readText(ctx context.Context, r *store.Reader, key int64) (string, error) {
	body, err := r.Text(ctx, key)
	if errors.Is(err, sql.ErrNoRows) {
		return "", nil
	}
	return body, err
}

// wordsOfUse returns the words that a use must contain, at most mostWords. It returns nil if
// importers of everything are asked for.
func wordsOfUse(ctx context.Context, r *store.Reader, snap *store.Snapshot, out *Facts) (words []string, err error) {
	add := func(word string) {
		if word != "" && len(word) <= lang.NameBytes && !isGlob(word) && !slices.Contains(words, word) {
			words = append(words, word)
		}
	}
	if out.Type != "importers" {
		for _, id := range out.Meant {
			if _, symbol, ok := strings.Cut(id, "::"); ok {
				add(doc.LastName(doc.BareName(symbol)))
			}
		}
		if len(words) == 0 {
			add(xref.Unqualified(xref.Dotted(out.Pattern)))
		}
		return words[:min(len(words), mostWords)], nil
	}
	named, err := filesMeant(ctx, r, snap, out.Pattern)
	if err != nil || out.Pattern == "." {
		return nil, err
	}
	for _, f := range named[:min(len(named), mostWords)] {
		stem := strings.TrimSuffix(path.Base(f.Path), path.Ext(f.Path))
		if imports.IsIndex(f.Path) {
			if stem = path.Base(path.Dir(f.Path)); stem == "." {
				continue
			}
		}
		add(stem)
	}
	if len(named) == 0 {
		add(xref.Unqualified(out.Pattern))
	}
	return words, nil
}

// mostWords bounds the names that are searched for one question.
const mostWords = 10

// findWord yields the offset of each occurrence of a name in a text.
func findWord(body, word string) iter.Seq[int] {
	return func(yield func(int) bool) {
		for from := 0; ; from += len(word) {
			i := strings.Index(body[from:], word)
			if i < 0 || !yield(from+i) {
				return
			}
			from += i
		}
	}
}

// isWhole reports whether the name at an offset is not part of a longer name or hyphenated word.
func isWhole(body, word string, at int) bool {
	before, behind := body[:at], body[at+len(word):]
	switch {
	case before != "" && isNameByte(before[len(before)-1]), behind != "" && isNameByte(behind[0]):
		return false
	case strings.HasSuffix(before, "-") && !strings.HasSuffix(before, "--") && len(before) > 1:
		return false
	case strings.HasPrefix(behind, "-") && !strings.HasPrefix(behind, "--") && len(behind) > 1:
		return false
	}
	return true
}

func isNameByte(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z' || c >= 0x80
}

// holdsWord reports whether a text contains a name as a whole word.
func holdsWord(body, word string) bool {
	for at := range findWord(body, word) {
		if isWhole(body, word, at) {
			return true
		}
	}
	return false
}

// looksCalled reports whether a text contains a name before or after a parenthesis, or as a tag. If
// there are other facts, a bare word is too weak.
func looksCalled(body, word string) bool {
	const mostBlanks = 8
	for at := range findWord(body, word) {
		end := at + len(word)
		behind := strings.TrimLeft(body[end:min(len(body), end+mostBlanks+1)], " ")
		if strings.HasPrefix(behind, "(") || at > 0 && strings.IndexByte("(<|", body[at-1]) >= 0 {
			return true
		}
	}
	return false
}

// usedInPage reports whether a component contains a name in a part that no parser reads. In a page,
// it also looks at attributes and at the braces of templates.
func usedInPage(language, body, word string) bool {
	parts := markup.Read(language, []byte(body))
	for _, r := range parts.Unread {
		if holdsWord(body[r.Start:r.End], word) {
			return true
		}
	}
	if !lang.Named(language).IsPage {
		return false
	}
	known := parts.Programs()
	for at := range findWord(body, word) {
		if slices.ContainsFunc(known, func(p *markup.Program) bool {
			return p.Holds(markup.Range{Start: at, End: at + len(word)})
		}) {
			continue
		}
		before := body[max(0, at-maxBefore):at]
		inTag := strings.LastIndexByte(before, '<') > strings.LastIndexByte(before, '>')
		inBraces := strings.LastIndexByte(before, '{') > strings.LastIndexByte(before, '}')
		if (inTag || inBraces) && isWhole(body, word, at) {
			return true
		}
	}
	return false
}

// maxBefore bounds the bytes before a name in which a tag or a brace is looked for.
const maxBefore = 2000

// isCode reports whether the language of a file has programs or templates.
func isCode(f doc.ListedFile) bool { return lang.Of(f.Path, nil).Code }
