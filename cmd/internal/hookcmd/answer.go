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

// answer returns the answer to the input of a hook, or nil. It opens nothing if the client cannot
// show an answer.
func (a *app) answer(argument string, input []byte) []byte {
	e, ok := ReadEvent(argument, input)
	if !ok || formOf(e) == nil || !a.hasIndex() {
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

// hasIndex finds the project around the working folder, and reports whether this user has scraped
// it. An index that somebody else has made is not believed.
func (a *app) hasIndex() bool {
	p, err := a.Indexed()
	if err != nil || p.Doubt != "" {
		return false
	}
	info, err := os.Stat(filepath.Join(p.Store, "current"))
	a.place = p
	return err == nil && info.Mode().IsRegular()
}
