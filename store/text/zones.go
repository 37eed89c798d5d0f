package text

import (
	"iter"
	"strings"

	"patina/internal/lazyregexp"
	"patina/store/markdown"
)

// A zone is a kind of part of a pasted issue (docs/ranking.md, "Long texts").
type zone int

const (
	env      zone = iota // versions, operating systems: unrelated to the fault
	template             // a stock heading in an issue form
	trace                // a frame in a traceback, with the lines printed under it
	failure              // "SomeError: message"
	code
	prose
	title
)

// zoneWeights weigh words by zone. A weight of 1 for all cost 5.3 points, a weight of 1 for the
// title 2.3 (docs/ranking.md, "Long texts").
var zoneWeights = [...]float64{trace: 0.5, failure: 1, code: 0.5, prose: 1, title: 3}

var (
	headingForm = lazyregexp.New(`^(?:#{1,6}\s+(.+?)\s*#*|\*\*([^*]+)\*\*:?|__([^_]+)__:?)$`)
	envHeading  = lazyregexp.New(`(?i)^(?:your |system |test )?(?:environment|versions?\b|output of\b|installed ` +
		`(?:versions|packages)|` +
		`system info|additional context|screenshots?\b|platform\b)`)
	stockHeading = lazyregexp.New(`(?i)^(?:describe the (?:bug|issue|problem)|to reproduce|how to reproduce|` +
		`steps to reproduce|reproduc(?:tion|ible example|er)|` +
		`mcve code sample|minimal complete verifiable example|(?:expected|actual|current|observed) (?:behaviou?r|` +
		`results?|output)|` +
		`what (?:happened|did you expect(?: to happen)?|you expected to happen|went wrong)\??|` +
		`anything else we need to know\??|` +
		`problem(?: description| statement)?|description|summary|expected|actual|code sample.*|your project|` +
		`bug report|` +
		`relevant log output|possible (?:fix|solution)|checklist|` +
		`is your feature request related to a problem\? please describe.*|` +
		`describe the solution you'd like|describe alternatives you've considered)$`)
	envLine = lazyregexp.New(`^[-*\s]*[\pL][\pL\pN ._/\[\]()-]{0,40}?(?:\s*(?::|==?)\s*|\s+)v?\d+(?:\.\d+)+\S{0,30}$`)
	errLine = lazyregexp.New(`^(?:E\s+|Uncaught |Caused by: |Exception in thread "[^"]*" )*` +
		`(?:[\pL_][\pL\pN_]*[.:]{1,2})*[\pL_]*(?:Error|Exception|Warning|Failure|Interrupt)(?:\[\w+\])?(?::|$)|^` +
		`(?:panic|fatal error|error\[E\d+\]): |^thread '[^']*' panicked at`)
	gutterForm = lazyregexp.New(`^\d+ +\|`) // of a line of code in a compiler's report
	promptIn   = lazyregexp.New(`^(?:>>>|\.\.\. |In ?\[\d+\]:|Out ?\[\d+\]:|    |\t)`)
)

// A zonedLine is a line with its zone.
type zonedLine struct {
	zone zone
	text string
}

// longLine is the number of words at which a first line is more than a title. Such a line is cut
// after its first sentence.
const longLine = LongWords

// zoneLines yields a text's lines with their zones, without empty lines. The first line with a word
// is the title, unless it is already part of a trace or a fence. Every other line has the first
// zone that fits, in the order of the constants.
func zoneLines(s string) iter.Seq[zonedLine] {
	return func(yield func(zonedLine) bool) {
		var z zoner
		titled := false
		for line := range strings.Lines(withoutComments(s)) {
			line = strings.TrimRight(line, " \t\r\n")
			if line == "" {
				continue
			}
			if titled {
				if !yield(zonedLine{z.zone(line), line}) {
					return
				}
				continue
			}
			head, rest := line, ""
			words := lowerRuns(line)
			switch {
			case isFence(line) || isFrame(line) || isTraceHead(line): // a paste without a title
				head, rest = "", line
			case len(words) == 0:
				continue
			case countWords(words) >= longLine:
				if first, others := firstSentence(line); len(lowerRuns(first)) > 0 {
					head, rest = first, others
				}
			}
			titled = true
			if head != "" && !yield(zonedLine{title, head}) {
				return
			}
			if rest != "" && !yield(zonedLine{z.zone(rest), rest}) {
				return
			}
		}
	}
}

// A zoner remembers the fence, heading or traceback that earlier lines opened.
type zoner struct {
	fence, env, trace bool
}

func (z *zoner) zone(line string) zone {
	if isFence(line) {
		z.fence, z.trace = !z.fence, false
		return template
	}
	bare := strings.TrimSpace(line)
	if !z.fence {
		if name, marked := readHeading(bare); marked || envHeading().MatchString(name) && len(name) < 60 &&
			strings.HasSuffix(bare, ":") {
			z.env = envHeading().MatchString(name)
			z.trace = false
		}
	}
	switch {
	case z.env || !z.fence && envLine().MatchString(bare):
		return env
	case !z.fence && stockHeading().MatchString(plainHeading(bare)):
		return template
	case isTraceHead(line) || isFrame(line):
		z.trace = true
		return trace
	case z.trace && (line[0] == ' ' || line[0] == '\t' || strings.HasPrefix(line, "--") ||
		strings.HasPrefix(line, "E  ") || line[0] == '>' || gutterForm().MatchString(line)):
		return trace
	}
	z.trace = false
	switch {
	case errLine().MatchString(bare):
		return failure
	case z.fence || promptIn().MatchString(line):
		return code
	}
	return prose
}

func isFence(line string) bool { return markdown.Marks(strings.TrimLeft(line, " ")) > 0 }

// readHeading returns a heading's text, and whether the line is marked as one.
func readHeading(bare string) (name string, marked bool) {
	if m := headingForm().FindStringSubmatch(bare); m != nil {
		return strings.TrimSpace(m[1] + m[2] + m[3]), true
	}
	return plainHeading(bare), false
}

// plainHeading returns a line without the marks of a heading.
func plainHeading(bare string) string { return strings.Trim(bare, "#*_: ") }

// withoutComments drops HTML comments, because issue forms have many. An unclosed comment is text.
func withoutComments(s string) string {
	var b strings.Builder
	for {
		before, rest, ok := strings.Cut(s, "<!--")
		if !ok {
			break
		}
		_, after, ok := strings.Cut(rest, "-->")
		if !ok {
			break
		}
		b.WriteString(before)
		s = after
	}
	if b.Len() == 0 {
		return s
	}
	b.WriteString(s)
	return b.String()
}

// firstSentence cuts a line after the first full stop, question mark or exclamation mark that
// precedes a space. rest is empty if there is none.
func firstSentence(line string) (first, rest string) {
	for i := 0; i+1 < len(line); i++ {
		if strings.IndexByte(".?!", line[i]) >= 0 && line[i+1] == ' ' {
			return line[:i+1], strings.TrimSpace(line[i+1:])
		}
	}
	return line, ""
}
