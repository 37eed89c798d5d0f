package ask

import (
	"regexp"
	"strings"

	"patina/store/doc"
)

// A direct search is how questions were answered before channels were fused: by words if the
// question is a name or holds code, else by meaning. It is kept for the time of a transition.

// codeInWords matches what people write in code and not in sentences: a::b, f(), snake_case, a/b,
// a.b, camelCase, and text in quotes.
var codeInWords = regexp.MustCompile(`::|\(\)|\w_\w|\w[./]\w|[a-z][A-Z]|["` + "`" + `]`)

// direct returns the request with one channel and one kind, so that the order is the channel's own:
// nothing is fused, no name is evidence, and there is no floor. Whole texts are shown.
func (r Request) direct() Request {
	r.Whole = true
	if len(r.Oracles) == 0 {
		r.Oracles = []string{"semantic"}
		if len(strings.Fields(r.Text)) == 1 || codeInWords.MatchString(r.Text) {
			r.Oracles = []string{"lexical"}
		}
	}
	for _, k := range doc.Kinds() {
		if len(r.Kinds) == 0 && k.Traits().Pooled {
			r.Kinds = []string{string(k)}
		}
	}
	return r
}
