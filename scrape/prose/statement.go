package prose

import (
	"iter"
	"strings"
	"unicode"

	"patina/store/text"

	"patina/internal/lazyregexp"
)

// A Statement is the sentence that states a decision.
type Statement struct {
	Text    string
	Section string // the heading above it, in lower case; "" for the title alone
	First   int
	Last    int
}

const (
	minWords     = 4   // a shorter sentence needs the title to be understood
	maxStatement = 400 // bytes
)

// fillers begin a sentence that does not state the decision: an instruction of the template, or an
// announcement.
var fillers = []string{
	"this section", "this is where", "this is the", "in this section", "here we", "describe ", "explain ",
	"what is the change", "what are we", "tbd", "todo", "to be decided", "to be determined", "n/a", "none",
	"we will describe", "see ", "tracking issue", "http://", "https://", "amended by", "note:", "note that",
	"the following section", "the sections below", "{", "<",
	"the following", "as described", "as discussed", "as mentioned", "let's start",
	"historically", "until recently", "currently", "the current ",
}

// stated returns the statement of a record: the summary in its head, else the first of its sections
// that has one, else the title.
func stated(fields []Field, all []section, title Statement) Statement {
	if f, ok := field(fields, "summary", "decision"); ok && len(strings.Fields(f.Value)) >= minWords {
		b := Block{First: f.Line, Last: f.Line, Text: f.Value}
		if found, ok := firstSentence([]Block{b}); ok {
			found.Section = f.Name
			return titled(found, title)
		}
	}
	for _, name := range statementSections {
		for i, s := range all {
			if s.name != name && !strings.HasPrefix(s.name, name+":") {
				continue
			}
			if found, ok := firstSentence(body(all, i)); ok {
				found.Section = s.name
				return titled(found, title)
			}
		}
	}
	return title
}

// maxLead is the most sentences among which one without a list below it is looked for.
const maxLead = 4

// deeds begin a title that is a decision by itself: "Use a queue", "Avoiding globals".
var deeds = text.Set("use using adopt adopting avoid avoiding move moving replace replacing remove removing drop " +
	"dropping keep keeping make making write writing add adding introduce introducing store storing split splitting " +
	"merge merging migrate migrating switch switching support supporting require requiring allow allowing limit " +
	"limiting provide providing distribute implement implementing deprecate deprecating record choose prefer " +
	"preferring separate treat expose rename rewrite run enable enabling disable disabling do don't never always " +
	"only we no ban restrict standardize standardise pin update")

// Stated reports whether the record states a decision: in a section, or by a title such as "Use a
// queue". A record with another title is a document like others, because that only names a subject.
func (r *Decision) Stated() bool {
	first, _, _ := strings.Cut(strings.ToLower(r.Title), " ")
	return r.Statement.Section != "" || deeds.Has(first)
}

// firstSentence returns the first sentence of some blocks that makes a statement. A sentence that
// announces a list is returned only if there is no better one near. Quotations and tables are
// skipped.
func firstSentence(blocks []Block) (Statement, bool) {
	var first Statement
	seen := 0
	for i := range blocks {
		for s := range saying(blocks[i:]) {
			if !leadsOn(s.Text) {
				return s, true
			}
			if seen == 0 {
				first = s
			}
			if seen++; seen == maxLead {
				return first, true
			}
		}
	}
	return first, seen > 0
}

// saying yields the sentences of the first block that make a statement. blocks must not be empty.
func saying(blocks []Block) iter.Seq[Statement] {
	return func(yield func(Statement) bool) {
		b := blocks[0]
		if b.Kind != Paragraph && b.Kind != Item {
			return
		}
		for _, x := range b.Sentences() {
			if !says(x.Text) {
				continue
			}
			next := Statement{Text: x.Text, First: x.First, Last: x.Last}
			if leadsOn(x.Text) && x.Last == b.Last {
				next = continued(next, blocks[1:])
			}
			next.Text = shortened(next.Text)
			if !yield(next) {
				return
			}
		}
	}
}

// announces finds a sentence about the record itself.
var announces = lazyregexp.New(`^this (?:adr|document|kep|rfc|proposal|record|decision) (?:is intended|intends` +
	`|describes|outlines|documents|covers|explains|aims)\b`)

// says reports whether a sentence has words, and is no question and no filler.
func says(text string) bool {
	low := strings.TrimLeft(strings.ToLower(text), "*_-• ")
	for _, f := range fillers {
		if strings.HasPrefix(low, f) {
			return false
		}
	}
	words := 0
	for w := range strings.FieldsSeq(low) {
		if strings.ContainsFunc(w, unicode.IsLetter) {
			words++
		}
	}
	return words > 1 && !strings.HasSuffix(low, "?") && !announces().MatchString(low)
}

// openWords end a sentence that continues below it.
var openWords = text.Set("because with to by for as of and or is are that the a in from")

// leadsOn reports whether a sentence continues in the list or the code below it.
func leadsOn(text string) bool {
	return strings.HasSuffix(text, ":") || strings.HasSuffix(text, ",") ||
		openWords.Has(text[strings.LastIndexByte(text, ' ')+1:])
}

// continued joins a sentence with the first item of the list below it. It returns s if there is no
// list.
func continued(s Statement, below []Block) Statement {
	if len(below) == 0 || below[0].Kind != Item {
		return s
	}
	next := below[0].Sentences()
	if len(next) == 0 || !says(next[0].Text) {
		return s
	}
	s.Text += " " + next[0].Text
	s.Last = next[0].Last
	return s
}

// dependent are first words of a sentence that is not understood without the title: the form
// "Chosen option: …" of MADR, an answer, a pronoun.
var dependent = text.Set("chosen option options yes no this that these those it its they he she both instead also " +
	"therefore thus hence so")

// titled puts the title before a sentence that is not understood alone, or only says how something
// is done.
func titled(s, title Statement) Statement {
	words := strings.Fields(strings.ToLower(s.Text))
	if title.Text == "" || len(words) >= minWords && s.Section != "design" && !leadsOn(s.Text) &&
		!dependent.Has(strings.Trim(words[0], ",.:*'\"")) {
		return s
	}
	s.Text = shortened(strings.TrimRight(title.Text, ".:") + ": " + s.Text)
	return s
}

// shortened cuts a text after a word, and not inside code.
func shortened(s string) string {
	if len(s) <= maxStatement {
		return s
	}
	s = s[:maxStatement]
	if at := strings.LastIndexByte(s, '`'); at > 0 && strings.Count(s, "`")%2 == 1 {
		s = s[:at]
	}
	if at := strings.LastIndexByte(s, ' '); at > 0 {
		s = s[:at]
	}
	return strings.ToValidUTF8(s, "") + "…"
}
