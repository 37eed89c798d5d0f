package main

import (
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"patina/cmd/internal/cli"
	"patina/cmd/internal/dialect"
)

// The help of a command begins with the text by which an agent chooses it, from the one place where
// other front ends take it.
func TestHelpBeginsAsToolsAreDescribed(t *testing.T) {
	root := (&app{new(cli.App)}).rootFor(nil)
	for name, text := range map[string]string{"scry": dialect.ScryTool, "context": dialect.ContextTool} {
		c, _, err := root.Find([]string{name})
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasPrefix(c.Long, text+"\n\n") || !strings.HasPrefix(helpOf(c), text) {
			t.Errorf("the help of %s begins with %.80q", name, helpOf(c))
		}
		if !strings.Contains(text, "USE THIS") {
			t.Errorf("%s does not say when to use it", name)
		}
	}
}

// helpOf is what "--help" prints.
func helpOf(c *cobra.Command) string {
	var b strings.Builder
	c.SetOut(&b)
	_ = c.Help()
	return b.String()
}
