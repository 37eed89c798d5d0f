package prose

import (
	"path"
	"slices"
	"strings"

	"patina/store/text"

	"patina/internal/lazyregexp"
	"patina/store/markdown"
)

// A Decision is one decision, in the words of its file.
type Decision struct {
	Path   string
	ID     string // the file's name as a slug; equal names in two folders give equal ids
	Number string // without leading zeros, or ""
	Title  string
	Date   string // YYYY-MM-DD, or as written
	Status DecisionStatus
	Said   string // the words of the status, or ""

	Statement    Statement
	SupersededBy []Reference
	Supersedes   []Reference

	TitleLine  int
	DateLine   int // 0 if the file's name gives the date
	StatusLine int // 0 if no status is given
	Lines      int // the last line with text
	Cut        bool
}

// ParseDecision reads a decision record. meta is the kep.yaml next to the file, or nil. It returns
// nil and false if the text has no blocks.
func ParseDecision(name string, source, meta []byte) (*Decision, bool) {
	format, _ := FormatOf(name)
	d := Read(format, source)
	fields := headFields(d)
	if len(meta) > 0 {
		entries, _ := markdown.ReadYAML(string(meta[:min(len(meta), MaxHead)]))
		fields = append(Fields(entries), fields...)
	}
	all := sections(d)
	r := &Decision{Path: name, ID: idOf(name), Cut: d.Cut}
	r.number(name)
	r.title(d, fields)
	if r.Title == "" || len(d.Blocks) == 0 {
		return nil, false
	}
	r.Lines = d.Blocks[len(d.Blocks)-1].Last
	said := statusLines(fields, all)
	r.status(said)
	r.date(fields, said)
	r.supersession(fields, said)
	r.Statement = stated(fields, all, Statement{Text: r.Title, First: r.TitleLine, Last: r.TitleLine})
	return r, true
}

// MaxHead is the most bytes of a kep.yaml that are read.
const MaxHead = 64 << 10

// number sets the number from the file's name.
func (r *Decision) number(name string) { r.Number = numberOf(stemOf(name)) }

// titleMark is the text before the title proper: "ADR-0001:", "12.", "[RFC] ", "PEP 8 –".
var titleMark = lazyregexp.New(`^(?:(?i:\[?(?:adr|rfc|kep|pep|decision|proposal|architecture decision record|design ` +
	`proposal)s?\]?)(?:\s*[-_#: ]*0*(\d{1,6})\b\s*[-–—:.)\]]*\s*|\s*[:\]–—]\s*)|0*(\d{1,6})(?:\s*[.:)–—]\s+` +
	`|\s+[-–—]\s+))`)

// title sets the title from the front matter, else from the first heading, else from the file's
// name.
func (r *Decision) title(d *Document, fields []Field) {
	title, line := "", 1
	if f, ok := field(fields, "title"); ok {
		title, line = Plain(f.Value), f.Line
	} else {
		for _, b := range d.Blocks {
			if b.Kind == Heading {
				title, line = Plain(b.Text), b.First
				break
			}
		}
	}
	if title == "" || namesSection(strings.ToLower(title)) {
		title, line = strings.Join(strings.FieldsFunc(stemOf(r.Path),
			func(c rune) bool { return c == '-' || c == '_' }), " "), 1
	}
	if m := titleMark().FindStringSubmatch(title); m != nil && len(m[0]) < len(title) {
		title = title[len(m[0]):]
		if r.Number == "" {
			r.Number = strings.TrimLeft(m[1]+m[2], "0")
		}
	}
	r.Title, r.TitleLine = shortened(strings.TrimSpace(title)), line
}

// sectionNames are headings of one word that are no titles.
var sectionNames = text.Set("summary status context motivation abstract problem metadata background introduction overview " +
	"zusammenfassung kontext contexte contexto statut estado résumé resumen 背景 摘要 概述 状态 狀態")

// namesSection reports whether a heading in lower case is that of a section and no title. A record
// may begin with one.
func namesSection(heading string) bool {
	return sectionNames.Has(heading) || slices.Contains(statementSections, heading) ||
		heading == "kep template" || heading == "adr template" || heading == "rfc template"
}

// statusSections are the headings above a record's status.
var statusSections = map[string]bool{
	"status": true, "decision status": true, "statut": true, "estado": true, "zustand": true, "状态": true, "狀態": true,
}

