package deliver

import (
	"patina/cmd/internal/dialect"
	"patina/cmd/internal/layout"
)

// roomyContext is the ceiling, in bytes, from which a context has the whole recall directive.
const roomyContext = 1600

// recallDirective returns the lines that tell an agent to search before it answers, with the calls
// for both front ends. Under a ceiling below roomyContext, they are a heading and the general
// calls.
func recallDirective(c Context, o Options) []layout.Line {
	recall, whole := o.Dialect.Recall(), o.Ceiling() >= roomyContext
	lines := []layout.Line{layout.Strong("## Recall Directive")}
	if whole {
		lines = append(lines, layout.Text(recallReason(c)))
	}
	for _, channel := range []struct {
		name  string
		calls []string
	}{{"CLI", recall.CLI}, {"MCP", recall.MCP}} {
		for i, call := range channel.calls {
			if i == 0 || whole {
				lines = append(lines, layout.Text("  "+channel.name+":  "+call))
			}
		}
	}
	if whole {
		lines = append(lines, layout.Text(dialect.RecallRule))
	}
	return lines
}

// recallReason says why to search.
func recallReason(c Context) string {
	held := "beliefs"
	if len(c.Layer.Beliefs) > 0 && !c.Index.Generation.Own {
		held += " " + OfOthers
	}
	return "Project knowledge accumulates in " + held + " — check them before assuming defaults."
}

// A jsonRecall is the recall directive in JSON.
type jsonRecall struct {
	Text string `json:"text"`
	dialect.Recall
}

func jsonRecallOf(c Context, o Options) jsonRecall {
	return jsonRecall{recallReason(c) + " " + dialect.RecallRule, o.Dialect.Recall()}
}
