package deliver

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"text/template"
	"text/template/parse"

	"patina/actors/api"
	"patina/cmd/internal/layout"
	"patina/internal/lazyregexp"
)

// The bounds of a template. It may be copied from anywhere, and its loops may not end.
const (
	maxTemplate = 10 << 10 // bytes in a template
	maxMade     = 64 << 10 // bytes printed for one result, and returned by any function
	maxSteps    = 10_000   // turns of loops and calls of parts for one result
)

// A Template is a user's own format for results.
type Template struct {
	text string
	t    *template.Template
}

// ParseTemplate parses a Go text/template over the result objects in the JSON: {{.path}},
// {{.score}}.
func ParseTemplate(text string) (*Template, error) {
	if len(text) > maxTemplate {
		return nil, fmt.Errorf("read template %q: over %d bytes", layout.Head(text, 60)+layout.Ellipsis, maxTemplate)
	}
	t, err := template.New("format").Option("missingkey=error").Funcs(bounded).Funcs(steps(0)).Parse(text)
	if err != nil {
		return nil, fmt.Errorf("read template %q: %w", text, err)
	}
	for _, part := range t.Templates() {
		meter(part.Tree.Root)
	}
	return &Template{text, t}, nil
}

// Format writes one line a result by a template, which must not be nil.
func Format(w io.Writer, a *api.Answer, t *Template, o Options) error {
	var all strings.Builder
	for _, r := range a.Relevant() {
		fields, err := templateFields(result(a.QueryID, r, o))
		if err != nil {
			return err
		}
		var b shortText
		if err := t.t.Funcs(steps(maxSteps)).Execute(&b, fields); err != nil {
			return fmt.Errorf("apply template %q: %w", t.text, err)
		}
		all.WriteString(layout.OneLine(strings.TrimSuffix(b.String(), "\n")) + "\n")
	}
	_, err := io.WriteString(w, all.String())
	return err
}

// templateFields returns a result's fields under their JSON names. No field is ever absent, and
// whole numbers are ints, so that %d and comparisons work.
func templateFields(r jsonResult) (map[string]any, error) {
	text, err := json.Marshal(r)
	if err != nil {
		return nil, fmt.Errorf("write JSON: %w", err)
	}
	fields := make(map[string]any)
	if err := json.Unmarshal(text, &fields); err != nil {
		return nil, fmt.Errorf("read JSON: %w", err)
	}
	fields["sha"], fields["rank"], fields["line_start"], fields["line_end"] = r.SHA, r.Rank, r.LineStart, r.LineEnd
	fields["line"] = r.Line
	return fields, nil
}

var errMade = fmt.Errorf("it makes over %d bytes", maxMade)

// A shortText holds at most maxMade bytes and returns an error for more.
type shortText struct{ strings.Builder }

func (b *shortText) Write(p []byte) (int, error) {
	if b.Len()+len(p) > maxMade {
		return 0, errMade
	}
	return b.Builder.Write(p)
}

// steps returns the function that every loop and part of a template calls. It fails after n calls.
func steps(n int) template.FuncMap {
	return template.FuncMap{stepName: func() (string, error) {
		if n--; n < 0 {
			return "", fmt.Errorf("it takes over %d steps", maxSteps)
		}
		return "", nil
	}}
}

const stepName = "_step"

// meter inserts a call to the counting function into a part and into each loop within it.
func meter(list *parse.ListNode) {
	if list == nil {
		return
	}
	for _, n := range list.Nodes {
		switch n := n.(type) {
		case *parse.IfNode:
			meterIn(&n.BranchNode)
		case *parse.WithNode:
			meterIn(&n.BranchNode)
		case *parse.RangeNode:
			meterIn(&n.BranchNode)
		}
	}
	list.Nodes = append([]parse.Node{stepNode()}, list.Nodes...)
}

func meterIn(n *parse.BranchNode) {
	meter(n.List)
	meter(n.ElseList)
}

// stepNode returns the call to the counting function.
func stepNode() parse.Node {
	t := template.Must(template.New("").Funcs(steps(0)).Parse("{{" + stepName + "}}"))
	return t.Root.Nodes[0]
}

// bounded replaces the functions of text/template that make text. It bounds their arguments and
// widths.
var bounded = template.FuncMap{
	"print":   func(args ...any) (string, error) { return made(args, func() string { return fmt.Sprint(args...) }) },
	"println": func(args ...any) (string, error) { return made(args, func() string { return fmt.Sprintln(args...) }) },
	"html": func(args ...any) (string, error) {
		return made(args, func() string { return template.HTMLEscaper(args...) })
	},
	"js": func(args ...any) (string, error) {
		return made(args, func() string { return template.JSEscaper(args...) })
	},
	"urlquery": func(args ...any) (string, error) {
		return made(args, func() string { return template.URLQueryEscaper(args...) })
	},
	"printf": func(form string, args ...any) (string, error) {
		if wide().MatchString(form) {
			return "", errors.New("it makes too wide columns")
		}
		return made(append([]any{form}, args...), func() string { return fmt.Sprintf(form, args...) })
	},
}

// wide matches widths that alone make a text long.
var wide = lazyregexp.New(`%[^a-zA-Z%]*([0-9]{4}|\*)`)

// made calls f, unless its arguments are too long. It returns errMade if they or the result are.
func made(args []any, f func() string) (string, error) {
	n := 0
	for _, a := range args {
		if s, ok := a.(string); ok {
			n += len(s)
		}
	}
	if n > maxMade {
		return "", errMade
	}
	s := f()
	if len(s) > maxMade {
		return "", errMade
	}
	return s, nil
}
