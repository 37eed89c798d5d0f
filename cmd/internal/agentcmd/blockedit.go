package agentcmd

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
)

// A blockEdit is a few lines between two markers, at the end of a text for agents. The first marker
// has a hash of the lines, which shows a change by hand.
type blockEdit struct{ lines string }

const (
	blockHead = "<!-- patina:begin "
	blockTail = "<!-- patina:end -->"
)

func (e blockEdit) name() string { return "lines" }

func (e blockEdit) entryText() string { return e.block("\n") }

func (e blockEdit) block(eol string) string {
	text := blockHead + digestOf(e.lines) + " -->\n" + e.lines + "\n" + blockTail + "\n"
	return strings.ReplaceAll(text, "\n", eol)
}

// digestOf returns a short hash of a text.
func digestOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:4])
}

// findIn returns the start of the block and its end, after its last line break. from is -1 if the
// block is missing.
func (e blockEdit) findIn(file []byte) (from, to int, state State, err error) {
	if n := bytes.Count(file, []byte(blockHead)); n == 0 {
		return -1, 0, Missing, nil
	} else if n > 1 {
		return -1, 0, "", fmt.Errorf("%q stands there %d times", strings.TrimSpace(blockHead), n)
	}
	from = bytes.Index(file, []byte(blockHead))
	n := bytes.Index(file[from:], []byte(blockTail))
	if n < 0 {
		return -1, 0, "", fmt.Errorf("the line %q is missing", blockTail)
	}
	to = from + n + len(blockTail)
	text := strings.ReplaceAll(string(file[from:to]), "\r\n", "\n")
	mark, lines, _ := strings.Cut(strings.TrimPrefix(text, blockHead), " -->\n")
	lines, _ = strings.CutSuffix(strings.TrimSuffix(lines, blockTail), "\n")
	if mark != digestOf(lines) {
		return from, to, Edited, nil
	}
	return from, lineEnd(file, to), Intact, nil
}

func (e blockEdit) putInto(file []byte) ([]byte, State, error) {
	_, _, state, err := e.findIn(file)
	if err != nil || state != Missing {
		return file, state, err
	}
	return joinBytes(file, []byte(separatorFor(file)+e.block(eolOf(file)))), Missing, nil
}

func (e blockEdit) cutFrom(file, _ []byte) ([]byte, State, error) {
	from, to, state, err := e.findIn(file)
	if err != nil || state != Intact {
		return file, state, err
	}
	return spliceBytes(file, findSeparator(file, from, to == len(file)), to, ""), state, nil
}

// renew replaces an intact block of another version. Any other file is returned unchanged.
func (e blockEdit) renew(file []byte) []byte {
	from, to, state, err := e.findIn(file)
	if err != nil || state != Intact {
		return file
	}
	return spliceBytes(file, from, to, e.block(eolOf(file)))
}

// A wholeEdit is a file that is all ours. Its last line has a hash of the other lines.
type wholeEdit struct{ content string }

const wholeTail = "\n<!-- patina:end "

func (e wholeEdit) name() string { return "the whole file" }

func (e wholeEdit) entryText() string { return e.content + wholeTail + digestOf(e.content) + " -->\n" }

func (e wholeEdit) putInto(file []byte) ([]byte, State, error) {
	if len(file) == 0 {
		return []byte(e.entryText()), Missing, nil
	}
	text := strings.ReplaceAll(string(file), "\r\n", "\n")
	if n := strings.LastIndex(text, wholeTail); n >= 0 && text == (wholeEdit{text[:n]}).entryText() {
		return file, Intact, nil
	}
	return file, Edited, nil
}

// renew replaces an intact file of another version. Any other file is returned unchanged.
func (e wholeEdit) renew(file []byte) []byte {
	if _, state, _ := e.putInto(file); state != Intact ||
		strings.ReplaceAll(string(file), "\r\n", "\n") == e.entryText() {
		return file
	}
	return []byte(e.entryText())
}

func (e wholeEdit) cutFrom(file, _ []byte) ([]byte, State, error) {
	_, state, err := e.putInto(file)
	if err == nil && state == Intact {
		return nil, state, nil
	}
	return file, state, err
}
