package serve

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"patina/ask"
	"patina/ask/project"
	"patina/cmd/internal/cli"
	"patina/cmd/internal/dialect"
	"patina/cmd/internal/mcp"
	"patina/cmd/internal/memorycmd"
	"patina/cmd/internal/mothercmd"
	"patina/cmd/internal/print"
	"patina/registry/querylog"
)

// scryModes are the modes of scry.
var scryModes = []string{
	"find", "full", "detail", "why", "orient", "recent", "file", "literal", "regex", "recall", "inject", "feedback",
}

// modeOf returns the mode of a call. Printed calls name their mode. For other calls the arguments
// decide.
func modeOf(a mcp.Scry) string {
	switch {
	case a.Mode != "":
		return a.Mode
	case a.QueryID != "", a.DocID != "":
		return "detail"
	}
	return "find"
}

// looksUpByScry reports whether a call is made in the project that its repo names, as the same
// command is. A question goes to that project as well as to home.
func looksUpByScry(a mcp.Scry) bool {
	switch modeOf(a) {
	case "find":
		return a.Belief != ""
	case "full", "feedback":
		return false
	case "why":
		return strings.TrimSpace(a.Query) == ""
	}
	return a.QueryID == ""
}

// loggedMode returns the mode of a call in the query log. A model may write any text as a mode.
func loggedMode(a mcp.Scry) string {
	switch mode := modeOf(a); {
	case mode == "literal" || mode == "regex":
		return "lines"
	case mode == "full":
		return "find"
	case slices.Contains(scryModes, mode):
		return mode
	}
	return ""
}

// withResult splits a doc_id that names a result of an earlier answer, "QUERY_ID RANK", as answers
// print it.
func withResult(a mcp.Scry) mcp.Scry {
	id, rank, ok := strings.Cut(a.DocID, " ")
	if n, err := strconv.Atoi(rank); ok && err == nil && querylog.IsID(id) && a.QueryID == "" {
		a.DocID, a.QueryID, a.Rank = "", id, n
	}
	return a
}

// Scry implements mcp.Toolbox.
func (t *toolbox) Scry(ctx context.Context, c mcp.Client, a mcp.Scry) (mcp.Reply, error) {
	a = withResult(a)
	numbers := map[string]int{"limit": a.Limit, "budget": a.Budget, "timeout": a.Timeout}
	call, err := t.begin(ctx, c, arguments{
		tool: "scry", mode: loggedMode(a), repo: a.Repo, format: a.Format, paths: append(slices.Clone(a.Path), a.DocID),
		allRepos: a.AllRepos, numbers: numbers, looksUp: looksUpByScry(a),
	})
	if err != nil {
		return mcp.Reply{}, err
	}
	call.Page = cmp.Or(a.Page, 1)
	switch modeOf(a) {
	case "recall", "inject":
		return call.end(call.recall(ctx, a))
	case "feedback":
		call.JSON = "" // it prints a sentence
		err := call.Feedback(ctx, a.QueryID, strings.TrimSpace(a.Query), a.Rank)
		return call.end(mothercmd.Unlinked(err))
	}
	r, err := scryRequest(a, call.Call.Place)
	return call.answer(ctx, r, err)
}

// recall prints the notes that answer a question.
func (c *toolCall) recall(ctx context.Context, a mcp.Scry) error {
	if c.Call.Moved != "" {
		return cli.Hint(errors.New("notes are searched in a project of the client"),
			`those of another project are among the results of a question: scry(query=…, repo=…)`)
	}
	return memorycmd.Recall(ctx, c.App, c.Call.Place, memorycmd.Recollection{
		Query: a.Query, Path: strings.Join(a.Path, ","), Types: ask.Parts(a.ContentType), Limit: a.Limit, Budget: a.Budget, Inject: modeOf(a) == "inject",
		JSON: c.JSON != "", Dialect: c.Dialect(c.Call),
	})
}

