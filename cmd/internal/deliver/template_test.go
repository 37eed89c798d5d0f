package deliver

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"patina/cmd/internal/dialect"
)

// A template that would make gigabytes or loop for hours must fail with an error that names it, and
// print nothing.
func TestTemplatesAreBounded(t *testing.T) {
	double := `{{$x := .path}}` + strings.Repeat(`{{$x = print $x $x}}`, 64)
	for _, text := range []string{
		`{{printf "%1000000d" 1}}`, `{{printf "%*d" 1000000 1}}`, `{{printf "%.1000000f" 1.0}}`,
		`{{printf "%[1]1000000d" 1}}`,
		`{{range 1000000000}}{{end}}`, `{{range 100000}}{{range 100000}}{{end}}{{end}}`, `{{range 100000}}x{{end}}`,
		`{{with .path}}{{if .}}{{range 1000000000}}{{continue}}{{end}}{{end}}{{end}}`,
		`{{range 0}}{{else}}{{range 1000000000}}{{end}}{{end}}`,
		`{{define "x"}}{{if lt (len .) 60}}{{template "x" (print . "a")}}{{template "x" (print . "b")}}{{end}}{{end}}{{template "x" ""}}`,
		`{{define "x"}}{{template "x"}}{{end}}{{template "x"}}`,
		double, strings.ReplaceAll(double, "print $x $x", "println $x $x"),
		strings.ReplaceAll(double, "print $x $x", `printf "%s%s" $x $x`),
		strings.ReplaceAll(double, "print $x $x", "html $x $x"), strings.ReplaceAll(double, "print $x $x", "js $x $x"),
		strings.ReplaceAll(double, "print $x $x", "urlquery $x $x"),
		strings.Repeat("{{.path}}", maxTemplate),
	} {
		var b bytes.Buffer
		tmpl, err := ParseTemplate(text)
		if err == nil {
			err = Format(&b, sample(1), tmpl, Options{Dialect: dialect.CLI{}})
		}
		if err == nil || !strings.Contains(err.Error(), fmt.Sprintf("%q", text[:min(len(text), 60)])[:20]) ||
			b.Len() > 0 {
			t.Errorf("%.100s: %d bytes, error %.300v", text, b.Len(), err)
		}
	}
}

// Ordinary templates work as in any other Go program.
func TestTemplatesOfOrdinarySize(t *testing.T) {
	for text, want := range map[string]string{
		`{{printf "%-40s|%5d" .path .line_start}}`:                                         "src/retrieval/engine.rs                 |  120",
		`{{range $i, $a := .also}}{{if $i}},{{end}}{{$a.symbol}}:{{$a.line_start}}{{end}}`: "query:90,:300",
		`{{range .breadcrumbs}}{{.relation}} {{else}}none{{end}}`:                          "co-changes commit ",
		`{{define "x"}}<{{.}}>{{end}}{{template "x" .symbol}}{{print 1 2 "a" | len}}`:      "<query_with_options>4",
		`{{with .sha}}{{.}}{{else}}{{html "<a>"}}{{end}}`:                                  "&lt;a&gt;",
		`{{range 3}}{{.}}{{end}}`:                                                          "012",
	} {
		var b bytes.Buffer
		tmpl, err := ParseTemplate(text)
		if err == nil {
			err = Format(&b, sample(1), tmpl, Options{Dialect: dialect.CLI{}})
		}
		if err != nil || b.String() != want+"\n" {
			t.Errorf("%s: %q, %v; want %q", text, b.String(), err, want)
		}
	}
}
