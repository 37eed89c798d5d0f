package hookcmd

import (
	"cmp"
	"context"
	"os"
	"slices"
	"strconv"
	"time"

	"patina/ask/govern"
)

// lookRest is the part of hookTime that is left to start and to print.
const lookRest = 30 * time.Millisecond

// answerTool returns the item that governs the tool that is about to run, or the failure of
// one that has run: the sentence itself, in quotes, with its provenance. It returns "" for most
// tools. A hint that points to a command is not given, because models follow one as often as they
// would ask anyway (bench/history/act.md).
func (a *app) answerTool(e Event) string {
	act, ok := actOf(e, a.place.Root)
	if !ok || a.place.Root == "" {
		return ""
	}
	session := cmp.Or(e.Session, "process "+strconv.Itoa(os.Getppid()))
	if govern.WasShown(a.place, session, act) {
		return ""
	}
	ctx, cancel := context.WithTimeout(context.Background(), lengthen(hookTime)-lookRest)
	defer cancel()
	found, _ := govern.Look(ctx, a.place, act) // one source may fail without the other
	item, ok, err := govern.ChooseNew(ctx, a.place, session, found)
	if !ok || err != nil {
		return ""
	}
	return item.String()
}

// actOf returns the act that a tool is about to do, or has failed to do. It returns false for a
// tool that nothing can govern, such as one that only reads.
func actOf(e Event, root string) (act govern.Act, ok bool) {
	switch {
	case e.Kind == BeforeTool && (e.Tool == EditTool || e.Tool == WriteTool):
		act.Paths = govern.PathsWithin(root, cmp.Or(e.Cwd, root), e.Paths)
		act.Texts = slices.Concat(e.Old, e.New)
		return act, len(act.Paths) > 0
	case e.Kind == BeforeTool && e.Tool == ShellTool:
		act.Command = e.Command
		return act, e.Command != ""
	case e.Kind == AfterTool && e.Tool == ShellTool && (e.Failed || govern.IsFailure(e.Output)):
		act.Command, act.Failure = e.Command, e.Output
		return act, e.Output != ""
	}
	return act, false
}
