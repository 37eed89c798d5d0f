package text

import (
	"regexp"
	"testing"
)

// An expression that is compiled on first use must compile, too.
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