// scryRequest returns the request for the arguments of scry. It returns an error with hints if an
// argument is missing.
func scryRequest(a mcp.Scry, p project.Place) (ask.Request, error) {
	r := ask.Request{Kinds: a.ContentType, Languages: a.Lang, Since: a.Since, Until: a.Until, Author: a.Author}
	switch modeOf(a) {
	case "find", "full":
		return findRequest(r, a)
	case "detail":
		return detailRequest(r, a)
	case "why":
		if a.DocID == "" {
			return r, cli.Hint(errors.New("mode why wants doc_id"), `such as scry(mode="why", doc_id="src/lock.go")`)
		}
		r.Form, r.Name, r.Text = ask.Why, a.DocID, strings.TrimSpace(a.Query)
	case "orient":
		typed := cmp.Or(strings.Join(a.Path, ","), ".")
		folder, ok, err := p.Folder(typed)
		if err != nil {
			return r, err
		}
		if !ok {
			return r, cli.Hint(fmt.Errorf("no folder %q in this project", typed),
				`"." is all of it: scry(mode="orient", path=".")`)
		}
		r.Form, r.Name = ask.Orient, folder
	case "recent":
		if a.Since != "" && a.Days != 0 {
			return r, cli.Hint(errors.New("days beside since"), "both say where to begin: give one of them")
		}
		r.Form, r.Paths, r.Days = ask.Recent, a.Path, cmp.Or(a.Days, ask.UsualDays)
	case "file":
		if len(a.Path) != 1 {
			return r, cli.Hint(errors.New("mode file wants one path"), `such as scry(mode="file", path="src/lock.go")`)
		}
		r.Form, r.Name = ask.Neighbours, a.Path[0]
	case "literal", "regex":
		return linesRequest(r, a)
	default:
		return r, cli.Hint(fmt.Errorf("unknown mode %q", a.Mode), "there are: "+strings.Join(scryModes, ", "))
	}
	return r, nil
}

// findRequest returns the request for a question, for a belief or for the list of beliefs.
func findRequest(r ask.Request, a mcp.Scry) (ask.Request, error) {
	query := strings.TrimSpace(a.Query)
	r.Paths = a.Path
	switch {
	case a.Belief != "":
		r.Form, r.Name = ask.Belief, a.Belief
	case query != "":
		r.Form, r.Text, r.Whole = ask.Find, query, a.Mode == "full"
	case ask.WantsBeliefs(r.Kinds):
		r.Form = ask.Beliefs
	default:
		return r, cli.Hint(errors.New("no question"), `ask one: scry(query="how are rows locked")`,
			`or name a file: scry(mode="file", path=…)`)
	}
	return r, nil
}

// detailRequest returns the request for one document: a belief, a result of an earlier answer, or
// what doc_id names.
func detailRequest(r ask.Request, a mcp.Scry) (ask.Request, error) {
	switch {
	case a.Belief != "" && a.QueryID == "" && a.DocID == "":
		r.Form, r.Name = ask.Belief, a.Belief
	case a.QueryID != "" && a.DocID == "" && !querylog.IsID(a.QueryID):
		return r, print.NotQueryID(a.QueryID, dialect.MCP{}.Words().Document)
	case a.QueryID != "" && a.DocID == "":
		if a.Rank < 1 {
			return r, cli.Hint(errors.New("no rank beside query_id"),
				fmt.Sprintf("such as scry(mode=\"detail\", query_id=%q, rank=1)", a.QueryID))
		}
		r.Form, r.QueryID, r.Rank = ask.Detail, a.QueryID, a.Rank
	case a.DocID != "" && a.QueryID == "":
		r.Form, r.Name = ask.Detail, a.DocID
	default:
		return r, cli.Hint(errors.New("mode detail wants query_id and rank, or doc_id"),
			`such as scry(mode="detail", doc_id="src/lock.go")`)
	}
	return r, nil
}

// linesRequest returns the request for the lines that hold a text or match an expression.
func linesRequest(r ask.Request, a mcp.Scry) (ask.Request, error) {
	if a.Query == "" {
		return r, cli.Hint(fmt.Errorf("mode %s wants query", a.Mode), `such as scry(mode="literal", query="mu.Unlock()")`)
	}
	r.Form, r.Paths, r.Text = ask.Lines, a.Path, "--"+a.Mode+" "+a.Query
	if a.Mode == "literal" {
		r.Literal = a.Query
		return r, nil
	}
	if _, err := regexp.Compile(a.Query); err != nil {
		return r, cli.Hint(fmt.Errorf("read regex %q: %w", a.Query, err), print.SyntaxHint,
			`for the characters themselves: mode="literal"`)
	}
	r.Regex = a.Query
	return r, nil
}
