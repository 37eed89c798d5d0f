package git

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"patina/store/doc"
)

// format is git's output for a commit. With -z every field ends with a NUL, and no field contains
// one, because git itself cuts messages there. The whole output is
//
//	output = { "" NUL, id NUL, parents NUL, name NUL, mail NUL, time NUL,
//	           subject NUL, body NUL, { change NUL } }
//	change = status NUL file | "R" similarity NUL old file NUL new file
//
// with one line feed before the first change. A status is never empty. So an empty field after the
// body can only begin the next commit.
const format = "%x00%H%x00%P%x00%an%x00%ae%x00%ct%x00%s%x00%b"

// maxField is the most bytes kept of a subject, a body or a name. A longer message is a pasted log
// or diff, and its beginning is enough.
const maxField = 64 << 10

const lastTime = 253402300799 // 9999-12-31: a later time cannot be written as text

// errSyntax is wrapped by errors about output of git that does not follow format.
var errSyntax = errors.New("output of git is not understood")

// A records reads commits from git's output.
type records struct {
	r     *bufio.Reader // its buffer must be larger than maxField
	long  []byte        // a token too long for r
	begun bool          // the next commit's empty field has been read
}

// nextCommit returns the next commit. It returns io.EOF after the last one, and errCut if the
// output ends inside one. The last commit may lack files if git was killed, because the end of the
// output ends a commit too.
func (p *records) nextCommit() (doc.Revision, error) {
	if !p.begun {
		start, _, err := p.token()
		if err != nil {
			return doc.Revision{}, err
		}
		if len(start) != 0 {
			return doc.Revision{}, fmt.Errorf("%w: %.40q where a commit begins", errSyntax, start)
		}
	}
	p.begun = false
	rev, err := p.header()
	if err != nil {
		return rev, err
	}
	for first := true; ; first = false {
		status, _, err := p.token()
		switch {
		case err == io.EOF:
			return rev, nil
		case err != nil:
			return rev, err
		case len(status) == 0:
			p.begun = true
			return rev, nil
		}
		if first {
			rev.Files = make([]string, 0, 4)
			status = bytes.TrimPrefix(status, []byte("\n"))
		}
		if err := p.change(&rev, status); err != nil {
			return rev, err
		}
	}
}

// change reads the file of a status, or both names after a rename. A path longer than maxField is
// left out, because no file system has it.
func (p *records) change(rev *doc.Revision, status []byte) error {
	if len(status) == 0 || status[0] < 'A' || status[0] > 'Z' {
		return fmt.Errorf("%w: %.40q where a status stands", errSyntax, status)
	}
	names := 1
	if status[0] == 'R' {
		names = 2
	}
	at := len(rev.Files)
	for range names {
		file, cut, err := p.token()
		switch {
		case err == io.EOF:
			return errCut
		case err != nil:
			return err
		case len(file) == 0:
			return fmt.Errorf("%w: nothing where a file stands", errSyntax)
		case !cut:
			rev.Files = append(rev.Files, string(file))
		}
	}
	if len(rev.Files) == at+2 {
		rev.Moves = append(rev.Moves, doc.Move{From: rev.Files[at], To: rev.Files[at+1]})
	}
	return nil
}

// header reads a commit's fields up to its body.
func (p *records) header() (rev doc.Revision, err error) {
	var fields [7]string
	for i := range fields {
		field, cut, err := p.token()
		if err == io.EOF {
			err = errCut
		}
		if err != nil {
			return rev, err
		}
		fields[i] = cleanText(field, cut)
	}
	if !isID(fields[0]) {
		return rev, fmt.Errorf("%w: %.40q where an id stands", errSyntax, fields[0])
	}
	seconds, err := strconv.ParseInt(fields[4], 10, 64)
	if err != nil {
		seconds = 0 // a damaged commit, for which git prints nothing
	}
	return doc.Revision{
		SHA:     fields[0],
		Merge:   strings.Contains(fields[1], " "),
		Author:  fields[2],
		Email:   fields[3],
		Time:    time.Unix(min(max(seconds, 0), lastTime), 0).UTC(),
		Subject: strings.TrimSpace(fields[5]),
		Body:    strings.TrimSpace(fields[6]),
	}, nil
}

// cleanText returns a field as valid UTF-8. Invalid bytes are replaced. If the field was cut, an
// incomplete letter at its end is dropped.
func cleanText(b []byte, cut bool) string {
	if cut {
		for i := 1; i < utf8.UTFMax && i <= len(b); i++ {
			if tail := b[len(b)-i:]; utf8.RuneStart(tail[0]) {
				if !utf8.FullRune(tail) {
					b = b[:len(b)-i]
				}
				break
			}
		}
	}
	return strings.ToValidUTF8(string(b), "\uFFFD")
}

// token returns one field, which is valid until the next call. A field longer than maxField is cut.
// The error is io.EOF between two fields and errCut inside one.
func (p *records) token() (field []byte, cut bool, err error) {
	field, err = p.r.ReadSlice(0)
	for first := true; err == bufio.ErrBufferFull; first = false {
		if first {
			p.long = append(p.long[:0], field[:min(len(field), maxField)]...)
			cut = true
		}
		_, err = p.r.ReadSlice(0)
	}
	switch {
	case err == io.EOF && len(field) == 0 && !cut:
		return nil, false, io.EOF
	case err == io.EOF:
		return nil, false, errCut
	case err != nil:
		return nil, false, err
	case cut:
		return p.long, true, nil
	}
	if field = field[:len(field)-1]; len(field) > maxField {
		return field[:maxField], true, nil
	}
	return field, false, nil
}