// maxStatusLines is the most lines of a section that are read as status.
const maxStatusLines = 20

// statusLines returns the lines about the status: the field, then the section.
func statusLines(fields []Field, all []section) []Field {
	var said []Field
	if f, ok := field(fields, "status", "state", "adr-status", "decision-status", "rfc-status", "current-status",
		"statut", "estado", "zustand", "状态", "狀態"); ok {
		said = append(said, Field{Name: f.Name, Value: f.Value, Line: f.Line})
	}
	for i, s := range all {
		if !statusSections[s.name] {
			continue
		}
		for _, b := range body(all, i) {
			for n, line := range strings.Split(b.Text, "\n") {
				if len(said) < maxStatusLines {
					said = append(said, Field{Name: "status", Value: line, Line: b.First + n})
				}
			}
		}
		break
	}
	return said
}

// status sets the status from the lines about it. If they have no known word, the name of a folder
// such as "rejected" decides.
func (r *Decision) status(said []Field) {
	lines := make([]string, len(said))
	for i, f := range said {
		lines[i] = f.Value
	}
	known := false
	if r.Status, known = statusOf(lines); known {
		for _, f := range said {
			if s, ok := standing(f.Value); ok && s == r.Status {
				r.Said, r.StatusLine = shortened(Plain(f.Value)), f.Line
				break
			}
		}
		return
	}
	if len(said) > 0 {
		r.Said, r.StatusLine = shortened(Plain(said[0].Value)), said[0].Line
	}
	if s, ok := folderStatus(path.Dir(r.Path)); ok {
		r.Status = s
	}
}

// anyDate finds a date as records write it.
var anyDate = lazyregexp.New(`\b((?:19|20)\d\d)[-./]([01]?\d)[-./]([0-3]?\d)\b`)

// date sets the date of the decision, else that of its creation, else that in the file's name.
func (r *Decision) date(fields, said []Field) {
	f, ok := field(fields, "date", "decided", "decision-date", "accepted", "created", "creation-date", "start-date",
		"proposed", "last-updated", "updated", "datum", "fecha", "日期")
	if ok {
		r.Date, r.DateLine = shortened(Plain(f.Value)), f.Line
		if m := anyDate().FindStringSubmatch(f.Value); m != nil {
			r.Date = isoDate(m[1:])
		}
		return
	}
	for _, f := range said {
		if m := anyDate().FindStringSubmatch(f.Value); m != nil {
			r.Date, r.DateLine = isoDate(m[1:]), f.Line
			return
		}
	}
	if m := stemDate().FindStringSubmatch(stemOf(r.Path)); m != nil {
		r.Date = isoDate(m[1:])
	}
}

// isoDate returns year, month and day as YYYY-MM-DD. It changes parts.
func isoDate(parts []string) string {
	for i, p := range parts {
		if len(p) == 1 {
			parts[i] = "0" + p
		}
	}
	return strings.Join(parts, "-")
}

// supersession sets the records that replace this one, and those that it replaces. A record that is
// replaced becomes archived, unless its own words say that it is active.
func (r *Decision) supersession(fields, said []Field) {
	for _, f := range fields {
		switch f.Name {
		case "superseded-by", "superceded-by", "replaced-by", "obsoleted-by", "ersetzt-durch", "abgelöst-durch",
			"remplacé-par", "reemplazado-por", "sustituido-por":
			r.SupersededBy = append(r.SupersededBy, references(f.Value, f.Line)...)
		case "supersedes", "supercedes", "replaces", "obsoletes":
			r.Supersedes = append(r.Supersedes, references(f.Value, f.Line)...)
		}
	}
	r.SupersededBy = distinct(append(r.SupersededBy, referencesAfter(replaced(), said)...), r.ID)
	r.Supersedes = distinct(append(r.Supersedes, referencesAfter(replaces(), said)...), r.ID)
	if len(r.SupersededBy) > 0 && (r.Status != DecisionActive || r.Said == "") {
		r.Status = DecisionArchived
	}
}

// distinct returns the first of equal references, and no reference to the record itself.
func distinct(all []Reference, self string) []Reference {
	var kept []Reference
	seen := map[string]bool{self: true}
	for _, r := range all {
		key := r.ID
		if key == "" {
			key = "#" + r.Number
		}
		if !seen[key] && len(kept) < maxReferences {
			seen[key] = true
			kept = append(kept, r)
		}
	}
	return kept
}
