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
