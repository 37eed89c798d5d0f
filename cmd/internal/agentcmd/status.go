package agentcmd

// A Standing is the state of one piece of ours.
type Standing struct {
	Client   string `json:"client"`
	Title    string `json:"title"`
	Detected bool   `json:"detected"`
	Scope    Scope  `json:"scope"`
	What     What   `json:"what"`
	File     string `json:"file"`
	At       string `json:"at"`
	State    State  `json:"state"`
	Why      string `json:"why,omitempty"` // the error that hides the state
}

// Status returns the state of all possible pieces, in both scopes.
func (e Env) Status() (out []Standing) {
	for _, c := range clients {
		found := e.Detected(c)
		for _, scope := range []Scope{User, Project} {
			if e.base(scope) == "" {
				continue // there is no project
			}
			for _, q := range e.pieces(c, requestAll(nil, scope)) {
				if q.path == "" {
					continue
				}
				s := Standing{
					Client: c.Name, Title: c.Title, Detected: found, Scope: scope, What: q.step.What,
					File: q.path, At: q.step.At,
				}
				d := loadDraft(q.path, e.base(scope), scope)
				_, state, err := q.edit.putInto(d.now)
				if d.err != nil {
					err = d.err
				}
				if s.State = state; err != nil {
					s.State, s.Why = "", err.Error()
				}
				out = append(out, s)
			}
		}
	}
	return out
}
