package deliver

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"
	"sync"
	"text/template"
	"text/template/parse"

	"patina/actors"
)

// What a template may cost: it may have been copied from somewhere, and its loops have no end of
// their own.
const (
	maxTemplate = 10 << 10 // bytes of a template
	maxMade     = 64 << 10 // bytes that it makes of one result, and that a function of it returns
	maxSteps    = 10_000   // turns of its loops and calls of its parts for one result
)

// A Template is a form of results that a user has written.
type Template struct {
	text string
	t    *template.Template
}

// ParseTemplate reads a template of Go's text/template over the result objects of the JSON:
// {{.path}}, {{.score}}.
func ParseTemplate(text string) (*Template, error) {
	if len(text) > maxTemplate {
		return nil, fmt.Errorf("read template %q: over %d bytes", head(text, 60)+ellipsis, maxTemplate)
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

// Format writes a line a result by a template.
func Format(w io.Writer, a *actors.Answer, t *Template, o Options) error {
	var all strings.Builder
	for _, r := range Found(a) {
		fields, err := templateFields(result(a.QueryID, r, o))
		if err != nil {
			return err
		}
		var b shortText
		if err := t.t.Funcs(steps(maxSteps)).Execute(&b, fields); err != nil {
			return fmt.Errorf("apply template %q: %w", t.text, err)
		}
		all.WriteString(OneLine(strings.TrimSuffix(b.String(), "\n")) + "\n")
	}
	_, err := io.WriteString(w, all.String())
	return err
}

// templateFields are the fields of a result under the names that JSON gives them, each always
// there. Whole numbers are ints, so that %d and comparisons work.
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
	return fields, nil
}

var errMade = fmt.Errorf("it makes over %d bytes", maxMade)

// A shortText refuses what goes beyond maxMade bytes.
type shortText struct{ strings.Builder }

func (b *shortText) Write(p []byte) (int, error) {
	if b.Len()+len(p) > maxMade {
		return 0, errMade
	}
	return b.Builder.Write(p)
}

// steps is the function that every loop and every part of a template calls; it fails after n calls.
func steps(n int) template.FuncMap {
	return template.FuncMap{stepName: func() (string, error) {
		if n--; n < 0 {
			return "", fmt.Errorf("it takes over %d steps", maxSteps)
		}
		return "", nil
	}}
}

const stepName = "_step"

// meter makes a part of a template, and each loop in it, call the function that counts steps.
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

// stepNode is the call that counts.
func stepNode() parse.Node {
	t := template.Must(template.New("").Funcs(steps(0)).Parse("{{" + stepName + "}}"))
	return t.Root.Nodes[0]
}

// bounded are the functions of text/template that make texts, for arguments and widths within
// bounds.
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

// wide finds the widths that would make a text long by themselves.
var wide = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`%[^a-zA-Z%]*([0-9]{4}|\*)`) })

// made is what f makes, unless that or what it is made of is too much.
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
