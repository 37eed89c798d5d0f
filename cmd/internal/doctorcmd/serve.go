package doctorcmd

import (
	"fmt"

	"patina/cmd/internal/cli"
	"patina/wire/local"
)

// server checks "patina serve", if its socket is there.
func (e *examination) server() {
	path, err := local.Socket(e.place.Home)
	if err != nil || !local.Listens(path) {
		return
	}
	s, err := local.Ask(e.ctx, e.place.Home, cli.Version)
	switch {
	case err != nil:
		e.say("serve", warned, fmt.Sprintf("no answer at %s: each command opens its index itself", cli.Quoted(path)),
			"patina serve", "socket", path)
	case s.Refuses != "":
		e.say("serve", warned, fmt.Sprintf("process %d is not asked: %s", s.PID, s.Refuses),
			fmt.Sprintf("kill %d && patina serve", s.PID), "socket", path, "process", s.PID, "lent", s.Lent)
	default:
		e.say("serve", fine, fmt.Sprintf("process %d keeps indexes open; %d lent so far", s.PID, s.Lent), "",
			"socket", path, "process", s.PID, "lent", s.Lent)
	}
}
