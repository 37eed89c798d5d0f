package transcript

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"patina/internal/lazyregexp"
)

// An outcome says whether a command failed.
type outcome int

const (
	unknownOutcome outcome = iota
	succeededOutcome
	failedOutcome
)

func outcomeIf(failed bool) outcome {
	if failed {
		return failedOutcome
	}
	return succeededOutcome
}

var exitCode = lazyregexp.New(`(?im)^(?:process exited with code|exit code:?) (\d+)`)

// outcomeInHead returns the outcome that an output itself names: "Exit code: 1".
func outcomeInHead(output string) outcome {
	head := output[:min(len(output), 200)] + "\n" + output[max(0, len(output)-200):]
	m := exitCode().FindStringSubmatch(head)
	if m == nil {
		return unknownOutcome
	}
	return outcomeIf(strings.Trim(m[1], "0") != "")
}

// A failure is a command that failed and may be mended. Its texts are redacted.
type failure struct {
	Key      string   // of the command (commandKey)
	Command  string   // as it was run
	Errors   string   // the lines that say why
	Edits    []string `json:",omitempty"` // since then
	Said     string   `json:",omitempty"` // by the agent, last
	Line     int
	At       time.Time
	Reported bool `json:",omitempty"` // it is a turn of its own already
}

// fail notes that a command failed. Without a word about why it is of no use.
func (c *composer) fail(command, output string) {
	window := cleanText(output)
	if len(window) > windowBytes {
		tail := window[len(window)-windowBytes/2:]
		_, tail, _ = strings.Cut(tail, "\n") // the first line is not whole
		head := clipText(c.redact(window[:windowBytes/2+margin]), windowBytes/2)
		window = head + "\n" + c.redact(tail)
	} else {
		window = c.redact(window)
	}
	found := errorLines(window)
	if found == "" {
		return
	}
	key := commandKey(command)
	f := failure{Key: key, Command: command, Errors: found, Line: c.line, At: c.at}
	if i := slices.IndexFunc(c.failed, func(f failure) bool { return f.Key == key && f.Errors == found }); i >= 0 {
		// It is the same again, after a vain change.
		f.Edits, f.Reported = c.failed[i].Edits, c.failed[i].Reported
		c.failed = slices.Delete(c.failed, i, i+1)
	}
	if len(c.failed) >= maxFailed {
		c.report(&c.failed[0])
		c.failed = slices.Delete(c.failed, 0, 1)
	}
	c.failed = append(c.failed, f)
}

// report makes a turn of a failure, once.
func (c *composer) report(f *failure) {
	if !f.Reported {
		text := fmt.Sprintf("$ %s\nfailed: %s", f.Command, f.Errors)
		c.out = append(c.out, Spoken{RoleError, clipText(text, maxPiece), f.Line, f.At})
	}
	f.Reported = true
}

// mend notes that a command succeeded. It reports whether it had failed before: then one turn says
// how it failed and names the changes in between.
func (c *composer) mend(command string) bool {
	key, mended := commandKey(command), false
	for i := 0; i < len(c.failed); {
		f := c.failed[i]
		if f.Key != key {
			i++
			continue
		}
		c.failed = slices.Delete(c.failed, i, i+1)
		c.dropEdits(f.Edits)
		if !mended {
			c.flushActions()
		}
		mended = true
		text := fmt.Sprintf("$ %s\nfailed: %s\n", f.Command, clipText(f.Errors, maxPiece/2))
		for _, e := range f.Edits {
			text += "fixed by editing " + e + "\n"
		}
		if command != f.Command {
			text += "then this succeeded: $ " + clipText(command, maxHead) + "\n"
		}
		if f.Said != "" {
			text += "the agent said: " + f.Said
		}
		c.out = append(c.out, Spoken{RoleMend, clipText(strings.TrimSpace(text), maxPiece), c.line, c.at})
	}
	return mended
}

var (
	saysError = lazyregexp.New(`(?i)\b(error|errors|err|fail|failed|failure|failing|panic|panicked|exception|` +
		`fatal|undefined|undeclared|unresolved|cannot|can't|could not|couldn't|not found|no such|denied|refused|` +
		`unexpected|invalid|expected|mismatch|missing|unknown|timed out|timeout|conflict|abort|aborted)\b|` +
		`\w+(Error|Exception)\b|^E  |^--- FAIL`)
	// harmless matches lines that say that nothing failed: "0 errors".
	harmless = lazyregexp.New(`(?i)\b(0|no) (errors?|failures?|failed)\b`)
)

const (
	mostErrors   = 12  // lines
	maxErrorLine = 200 // bytes
	maxErrors    = 800 // bytes
)

// errorLines returns the lines of an output that name an error, or its last three lines.
func errorLines(output string) string {
	var found, all []string
	size := 0
	for line := range strings.Lines(output) {
		line = clipText(strings.TrimSpace(line), maxErrorLine)
		if line == "" || exitCode().MatchString(line) {
			continue
		}
		if all = append(all, line); len(all) > 3 {
			all = all[1:]
		}
		if len(found) < mostErrors && size+len(line) < maxErrors && saysError().MatchString(line) &&
			!harmless().MatchString(line) && !slices.Contains(found, line) {
			found = append(found, line)
			size += len(line) + 1
		}
	}
	if len(found) == 0 {
		found = all
	}
	return strings.Join(found, "\n")
}

var (
	assignment  = lazyregexp.New(`^[A-Za-z_][A-Za-z0-9_]*=`)
	subcommand  = lazyregexp.New(`^[a-z][a-z0-9:_-]*$`)
	interpreter = lazyregexp.New(`^(python[0-9.]*|node|ruby|perl|php|bash|sh|zsh|deno|bun)$`)
)

// commandKey returns a command's program and its subcommand: "go test" for all tests of Go. Two
// commands with the same key count as the same, because the second run often has other arguments.
func commandKey(command string) string {
	for _, separator := range []string{"&&", ";", "|", "\n"} {
		for {
			first, rest, found := strings.Cut(command, separator)
			program := strings.Fields(first)
			prepares := len(program) == 0 || program[0] == "cd" || program[0] == "export" || program[0] == "source"
			if found && prepares && strings.TrimSpace(rest) != "" {
				command = rest
				continue
			}
			command = first
			break
		}
	}
	var words []string
	for _, w := range strings.Fields(command) {
		switch {
		case len(words) == 0 && (assignment().MatchString(w) || w == "sudo" || w == "env" || w == "time" || w == "npx"):
		case len(words) == 0:
			words = append(words, path.Base(w))
		case interpreter().MatchString(words[0]):
			if !strings.HasPrefix(w, "-") {
				return words[0] + " " + path.Base(w)
			}
		case strings.HasPrefix(w, "-"):
		case subcommand().MatchString(w) && (len(words) == 1 || len(words) == 2 && words[1] == "run"):
			words = append(words, w)
		default:
			return strings.Join(words, " ")
		}
	}
	return strings.Join(words, " ")
}
