package fusion

import "slices"

// Form says whether a question asks about the past, about a rule or for a reason. It changes the
// priors of kinds in a project that has beliefs or sessions (docs/ranking.md, "What people know"),
// and nothing elsewhere.
type Form string

// The forms.
const (
	Plain  Form = ""       // neither of these
	Past   Form = "past"   // what was done: sessions and commits answer
	Norm   Form = "norm"   // what may or should be done: beliefs answer
	Reason Form = "reason" // why it is so: beliefs, sessions and commits answer
)

var (
	pastOpeners  = newWordSet("how what which who")
	pastVerbs    = newWordSet("did was were had went got ended")
	normOpeners  = newWordSet("should shall can may must")
	normVerbs    = newWordSet("should shall must may")
	asksLeave    = newWordSet("do can")
	askers       = newWordSet("i we you")
	normAnywhere = newWordSet("okay allowed")
)

// FormOf returns the form of a question, from its whole words in any case.
func FormOf(question string) Form {
	ws := intentWords(question)
	switch {
	case len(ws) == 0:
		return Plain
	case pastOpeners[ws[0]] && pastVerbs.hasAny(ws) && !slices.Contains(ws, "why"):
		return Past
	case normOpeners[ws[0]] || normAnywhere.hasAny(ws):
		return Norm
	}
	useful := asksHowTo(ws) // "how do I …" asks for the use, "how do we …" for the habit
	for i, w := range ws[1:] {
		if before := ws[i]; askers[w] && (normVerbs[before] || asksLeave[before] && (w == "we" || !useful)) {
			return Norm
		}
	}
	if ws[0] == "why" { // "show the reason why" is a task, and code answers
		return Reason
	}
	return Plain
}
