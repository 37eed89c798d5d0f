package print

import (
	"errors"
	"slices"

	"patina/actors/api"
	"patina/ask"
	"patina/cmd/internal/cli"
	"patina/cmd/internal/deliver"
	"patina/store/doc"
)

// A Listing is a form of an answer for other programs, with one line a result. At most one form may
// be chosen.
type Listing struct {
	Symbols, Vimgrep, Paths bool
	NUL                     bool // with Paths: each ends with NUL
	Format                  string
	template                *deliver.Template // parsed from Format
}

const fieldsHint = `the fields are those of a result of --json: --format '{{.path}}:{{.line_start}} {{.symbol}}'`

// Flag returns the flag for the chosen form, or "" if the form is text.
func (l *Listing) Flag() string {
	switch {
	case l.Symbols:
		return "--symbols"
	case l.Vimgrep:
		return "--vimgrep"
	case l.Paths:
		return "-l"
	case l.Format != "":
		return "--format"
	}
	return ""
}

// Kinds returns the kinds that the form can show, or nil for all. Kinds made of rows, such as
// commits, have no path and no line.
func (l *Listing) Kinds() []doc.Kind {
	switch {
	case l.Symbols:
		return []doc.Kind{doc.Code}
	case l.Paths, l.Vimgrep:
		return slices.DeleteFunc(doc.Kinds(), func(k doc.Kind) bool { return k.Traits().Shape >= doc.OfRows })
	}
	return nil
}

// Check parses the template. It returns an error if more than one form is chosen, JSON included. It
// must be called before an answer is printed.
func (l *Listing) Check(asJSON bool) (err error) {
	given := 0
	for _, on := range []bool{asJSON, l.Symbols, l.Vimgrep, l.Paths, l.Format != ""} {
		if on {
			given++
		}
	}
	switch {
	case given > 1:
		return cli.Hint(errors.New("more than one form of the answer"),
			"give one of --json, --symbols, --vimgrep, -l, --format")
	case l.NUL && !l.Paths:
		return cli.Hint(errors.New("-0 without -l"),
			"-0 ends the paths of -l with NUL: patina scry -l0 QUESTION | xargs -0 …")
	}
	if l.Format != "" {
		if l.template, err = deliver.ParseTemplate(l.Format); err != nil {
			return cli.Hint(err, fieldsHint)
		}
	}
	return nil
}

// printListing prints an answer in the chosen form. Channels without an answer are named on
// standard error.
func (p *Printer) printListing(f *ask.Found, o deliver.Options) error {
	for _, text := range []string{deliver.Incomplete(f.Answer, o.Visits), deliver.Missing(f.Answer)} {
		if text != "" {
			p.Warn("%s", text)
		}
	}
	switch {
	case p.List.Paths:
		return deliver.Paths(p.Out, f.Answer, p.List.NUL)
	case p.List.Format != "":
		if err := deliver.Format(p.Out, f.Answer, p.List.template, o); err != nil {
			return cli.Hint(err, fieldsHint)
		}
		return nil
	case p.List.Vimgrep:
		return deliver.Vimgrep(p.Out, f.Answer,
			func(path string, n int) (string, error) { return f.Starts[api.Line{Path: path, Number: n}], nil })
	}
	return deliver.Symbols(p.Out, f.Symbols)
}
