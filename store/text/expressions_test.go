package text

import (
	"regexp"
	"testing"
)

// What is compiled late must be an expression all the same.
func TestLazyExpressionsCompile(t *testing.T) {
	all := []func() *regexp.Regexp{
		pathForm, nameForm, headingForm, envHeading, stockHeading, envLine, errLine, promptIn, placeholder, traceHead,
	}
	for _, f := range frameForms {
		all = append(all, f.form)
	}
	for _, expression := range all {
		if expression() == nil {
			t.Error("not compiled")
		}
	}
}
