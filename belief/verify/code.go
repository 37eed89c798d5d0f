package verify

import (
	"context"
	"database/sql"
	"errors"
	"strings"
	"unicode"
	"unicode/utf8"

	"patina/belief"
	"patina/code/lang"
	"patina/internal/lazyregexp"
	"patina/store"
	"patina/store/doc"
	"patina/store/format"
)

// A codeFile is a file with its symbols.
type codeFile struct {
	key            int64
	path, language string
	entries        []doc.Entry
	facts          format.FileFacts
}

// eachFile calls f with the view's code files, by path.
func (s *source) eachFile(ctx context.Context, f func(codeFile) error) error {
	const query = `SELECT key, path, language, entries, facts FROM file WHERE kind = 'code' ORDER BY path`
	rows, err := s.Reader.Query(ctx, query)
	if err != nil {
		return store.Damaged(err)
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var x codeFile
		var entries, facts sql.RawBytes // valid only until the next row
		if err := rows.Scan(&x.key, &x.path, &x.language, &entries, &facts); err != nil {
			return store.Damaged(err)
		}
		if !s.snapshot.Members.Has(x.key) {
			continue
		}
		if x.entries, err = format.DecodeEntries(entries); err != nil {
			return err
		}
		if x.facts, err = format.DecodeFacts(facts); err != nil {
			return err
		}
		if err := f(x); err != nil {
			return err
		}
	}
	return store.Damaged(rows.Err())
}

func functionFacts(ctx context.Context, s *source, row func(...any) error) error {
	return s.eachFile(ctx, func(f codeFile) error {
		for _, e := range f.entries {
			if e.Sort != doc.Function && e.Sort != doc.Method {
				continue
			}
			container, name := splitSymbol(e.Name)
			before := modifiersOf(e.Title, name)
			if err := row(f.path, name, container, e.Line, belief.Clip(e.Title), asynchronous().MatchString(before),
				unsafely().MatchString(before), isPublic(f.language, name, before)); err != nil {
				return err
			}
		}
		return nil
	})
}

var (
	asynchronous = lazyregexp.New(`\basync\b`)
	unsafely     = lazyregexp.New(`\bunsafe\b`)
	published    = lazyregexp.New(`\b(pub|public|export)\b`)
)

// splitSymbol splits a symbol's name into its container and its own name. The number that
// distinguishes equal names is dropped.
func splitSymbol(name string) (container, own string) {
	own = doc.BareName(name)
	if i := strings.LastIndexByte(own, '.'); i >= 0 {
		return own[:i], own[i+1:]
	}
	return "", own
}

// modifiersOf returns the part of a signature before the name.
func modifiersOf(signature, name string) string {
	for at := 0; ; {
		i := strings.Index(signature[at:], name)
		if i < 0 || name == "" {
			return ""
		}
		if i += at; i == 0 || !wordEnd(signature[:i]) {
			return signature[:i]
		}
		at = i + len(name)
	}
}

// wordEnd reports whether a text ends inside a word.
func wordEnd(s string) bool {
	r, _ := utf8.DecodeLastRuneInString(s)
	return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r)
}

// isPublic reports whether a function is visible outside its module, by the rules of its language.
func isPublic(language, name, before string) bool {
	r, _ := utf8.DecodeRuneInString(name)
	if l := lang.Named(language); l.Exports != nil {
		return l.Exports(r)
	}
	return published().MatchString(before)
}

func importFacts(ctx context.Context, s *source, row func(...any) error) error {
	return s.eachFile(ctx, func(f codeFile) error {
		for _, i := range f.facts.Imports {
			if err := row(f.path, belief.Clip(i)); err != nil {
				return err
			}
		}
		return nil
	})
}

func callGraph(ctx context.Context, s *source, row func(...any) error) error {
	return s.eachFile(ctx, func(f codeFile) error {
		for _, c := range f.facts.Calls {
			caller := ""
			if c.Caller >= 0 && c.Caller < len(f.entries) {
				_, caller = splitSymbol(f.entries[c.Caller].Name)
			}
			if err := row(caller, belief.Clip(c.Name), f.path, c.Line); err != nil {
				return err
			}
		}
		return nil
	})
}

// codeSearch adds a row for every symbol, with its text.
func codeSearch(ctx context.Context, s *source, row func(...any) error) error {
	return s.eachFile(ctx, func(f codeFile) error {
		text, err := s.Reader.Text(ctx, f.key)
		if errors.Is(err, sql.ErrNoRows) {
			return nil
		}
		if err != nil {
			return err
		}
		lines := strings.SplitAfter(text, "\n")
		for _, e := range f.entries {
			first, last := min(max(e.First, 1)-1, len(lines)), min(e.Last, len(lines))
			context := strings.Join(lines[first:max(first, last)], "")
			if err := row(f.path, doc.BareName(e.Name), string(e.Sort), e.Line, belief.Clip(context)); err != nil {
				return err
			}
		}
		return nil
	})
}
