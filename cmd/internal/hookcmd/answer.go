package hookcmd

import (
	"os"
	"path/filepath"

	"patina/ask/project"
	"patina/cmd/internal/cli"
)

// An app is one run of the command.
type app struct {
	*cli.App
	place project.Place // of the session, known to have an index that is believed
}

// answerInput returns the answer to the input of a hook, or nil. It opens nothing if the client
// cannot show an answer.
func (a *app) answerInput(argument string, input []byte) []byte {
	e, ok := ReadEvent(argument, input)
	if !ok || formOf(e) == nil || !a.hasIndex(e.Cwd) {
		return nil
	}
	return FormatContext(e, a.answerText(e))
}

// answerText returns the text for an event, or "" if there is nothing to say.
func (a *app) answerText(e Event) string {
	switch e.Kind {
	case SessionStart:
		return a.answerStart(e)
	case BeforeTool, AfterTool:
		return a.answerTool(e)
	}
	return ""
}

// hasIndex finds the project around the working folder, else around the folder of the session,
// because some clients run the hooks of a user in a folder of their own. It reports whether this
// user has scraped the project. An index that somebody else has made is not believed.
func (a *app) hasIndex(cwd string) bool {
	if p, err := a.Indexed(); err == nil && isScraped(p) {
		a.place = p
		return true
	}
	if !filepath.IsAbs(cwd) {
		return false
	}
	p, err := project.At(cwd, a.Store)
	a.place = p
	return err == nil && isScraped(p)
}

func isScraped(p project.Place) bool {
	info, err := os.Stat(filepath.Join(p.Store, "current"))
	return p.Doubt == "" && err == nil && info.Mode().IsRegular()
}
