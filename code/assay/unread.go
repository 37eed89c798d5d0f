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
	"patina/code/lang"
	"patina/code/xref"
	"patina/scrape/markup"
	"patina/scrape/syntax"
	"patina/store"
	"patina/store/doc"
	"patina/store/format"
	"patina/store/text"
)

// unusedEnds are the ends of files of no language whose texts hold names without using them.
var unusedEnds = text.Set(`.po .pot .snap .patch .diff .lock .map .adoc .asciidoc .org .sum .out .orig .rej .license .txt`)

// maxUnread bounds the texts that one question reads for a name. What is behind it counts as if it
// held the name, which its posting lists say.
const maxUnread = 300

// addUnread adds the languages of the files that hold a name of the question and that no parser
// reads for it: whether they use what it means is not known.
func addUnread(ctx context.Context, r *store.Reader, snap *store.Snapshot, out *Facts, files []doc.ListedFile) error {
	if out.Type == "importers" && len(out.Facts) > 0 {
		return nil // a path is of common words
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

// addGenerated adds the languages of generated files that hold a name of the question. The scrape
// keeps the names that they define, and no words of them.
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
		if err == nil && class&doc.Generated != 0 && class&doc.PathOnly == 0 && snap.Members.Has(f.key) && syntax.Knows(f.language) {
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

// usesName reports whether a text uses a name that it does not merely define, or may.
func usesName(language, body, word string) bool {
	if !holdsWord(body, word) {
		return false
	}
	list, _, err := syntax.Uses(language, []byte(body), word)
	return err != nil || slices.ContainsFunc(list, func(u syntax.Use) bool { return u.As != syntax.Defines })
}

// proseKeys are the keys of files of prose with components in them.
func proseKeys(files []doc.ListedFile) (keys []int64) {
	for _, f := range files {
		if strings.HasSuffix(f.Path, ".mdx") {
			keys = append(keys, f.Key)
		}
	}
	return keys
}

// unreadName returns the name under which a file that no parser reads is reported, "" for one that
// uses no names. all says that configuration counts.
func unreadName(f doc.ListedFile, all bool) string {
	end, l := strings.ToLower(path.Ext(f.Path)), lang.Named(f.Language)
	switch {
	case end == ".mdx":
		return "MDX"
	case f.Language == "":
		base := path.Base(f.Path)
		if unusedEnds[end] || strings.HasPrefix(base, ".git") || strings.HasSuffix(base, "ignore") || end == base && !all || end == "" && (strings.ToUpper(base) == base || !all) {
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

// halfRead adds the languages of files that hold a name outside of what was read: those that were
// too costly to parse, and components and pages with templates that no grammar reads.
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
		if _, _, err = syntax.Uses(f.language, []byte(body), word); errors.Is(err, syntax.ErrTooCostly) || markup.Knows(f.language) && usedInPage(f.language, body, word) {
			out.Unknown = append(out.Unknown, f.language)
		}
	}
	return nil
}

// hasFacts reports whether a scrape has found anything in a file.
func hasFacts(encoded []byte) bool {
	const fewest = 64 // bytes; the facts of a file without any have less
	if len(encoded) >= fewest {
		return true
	}
	f, err := format.DecodeFacts(encoded)
	return err == nil && len(f.Calls)+len(f.Imports)+len(f.Bindings)+len(f.Typed) > 0
}

// readText returns the text of a file, "" of one that is known by its path alone.
func readText(ctx context.Context, r *store.Reader, key int64) (string, error) {
	body, err := r.Text(ctx, key)
	if errors.Is(err, sql.ErrNoRows) {
		return "", nil
	}
	return body, err
}

// wordsOfUse returns the words that a use of what the question means would hold.
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
		if xref.IsIndex(f.Path) {
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

// mostWords bounds the names of one question that are looked for.
const mostWords = 10

// findWord yields the places of a name in a text.
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

// isWhole reports whether no letter, digit or hyphen continues the name at a place of a text.
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

// holdsWord reports whether a text holds a name whole.
func holdsWord(body, word string) bool {
	for at := range findWord(body, word) {
		if isWhole(body, word, at) {
			return true
		}
	}
	return false
}

// looksCalled reports whether a text holds a name before or behind a parenthesis, or as a tag.
// Beside other facts a mere word says little.
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

// usedInPage reports whether a component holds a name in a template or a script that is not read.
// In a page it may also be in an attribute or in the braces of a template.
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
		if slices.ContainsFunc(known, func(p *markup.Program) bool { return p.Holds(markup.Range{Start: at, End: at + len(word)}) }) {
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

// maxBefore bounds the look for a tag or a brace before a name.
const maxBefore = 2000

// isCode reports whether a file is written in a language of programs or templates.
func isCode(f doc.ListedFile) bool { return lang.Of(f.Path, nil).Code }
