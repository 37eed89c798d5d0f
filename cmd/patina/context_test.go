package main

import (
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"patina/cmd/internal/cli"
	"patina/cmd/internal/dialect"
)

// The help of a command says what a person does, followed by the text for agents from package
// dialect.
func TestHelpHoldsHowToolsAreDescribed(t *testing.T) {
	root := (&app{new(cli.App)}).rootFor(nil)
	for name, text := range map[string]string{
		"scry": dialect.ScryTool, "context": dialect.ContextTool,
		"assay": dialect.AssayTool, "memory add": dialect.RememberTool,
	} {
		c, _, err := root.Find(strings.Fields(name))
		if err != nil {
			t.Fatal(err)
		}
		if page := oneLine(helpOf(t, c)); !strings.Contains(page, oneLine("For agents: "+text)) {
			t.Errorf("the help of %s is\n%s\nand lacks %q", name, page, text)
		}
		if chosen := name == "scry" || name == "context"; chosen != strings.Contains(text, "USE THIS") {
			t.Errorf("%s says when to use it: %v", name, !chosen)
		}
	}
}

// oneLine joins the words of a text.
func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// helpOf returns the output of "--help".
func helpOf(t *testing.T, c *cobra.Command) string {
	t.Helper()
	c.InitDefaultHelpFlag()
	var b strings.Builder
	if err := writeHelp(&b, c); err != nil {
		t.Fatal(err)
	}
	return b.String()
}
