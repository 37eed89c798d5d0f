package agentcmd

import (
	"bytes"
	"errors"
	"fmt"
)

// A State is the condition of our text in a file.
type State string

// The states.
const (
	Missing State = "missing"
	Intact  State = "intact"
	Edited  State = "edited" // present, but somebody has changed it
)

// An edit is one thing of ours in a file. Both putInto and cutFrom must be pure.
type edit interface {
	// putInto adds our text if it is missing. Otherwise it returns the file unchanged. The state is
	// the one before the call.
	putInto(file []byte) ([]byte, State, error)
	// cutFrom removes our text if it is intact. The state is the one before the call. origin is the
	// file before anything of ours was added, or nil if there was no file.
	cutFrom(file, origin []byte) ([]byte, State, error)
	// entryText returns the text to copy by hand.
	entryText() string
	// name returns the place in the file.
	name() string
}

// A renewer is an edit that recognises its text of other versions, and can replace it.
type renewer interface{ renew(file []byte) []byte }

var errUnsafe = errors.New("this file is written in a way that cannot be edited safely")

// putProved calls putInto and proves the result: taking the edit out again must give the same file.
// If not, it returns the file unchanged and an error.
func putProved(e edit, file []byte) ([]byte, State, error) {
	after, state, err := e.putInto(file)
	if err != nil || state != Missing {
		return file, state, err
	}
	back, state, err := e.cutFrom(after, file)
	if err != nil {
		return file, "", fmt.Errorf("%w: %w", errUnsafe, err)
	}
	if state != Intact || !bytes.Equal(back, file) {
		return file, "", errUnsafe
	}
	return after, Missing, nil
}

// separatorFor returns the separator between a text and lines added to its end. A text without a
// last line break gets only that line break. Other texts get a blank line. So findSeparator can
// tell the two cases apart.
func separatorFor(file []byte) string {
	if len(bytes.TrimPrefix(file, byteOrderMark(file))) == 0 {
		return ""
	}
	return eolOf(file)
}

// findSeparator returns the start of the separator before at, as written by separatorFor. If text
// follows, the last line break before it is kept.
func findSeparator(file []byte, at int, last bool) int {
	low := len(byteOrderMark(file))
	first := lineBreakBefore(file, at, low)
	if first == at {
		return at
	}
	if second := lineBreakBefore(file, first, low); second < first || last {
		return first
	}
	return at
}

// lineBreakBefore returns the start of the line break directly before at, or at if there is none.
func lineBreakBefore(file []byte, at, low int) int {
	if at > low && file[at-1] == '\n' {
		at--
		if at > low && file[at-1] == '\r' {
			at--
		}
	}
	return at
}
