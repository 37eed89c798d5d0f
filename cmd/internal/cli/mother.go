package cli

import (
	"patina/wire/mother"
)

// Mother returns the client of the user's fronts. It reaches nothing before it is asked, and is the
// same at each call.
func (a *App) Mother(home string) *mother.Client {
	if a.fronts == nil {
		a.fronts = mother.New(home)
	}
	return a.fronts
}

// LeaveMother ends the client of the fronts, if anything was asked. It must be called before the
// process ends, because a certificate may be renewed beside an answer.
func (a *App) LeaveMother() {
	if a.fronts != nil {
		a.fronts.Close()
	}
}
