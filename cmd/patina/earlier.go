package main

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"patina/ask"
	"patina/ask/project"
	"patina/cmd/internal/cli"
	"patina/cmd/internal/print"
	"patina/registry/querylog"
)

// looksUp reports whether the words and flags look something up in one project, without a question.
func (s *scryFlags) looksUp(args []string) bool {
	switch {
	case s.detail != "":
		return !querylog.IsID(s.detail) // the log knows the project
	case s.belief != "" || s.literal != "" || s.regex != "" || s.file != "":
		return true
	case len(args) == 0:
		return false
	}
	return len(args) == 1 && args[0] == "recent" || len(args) == 2 && (args[0] == "orient" || args[0] == "why")
}

// mode returns the form of an answer, as in the query log.
func (s *scryFlags) mode(args []string) string {
	switch {
	case s.detail != "":
		return "detail"
	case s.belief != "":
		return "belief"
	case s.literal != "" || s.regex != "":
		return "lines"
	case s.file != "":
		return "file"
	case len(args) == 1 && args[0] == "recent", len(args) == 2 && args[0] == "orient",
		len(args) > 1 && args[0] == "why":
		return args[0]
	}
	return "find"
}

// request returns the request for the words and flags.
func (s *scryFlags) request(c *cobra.Command, p project.Place, args []string) (ask.Request, error) {
	r := s.narrowed
	r.Fallback = s.list.Kinds()
	if c.Flags().Changed("rank") && s.detail == "" {
		return r, cli.Hint(errors.New("--rank without --detail"), "such as patina scry --detail q_260202143000_abc --rank 1")
	}
	switch s.mode(args) {
	case "detail":
		if err := s.noListing("--detail"); err != nil {
			return r, err
		}
		if c.Flags().Changed("rank") {
			args = append(args[:len(args):len(args)], strconv.Itoa(s.rank))
		}
		return documentRequest(r, "--detail", s.detail, args)
	case "belief":
		if err := s.noListing("--belief"); err != nil {
			return r, err
		}
		if len(args) > 0 {
			return r, cli.Hint(fmt.Errorf("unexpected %q beside --belief", args[0]),
				cli.Asking("to search beliefs: ", "--content-type beliefs "+strings.Join(args, " ")))
		}
		r.Form, r.Name = ask.Belief, s.belief
	case "lines":
		return s.matching(r, args)
	case "file":
		if err := s.noListing("--file"); err != nil {
			return r, err
		}
		if len(args) > 0 {
			return r, cli.Hint(fmt.Errorf("unexpected %q beside --file", args[0]), "want --file PATH alone")
		}
		r.Form, r.Name = ask.Neighbours, s.file
	case "recent":
		if err := errors.Join(s.noListing("recent"), refuse("recent", c.Flags().Changed, questionOnly...)); err != nil {
			return r, err
		}
		return recentRequest(r, s.days, c.Flags().Changed("days"))
	case "orient":
		return s.oriented(c, p, r, args)
	case "why":
		if s.list.Flag() != "" {
			return s.question(c, args)
		}
		return whyRequest(r, args[1:]), nil
	default:
		return s.question(c, args)
	}
	return r, nil
}

// matching returns the request for --literal or --regex.
func (s *scryFlags) matching(r ask.Request, args []string) (ask.Request, error) {
	flag := "--literal"
	if s.regex != "" {
		flag = "--regex"
	}
	switch {
	case s.literal != "" && s.regex != "":
		return r, cli.Hint(errors.New("--literal beside --regex"), "give one of them")
	case len(args) > 0:
		return r, cli.Hint(fmt.Errorf("unexpected %q beside %s", args[0], flag),
			"quote a text of several words: patina scry --literal 'cannot open file'",
			"a question can quote as well: patina scry 'where does \"cannot open file\" come from'")
	case len(r.Oracles) > 0:
		return r, cli.Hint(fmt.Errorf("--oracle beside %s", flag), "it reads the texts, and asks no oracle")
	}
	if _, err := regexp.Compile(s.regex); err != nil {
		return r, cli.Hint(fmt.Errorf("read --regex %q: %w", s.regex, err),
			print.SyntaxHint, "for the characters themselves: --literal")
	}
	return s.linesRequest(r, s.literal, s.regex), nil
}

// questionOnly lists the flags that need a question.
var questionOnly = []string{"content-type", "oracle", "explain", "strict"}

// oriented returns the request for an overview of a folder. If there is no such folder, it is a
// question.
func (s *scryFlags) oriented(c *cobra.Command, p project.Place, r ask.Request, args []string) (ask.Request, error) {
	folder, ok, err := p.Folder(args[1])
	if err != nil {
		return r, orAsked(err, args)
	}
	if !ok {
		s.Warn("no folder %q in this project: asked as a question", args[1])
		r, err = s.question(c, args)
		r.NoFolder = args[1]
		return r, err
	}
	r.Form, r.Name = ask.Orient, folder
	return r, errors.Join(s.noListing("orient"),
		refuse("orient "+folder, c.Flags().Changed, append([]string{"days"}, questionOnly...)...))
}

// noListing returns an error if a listing is chosen, because only answers to questions have that
// form.
func (s *scryFlags) noListing(where string) error {
	if form := s.list.Flag(); form != "" {
		return cli.Hint(fmt.Errorf("unexpected %s beside %s", form, where),
			"an answer to a question has that form; here --json is for programs")
	}
	return nil
}

// refuse returns an error for the first given flag that has no meaning in where.
func refuse(where string, changed func(string) bool, names ...string) error {
	for _, n := range names {
		if changed(n) {
			return cli.Hint(fmt.Errorf("unexpected --%s beside %s", n, where), "it goes with a question")
		}
	}
	return nil
}
