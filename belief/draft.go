package belief

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"patina/internal/lazyregexp"
	"patina/store/markdown"
)

// A Draft is a belief to be written.
type Draft struct {
	ID           string
	Statement    string // one sentence
	Facets       []string
	Entrenchment string   // low, medium, high, very-high, or a number from 0 to 1; empty: medium
	Evidence     []string // names, each optionally with ": " and words
	Supports     []string // ids
	Attacks      []string // ids
	Day          time.Time
	Whole        bool // includes the headings of empty sections, for a person to fill in
}

// DefaultFolder is the folder for the first belief of a project.
const DefaultFolder = "layer/surface/epistemic/beliefs"

// idForm is the form of an id. It must be a valid file name on every system.
var idForm = lazyregexp.New(`^[a-z0-9](?:[a-z0-9._-]{0,78}[a-z0-9])?$`)

// CheckID returns an error if a text cannot be the id of a new belief.
func CheckID(id string) error {
	if !idForm().MatchString(id) {
		return fmt.Errorf("%q is no id: want up to 80 small letters, digits and hyphens, such as sync-first", id)
	}
	if strings.HasPrefix(id, "belief-") {
		return fmt.Errorf("%q is no id: a link leaves out \"belief-\"", id)
	}
	if len(id) >= 7 && strings.Trim(id, "0123456789abcdef") == "" {
		return fmt.Errorf("%q is no id: it reads like the name of a commit", id)
	}
	return nil
}

// maxFile bounds the file of a new belief, in bytes.
const maxFile = 64 << 10

// CheckFile returns an error if a text cannot be the file of a new belief. It is stricter than
// Broken, because only readers must be tolerant.
func CheckFile(text string) error {
	if len(text) > maxFile {
		return fmt.Errorf("it has %d bytes: want at most %d", len(text), maxFile)
	}
	if why := Broken(text); why != "" {
		return errors.New(why)
	}
	b := Parse(".md", text)
	if strings.ContainsAny(b.Statement[:1], "-*+") { // the first bullet of a section
		return errors.New("no statement")
	}
	if len(b.Statement) == maxValue {
		return fmt.Errorf("its statement is longer than %d bytes", maxValue-1)
	}
	if faults := Misread(text); len(faults) > 0 {
		return fmt.Errorf("line %d: %s", faults[0].Line, faults[0].What)
	}
	for _, e := range slices.Concat(b.Supports, b.Attacks) {
		if strings.EqualFold(e.Target, b.ID) {
			return fmt.Errorf("line %d: it supports or attacks itself", e.Line)
		}
	}
	return nil
}

// Check returns an error if a draft cannot be written.
func (d Draft) Check() error {
	if err := CheckID(d.ID); err != nil {
		return err
	}
	switch s := strings.TrimSpace(d.Statement); {
	case s == "":
		return errors.New("a belief needs a statement: one sentence")
	case strings.ContainsAny(s, "\n\r"):
		return errors.New("the statement has several lines: want one sentence")
	case strings.ContainsFunc(s, unicode.IsControl), !utf8.ValidString(s):
		return errors.New("the statement holds characters that cannot be printed")
	case strings.HasPrefix(s, "#"), strings.HasPrefix(s, "<!--"), markdown.Marks(s) > 0:
		return fmt.Errorf("the statement begins with %.3q, which has a meaning in Markdown", s)
	}
	if _, ok := entrenchmentOf(d.Entrenchment); d.Entrenchment != "" && !ok {
		return fmt.Errorf("entrenchment %q: want low, medium, high, very-high, or a number from 0 to 1", d.Entrenchment)
	}
	for _, id := range append(append([]string{}, d.Supports...), d.Attacks...) {
		if strings.ContainsAny(id, "[]|\n\r") || strings.TrimSpace(id) == "" {
			return fmt.Errorf("%q is no id of a belief", id)
		}
	}
	for _, f := range d.Facets {
		if strings.ContainsAny(f, ",[]\n\r\"#") || strings.TrimSpace(f) == "" {
			return fmt.Errorf("%q is no facet: want a word", f)
		}
	}
	for _, e := range d.Evidence {
		if strings.ContainsAny(e, "\n\r") || !isLinkable(nameOf(e)) {
			return fmt.Errorf("%q names no evidence: want a session, a commit, a belief or a path, and words behind \": \"", e)
		}
	}
	return nil
}

// isLinkable reports whether a name in "[[…]]" is read back unchanged. A path may have its own
// brackets: app/[id]/page.ts.
func isLinkable(name string) bool {
	return name != "" && targetOf("[["+name+"]]: x") == name && !strings.Contains(name, "[[")
}

// nameOf returns the part of a piece of evidence that is linked.
func nameOf(evidence string) string {
	name, _, _ := strings.Cut(evidence, ": ")
	return strings.TrimSpace(name)
}

// Text returns the file of a draft, which should have passed Check. Parse reads it back.
func (d Draft) Text() string {
	var b strings.Builder
	entrenchment := d.Entrenchment
	if entrenchment == "" {
		entrenchment = "medium"
	}
	day := d.Day.Format(time.DateOnly)
	fmt.Fprintf(&b, "---\ntype: belief\nid: %s\nfacets: [%s]\nentrenchment: %s\nstatus: active\nendorsed: true\nextracted: %s\nrevised: %s\n---\n\n# %s\n\n%s\n",
		d.ID, strings.Join(d.Facets, ", "), entrenchment, day, day, d.ID, strings.TrimSpace(d.Statement))
	section := func(heading string, items []string, line func(string) string) {
		if len(items) == 0 && !d.Whole {
			return
		}
		b.WriteString("\n## " + heading + "\n\n")
		for _, item := range items {
			b.WriteString("- " + line(item) + "\n")
		}
	}
	section("Evidence", d.Evidence, func(e string) string {
		return "[[" + nameOf(e) + "]]" + strings.TrimPrefix(strings.TrimSpace(e), nameOf(e))
	})
	section("Supports", d.Supports, func(id string) string { return "[[" + id + "]]" })
	section("Attacks", d.Attacks, func(id string) string { return "[[" + id + "]] (status: active)" })
	fmt.Fprintf(&b, "\n## Revision Log\n\n- %s: written\n", day)
	return b.String()
}
