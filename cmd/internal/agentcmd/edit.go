package agentcmd

import (
	"bytes"
	"errors"
	"fmt"
)

// A State says how something of ours stands in a file.
type State string

// The states.
const (
	Missing State = "missing"
	Intact  State = "intact"
	Edited  State = "edited" // it is there, and somebody has changed it
)

// An edit is one thing of ours in a file. Both of its calls are pure.
type edit interface {
	// put adds it where it is missing, and returns how it stood. Otherwise the file stays as it is.
	putInto(file []byte) ([]byte, State, error)
	// cut takes it out where it is intact, and returns how it stood. origin is the file as it was
	// before all of ours, or nil if there was none.
	cutFrom(file, origin []byte) ([]byte, State, error)
	// text is what to copy by hand.
	entryText() string
	// name says where in the file it stands.
	name() string
}

// A renewer is an edit that knows its own text of other versions, and can bring it up to date.
type renewer interface{ renew(file []byte) []byte }

var errUnsafe = errors.New("this file is written in a way that cannot be edited safely")

// putProved is put, proved: taking the edit out again gives the same file.
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

// separatorFor returns what stands between a text and what is added to its end. A text without a
// last line break gets that alone, another one a blank line: so unseparated knows which it was.
func separatorFor(file []byte) string {
	if len(bytes.TrimPrefix(file, byteOrderMark(file))) == 0 {
		return ""
	}
	return eolOf(file)
}

// findSeparator returns where the separator begins that tail has put before a place. Where more
// follows, the last line break of the text before stays.
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

// lineBreakBefore returns where the line break directly before a place begins.
func lineBreakBefore(file []byte, at, low int) int {
	if at > low && file[at-1] == '\n' {
		at--
		if at > low && file[at-1] == '\r' {
			at--
		}
	}
	return at
}
