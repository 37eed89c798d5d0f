package dialect

// RecallRule tells an agent when to search. Its wording follows the published specification of
// three-layer delivery.
const RecallRule = "Mandatory recall: before answering about decisions, conventions, patterns or past work, recall. " +
	"If confidence is low after searching, say that you checked."

// Recall holds the calls that search before an answer, for both front ends. The first of each
// searches everything, the second beliefs only. A call that cannot be spelled is left out.
type Recall struct {
	CLI []string `json:"cli"`
	MCP []string `json:"mcp"`
}

// anyQuestion is the question in a recall call. The reader replaces it, but the call runs with it.
const anyQuestion = "your question"

// Recall implements Dialect.
func (c CLI) Recall() Recall { return recallOf(c, MCP{Repo: c.Repo}) }

// Recall implements Dialect.
func (m MCP) Recall() Recall { return recallOf(m.Shell, m) }

func recallOf(c CLI, m MCP) Recall {
	r := Recall{CLI: []string{}, MCP: []string{}}
	for _, narrow := range [][]string{nil, {"beliefs"}} {
		words, args := []string{"scry"}, []any{}
		for _, kind := range narrow {
			words, args = append(words, "--content-type", kind), append(args, "content_type", kind)
		}
		if s := c.call(words...); s != "" {
			r.CLI = append(r.CLI, s+` "`+anyQuestion+`"`)
		}
		if s := m.call("scry", append(args, "query", anyQuestion)...); s != "" {
			r.MCP = append(r.MCP, s)
		}
	}
	return r
}
