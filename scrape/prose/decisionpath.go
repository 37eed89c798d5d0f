package prose

import (
	"fmt"
	"hash/fnv"
	"path"
	"strings"

	"patina/store/text"

	"patina/internal/lazyregexp"
)

// folders are the names of folders with decision records, at any depth. So are names that end in
// one of their words, such as architecture-decisions and decision_records.
var folders = text.Set("adr adrs decision decisions rfc rfcs proposal proposals kep keps")

// notRecords are parts of the names of folders that have no decisions of the project itself.
var notRecords = text.Set("test tests testdata testing fixture fixtures example examples sample samples template " +
	"templates demo demos vendor commands prompts skills node_modules third_party .claude .cursor .github .gemini " +
	".codex .opencode")

// notRecord are the names of files next to records, without their extensions.
var notRecord = text.Set("readme index template contributing changelog summary toc license code_of_conduct " +
	"process guidelines glossary")

// templates are the words that mark a file as a template.
var templates = text.Set("template templates")

// IsDecision reports whether a path is that of a decision record. It must be a document in a folder
// of decisions, no overview, and not in a folder of tests, examples or templates.
func IsDecision(name string) bool {
	if _, ok := FormatOf(name); !ok || strings.EqualFold(path.Ext(name), ".mdc") {
		return false
	}
	dir, base := path.Split(strings.ToLower(name))
	kept := false
	for part := range strings.SplitSeq(strings.Trim(dir, "/"), "/") {
		if notRecords.Has(part) || hasWord(part, notRecords) {
			return false
		}
		kept = kept || holdsRecords(part)
	}
	stem := strings.TrimSuffix(base, path.Ext(base))
	if !kept || strings.HasPrefix(stem, "_") || strings.HasPrefix(stem, ".") {
		return false
	}
	if own := path.Base(dir); ownFolder().MatchString(own) {
		// keps/sig-node/1287-resize/ has one record, and papers next to it.
		return stem == "readme" || stem == "index" || stem == own || folders.Has(stem)
	}
	return !notRecord.Has(stem) && !hasWord(stem, templates)
}

// holdsRecords reports whether a folder of that name, in lower case, has decision records.
func holdsRecords(name string) bool { return folders.Has(name) || folderForm().MatchString(name) }

// folderForm matches the names of folders of decisions that have several words.
var folderForm = lazyregexp.New(`^(?:[a-z0-9]+[-_ .])*(?:decisions|adrs?|(?:design|architecture|architectural` +
	`|technical)[-_ ]?decisions?|decision[-_ ]?(?:records?|logs?))$`)

// hasWord reports whether one of the words that "-", "_" and "." join to a name is in a set.
func hasWord(name string, words *text.WordSet) bool {
	for w := range strings.FieldsFuncSeq(name, func(r rune) bool { return r == '-' || r == '_' || r == '.' }) {
		if words.Has(w) {
			return true
		}
	}
	return false
}

// stemNumber finds the number in a file's name: 0012-title, adr-7, RFC_0003.
var stemNumber = lazyregexp.New(`^(?i:(?:adr|rfc|kep|pep|proposal|decision)s?[-_ ]?)?0*(\d{1,6})(?:[-_. ]|$)`)

// stemDate finds the date in a file's name: 20201103-title, 2020-11-03-title.
var stemDate = lazyregexp.New(`^((?:19|20)\d\d)-?([01]\d)-?([0-3]\d)(?:[-_. ]|$)`)

// ownFolder matches the name of a folder for one record: a number and words.
var ownFolder = lazyregexp.New(`^(?:(?:adr|rfc|kep|pep|proposal|decision)s?[-_ ]?)?\d[\d-]*[-_][a-z]`)

// stemOf returns the name that distinguishes a record from those next to it: that of the file, or
// of the folder that the file describes.
func stemOf(name string) string {
	base := path.Base(name)
	stem := strings.TrimSuffix(base, path.Ext(base))
	if low := strings.ToLower(stem); low == "readme" || low == "index" {
		stem = path.Base(path.Dir(name))
	}
	return stem
}

// idOf returns the id of a record among the beliefs of a project. A bare number is preceded by its
// folder's name, because it says too little.
func idOf(name string) string {
	stem := stemOf(name)
	if strings.Trim(stem, "0123456789") == "" {
		stem = path.Base(path.Dir(name)) + "-" + stem
	}
	return slug(stem)
}

// maxID is the most bytes of an id.
const maxID = 80

// slug returns a text in lower case, its runs of letters a-z, digits and dots joined by hyphens. If
// nothing is left, it returns a hash of the text. The result is never empty.
func slug(s string) string {
	words := strings.FieldsFunc(strings.ToLower(s), func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < '0' || r > '9') && r != '.'
	})
	id := strings.TrimLeft(strings.Join(words, "-"), ".-")
	if id = strings.TrimRight(id[:min(len(id), maxID)], "-"); id != "" {
		return id
	}
	h := fnv.New32a()
	_, _ = h.Write([]byte(s))
	return fmt.Sprintf("record-%08x", h.Sum32())
}

// HeadName is the name of the file next to a Kubernetes Enhancement Proposal that has its status.
const HeadName = "kep.yaml"

// HeadOf returns the path of the file that may have the status of a record, or "".
func HeadOf(name string) string {
	if !strings.Contains(name, "keps/") || !strings.EqualFold(path.Base(name), "readme.md") {
		return ""
	}
	return path.Join(path.Dir(name), HeadName)
}
