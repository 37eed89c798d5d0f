package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"patina/cmd/internal/cli"
)

// The bounds of the surface for a new user: the commands in the help, without those below node, and
// the flags of scry. The commands below node are for whoever runs several machines.
const (
	mostCommands  = 63 // model has seven (how one is added, and its choice), index five
	mostOfNode    = 16
	mostScryFlags = 16
	mostLines     = 46
)

// deeds are the verbs that may begin a page of help.
var deeds = strings.Fields(`Add Answer Ask Believe Bring Change Choose Compare Count Draw Examine Find Keep Let Link List Measure Move
	Never Prepare Print Propose Put Read Remove Say Search Serve Show Suggest Take Write Run`)

// allCommands returns a command and all commands below it, including hidden ones, with the flags
// that cobra adds.
func allCommands(c *cobra.Command) []*cobra.Command {
	c.InitDefaultHelpFlag()
	c.InitDefaultVersionFlag()
	all := []*cobra.Command{c}
	for _, sub := range c.Commands() {
		all = append(all, allCommands(sub)...)
	}
	return all
}

// isShown reports whether the help leads to a command.
func isShown(c *cobra.Command) bool {
	for ; c.HasParent(); c = c.Parent() {
		if c.Hidden {
			return false
		}
	}
	return true
}

func TestSurfaceIsSmall(t *testing.T) {
	root := (&app{new(cli.App)}).rootFor(nil)
	var shown, ofNode []string
	for _, c := range allCommands(root) {
		switch {
		case c == root || !isShown(c):
		case strings.HasPrefix(c.CommandPath(), "patina node "):
			ofNode = append(ofNode, c.CommandPath())
		default:
			shown = append(shown, c.CommandPath())
		}
	}
	if len(ofNode) > mostOfNode {
		t.Errorf("%d commands are shown below node, at most %d may:\n%s", len(ofNode), mostOfNode, strings.Join(ofNode, "\n"))
	}
	if len(shown) > mostCommands {
		t.Errorf("%d commands are shown, at most %d may:\n%s", len(shown), mostCommands, strings.Join(shown, "\n"))
	}
	scry, _, err := root.Find([]string{"scry"})
	if err != nil {
		t.Fatal(err)
	}
	var flags []string
	for _, set := range []*pflag.FlagSet{scry.LocalFlags(), scry.InheritedFlags()} {
		set.VisitAll(func(f *pflag.Flag) {
			if !f.Hidden {
				flags = append(flags, f.Name)
			}
		})
	}
	if len(flags) > mostScryFlags {
		t.Errorf("scry shows %d flags, at most %d may: %q", len(flags), mostScryFlags, flags)
	}
}

// Every page of help must fit a screen, say first what a person does, and have a call to copy.
func TestHelpFitsAScreen(t *testing.T) {
	for _, c := range allCommands((&app{new(cli.App)}).rootFor(nil)) {
		page := helpOf(t, c)
		lines := strings.Split(strings.TrimSuffix(page, "\n"), "\n")
		if len(lines) > mostLines {
			t.Errorf("%s: %d lines of help, at most %d may be", c.CommandPath(), len(lines), mostLines)
		}
		hasCall := false
		for i, line := range lines {
			if n := utf8.RuneCountInString(line); n > helpColumns {
				t.Errorf("%s: line %d of the help has %d columns: %s", c.CommandPath(), i+1, n, line)
			}
			hasCall = hasCall || strings.HasPrefix(line, "  ") && strings.Contains(line, "patina ")
		}
		if !hasCall {
			t.Errorf("%s: the help has no call to copy:\n%s", c.CommandPath(), page)
		}
		if first := strings.TrimSuffix(strings.Fields(page)[0], ","); !slices.Contains(deeds, first) {
			t.Errorf("%s: the help begins with %q, not with what a person does", c.CommandPath(), lines[0])
		}
	}
}

// Every command and flag of the previous version still exists. Most are hidden.
func TestEarlierCommandsAndFlagsAreThere(t *testing.T) {
	b, err := os.ReadFile(filepath.Join("testdata", "earlier.txt"))
	if err != nil {
		t.Fatal(err)
	}
	root := (&app{new(cli.App)}).rootFor(nil)
	allCommands(root)
	commands, flags := 0, 0
	for line := range strings.Lines(string(b)) {
		var words []string
		var c *cobra.Command
		for _, word := range strings.Fields(line) {
			if !strings.HasPrefix(word, "-") {
				words = append(words, word)
				continue
			}
			if c == nil {
				if c, _, err = root.Find(words); err != nil ||
					c.CommandPath() != strings.TrimSpace("patina "+strings.Join(words, " ")) {
					t.Fatalf("no command %q: %v", words, err)
				}
				commands++
			}
			name, isLong := strings.CutPrefix(word, "--")
			flag := c.Flag(name)
			if !isLong {
				flag = c.Flags().ShorthandLookup(word[1:])
			}
			if flag == nil {
				t.Errorf("%s has no flag %s", c.CommandPath(), word)
			}
			flags++
		}
	}
	if commands < 75 || flags < 330 {
		t.Errorf("%d commands, %d flags: the list has lost some", commands, flags)
	}
}

var (
	shownCall = regexp.MustCompile(`(?m)^ {2}(?:[A-Z]+=\S+ )?patina (.*)$`)
	callEnd   = regexp.MustCompile(` +(#.*|[|<>].*|\\)$|\).*$`)
)

// What the help shows as a call is one: its command exists, and takes its flags and arguments.
func TestHelpShowsCallsThatParse(t *testing.T) {
	calls := 0
	for _, c := range allCommands((&app{new(cli.App)}).rootFor(nil)) {
		for _, m := range shownCall.FindAllStringSubmatch(c.Long+"\n"+c.Example, -1) {
			call := strings.ReplaceAll(callEnd.ReplaceAllString(m[1], ""), `"`, "'")
			words := wordsOf(call, nil)
			if !c.HasParent() { // a table
				continue
			}
			root := (&app{new(cli.App)}).rootFor(nil)
			allCommands(root)
			found, rest, err := root.Find(words)
			if err == nil {
				err = found.ParseFlags(rest)
			}
			if err == nil {
				err = found.ValidateArgs(found.Flags().Args())
			}
			if err == nil {
				err = found.ValidateFlagGroups()
			}
			if err != nil || found == root {
				t.Errorf("the help of %s shows patina %s: %v", c.CommandPath(), call, err)
			}
			calls++
		}
	}
	if calls < 150 {
		t.Errorf("%d calls", calls)
	}
}
