package main

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"patina/actors"
	"patina/cmd/internal/cli"
	"patina/cmd/internal/deliver"
	"patina/store"
	"patina/store/lookup"
)

// listingFlags are the forms of an answer for other programs. At most one is given.
type listingFlags struct {
	symbols, vimgrep, paths, nul bool
	format                       string
	template                     *deliver.Template // parsed from format
}

const fieldsHint = `the fields are those of a result of --json: --format '{{.path}}:{{.line_start}} {{.symbol}}'`

// listing returns the flag for the requested form, or "".
func (s *scrying) listing() string {
	switch l := s.list; {
	case l.symbols:
		return "--symbols"
	case l.vimgrep:
		return "--vimgrep"
	case l.paths:
		return "-l"
	case l.format != "":
		return "--format"
	}
	return ""
}

// listedKinds returns the kinds for the requested form; nil for all. Rows, such as commits, have no
// path and no line.
func (s *scrying) listedKinds() []store.Kind {
	switch {
	case s.list.symbols:
		return []store.Kind{store.Code}
	case s.list.paths, s.list.vimgrep:
		return slices.DeleteFunc(store.Kinds(), func(k store.Kind) bool { return k.Traits().Shape >= store.OfRows })
	}
	return nil
}

// checkForm refuses more than one form.
func (s *scrying) checkForm() (err error) {
	var given []string
	for name, on := range map[string]bool{
		"--json": s.asJSON, "--symbols": s.list.symbols, "--vimgrep": s.list.vimgrep, "-l": s.list.paths, "--format": s.list.format != "",
	} {
		if on {
			given = append(given, name)
		}
	}
	switch {
	case len(given) > 1:
		return cli.Hint(errors.New("more than one form of the answer"), "give one of --json, --symbols, --vimgrep, -l, --format")
	case s.list.nul && !s.list.paths:
		return cli.Hint(errors.New("-0 without -l"), "-0 ends the paths of -l with NUL: patina scry -l0 QUESTION | xargs -0 …")
	}
	if s.list.format != "" {
		if s.list.template, err = deliver.ParseTemplate(s.list.format); err != nil {
			return cli.Hint(err, fieldsHint)
		}
	}
	return nil
}

// noListing refuses forms that only an answer has.
func (s *scrying) noListing(where string) error {
	if form := s.listing(); form != "" {
		return cli.Hint(fmt.Errorf("unexpected %s beside %s", form, where), "an answer to a question has that form; here --json is for programs")
	}
	return nil
}

// listed prints an answer in the requested form. Standard error names channels without an answer,
// and says if the index is behind.
func (s *scrying) listed(ctx context.Context, e actors.Service, a *actors.Answer, o deliver.Options) error {
	for _, text := range []string{deliver.Incomplete(a, o.Visits), deliver.Missing(a)} {
		if text != "" {
			s.Warn("%s", text)
		}
	}
	s.told = false // it goes to standard error, too
	switch {
	case s.list.paths:
		return deliver.Paths(s.Out, a, s.list.nul)
	case s.list.format != "":
		if err := deliver.Format(s.Out, a, s.list.template, o); err != nil {
			return cli.Hint(err, fieldsHint)
		}
		return nil
	}
	if s.list.vimgrep {
		return s.vimgrep(ctx, e, a)
	}
	found, err := e.Symbols(ctx, actors.SymbolsRequest{ReadOptions: afterwards, Symbols: symbolsOf(a)})
	if err != nil {
		return err
	}
	return deliver.Symbols(s.Out, found.Symbols)
}

// vimgrep prints each result's first line.
func (s *scrying) vimgrep(ctx context.Context, e actors.Service, a *actors.Answer) error {
	var at []actors.Line
	for _, r := range deliver.Found(a) {
		at = append(at, actors.Line{Path: r.Path, Number: max(r.First, 1)})
	}
	found, err := e.Lines(ctx, actors.LinesRequest{ReadOptions: afterwards, Lines: at})
	if err != nil {
		return err
	}
	texts := map[actors.Line]string{}
	for i, l := range at {
		texts[l] = found.Texts[i]
	}
	return deliver.Vimgrep(s.Out, a, func(path string, n int) (string, error) { return texts[actors.Line{Path: path, Number: n}], nil })
}

// symbolsOf returns the symbols shown in the results, then the next best in their files.
func symbolsOf(a *actors.Answer) []lookup.Symbol {
	var first, others []lookup.Symbol
	for _, r := range deliver.Found(a) {
		if r.Kind != store.Code {
			continue
		}
		if r.Symbol != "" {
			first = append(first, lookup.Symbol{Path: r.Path, Name: r.Symbol})
		}
		for _, x := range r.Also {
			if x.Symbol != "" {
				others = append(others, lookup.Symbol{Path: r.Path, Name: x.Symbol})
			}
		}
	}
	return append(first, others...)
}

// refuse names the first given flag with no meaning in where.
func refuse(where string, changed func(string) bool, names ...string) error {
	for _, n := range names {
		if changed(n) {
			return cli.Hint(fmt.Errorf("unexpected --%s beside %s", n, where), "it goes with a question")
		}
	}
	return nil
}
