package prose

import (
	"slices"
	"strings"

	"patina/store/markdown"
)

// A Goal is something that the record of a session leaves open, on one line.
type Goal struct {
	Text string
	Line int // from 1
}

// maxGoals bounds the goals of a record.
const maxGoals = 50

// openHeadings are the headings of sections that list open work, in lower case.
var openHeadings = []string{
	"next", "next step", "next steps", "next session", "handoff", "hand-off", "handover", "todo", "todos", "to do",
	"open", "open goals", "open items", "open issues", "open questions", "open work", "remaining", "remaining work",
	"unfinished", "left to do", "follow-up", "follow-ups", "follow up", "pending",
}

// OpenGoals returns the open work in the record of a session: the items under a heading such as
// "Next steps", then all other boxes without a tick. It is pure and never fails.
func OpenGoals(text string) []Goal {
	text = text[:min(len(text), maxSessionText)]
	_, body, _ := markdown.SplitFrontMatter(text)
	r := goalReader{line: strings.Count(text[:len(text)-len(body)], "\n")}
	for line := range strings.Lines(body) {
		r.line++
		r.readLine(strings.TrimRight(line, " \t\r\n"))
	}
	r.endParagraph()
	all := append(r.next, r.boxes...)
	return all[:min(len(all), maxGoals)]
}

// A goalReader reads a record line by line.
type goalReader struct {
	line        int
	fence       markdown.Fence
	level       int  // of the heading of a section that lists open work, or 0
	repeats     bool // the section repeats another session
	paragraph   Goal // in such a section
	next, boxes []Goal
}

func (r *goalReader) readLine(line string) {
	bare := strings.TrimSpace(line)
	if r.fence.Step(bare) != markdown.Outside {
		r.endParagraph()
		return
	}
	if level, heading := headingOf(line); level > 0 {
		r.endParagraph()
		r.openSection(level, strings.ToLower(strings.Trim(heading, " *_:")))
		return
	}
	item, isItem := cutBullet(bare)
	state, box := cutBox(item)
	switch {
	case r.repeats:
	case isItem:
		r.endParagraph()
		if state == ' ' {
			r.addGoal(Goal{box, r.line}, r.level > 0)
		} else if state == 0 && r.level > 0 && !strings.HasPrefix(item, "~~") {
			r.addGoal(Goal{item, r.line}, true)
		}
	case bare == "":
		r.endParagraph()
	case r.level > 0 && r.paragraph.Text == "":
		r.paragraph = Goal{bare, r.line}
	case r.level > 0:
		r.paragraph.Text += " " + bare
	}
}

// openSection begins a section. A section that lists open work includes those of deeper headings.
func (r *goalReader) openSection(level int, heading string) {
	if level <= 2 {
		r.repeats = strings.HasPrefix(heading, previous)
	}
	switch {
	case slices.Contains(openHeadings, heading):
		r.level = level
	case level <= r.level:
		r.level = 0
	}
}

func (r *goalReader) endParagraph() {
	if r.paragraph.Text != "" && !strings.HasPrefix(r.paragraph.Text, "<!--") {
		r.addGoal(r.paragraph, true)
	}
	r.paragraph = Goal{}
}

// addGoal keeps a goal that says something and is new.
func (r *goalReader) addGoal(g Goal, isNext bool) {
	g.Text = cut(Plain(g.Text))
	known := func(k Goal) bool { return k.Text == g.Text }
	switch word := strings.ToLower(strings.Trim(g.Text, "().- ")); word {
	case "", "none", "n/a", "nothing", "tbd":
		return
	}
	if slices.ContainsFunc(r.next, known) || slices.ContainsFunc(r.boxes, known) || len(r.next)+len(r.boxes) >= 2*maxGoals {
		return
	}
	if isNext {
		r.next = append(r.next, g)
		return
	}
	r.boxes = append(r.boxes, g)
}

// cutBullet returns the text of a list item without its mark.
func cutBullet(line string) (item string, ok bool) {
	mark, rest, found := strings.Cut(line, " ")
	if !found {
		return line, false
	}
	number := strings.TrimRight(mark, ".)")
	isNumber := len(number) == len(mark)-1 && number != "" && strings.Trim(number, "0123456789") == ""
	if mark == "-" || mark == "*" || mark == "+" || isNumber {
		return strings.TrimSpace(rest), true
	}
	return line, false
}

// cutBox returns the character in the box before an item and the text behind the box. Without a box
// the character is 0.
func cutBox(item string) (state byte, text string) {
	if len(item) < 3 || item[0] != '[' || item[2] != ']' || len(item) > 3 && item[3] != ' ' {
		return 0, item
	}
	return item[1], strings.TrimSpace(item[3:])
}
