package prose

import (
	"fmt"
	"hash/fnv"
	"path"
	"strings"

	"patina/internal/lazyregexp"
)

// folders hold decision records, at any depth. So do names that end in one of their words, such as
// architecture-decisions and decision_records.
var folders = newWordSet("adr adrs decision decisions rfc rfcs proposal proposals kep keps")

// notRecords are parts of the names of folders that hold no decisions of the project itself.
var notRecords = newWordSet("test tests testdata testing fixture fixtures example examples sample samples template templates " +
	"demo demos vendor commands prompts skills node_modules third_party .claude .cursor .github .gemini .codex .opencode")

// notRecord are names of files beside records, without their endings.
var notRecord = newWordSet("readme index template contributing changelog summary toc license code_of_conduct process guidelines glossary")

// templates are words of a file's name that make it one.
var templates = newWordSet("template templates")

func newWordSet(words string) map[string]bool {
	m := map[string]bool{}
	for w := range strings.FieldsSeq(words) {
		m[w] = true
	}
	return m
}

// IsRecord reports whether a path is that of a decision record: a document in a folder of
// decisions, not in one of tests, examples or templates, and no overview.
func IsDecision(name string) bool {
	if _, ok := FormatOf(name); !ok || strings.EqualFold(path.Ext(name), ".mdc") {
		return false
	}
	dir, base := path.Split(strings.ToLower(name))
	kept := false
	for part := range strings.SplitSeq(strings.Trim(dir, "/"), "/") {
		if notRecords[part] || hasWord(part, notRecords) {
			return false
		}
		kept = kept || holdsRecords(part)
	}
	stem := strings.TrimSuffix(base, path.Ext(base))
	if !kept || strings.HasPrefix(stem, "_") || strings.HasPrefix(stem, ".") {
		return false
	}
	if own := path.Base(dir); ownFolder().MatchString(own) {
		// keps/sig-node/1287-resize/ holds one record, and papers beside it.
		return stem == "readme" || stem == "index" || stem == own || folders[stem]
	}
	return !notRecord[stem] && !hasWord(stem, templates)
}

// holdsRecords reports whether a folder of that name, in lower case, holds decision records.
func holdsRecords(name string) bool { return folders[name] || folderForm().MatchString(name) }

// folderForm matches the names of folders of decisions that have several words.
var folderForm = lazyregexp.New(`^(?:[a-z0-9]+[-_ .])*(?:decisions|adrs?|(?:design|architecture|architectural|technical)[-_ ]?decisions?|decision[-_ ]?(?:records?|logs?))$`)

// hasWord reports whether one of the words that "-", "_" and "." join to a name is in a set.
func hasWord(name string, words map[string]bool) bool {
	for w := range strings.FieldsFuncSeq(name, func(r rune) bool { return r == '-' || r == '_' || r == '.' }) {
		if words[w] {
			return true
		}
	}
	return false
}

// stemNumber finds the number in a file's name: 0012-title, adr-7, RFC_0003.
var stemNumber = lazyregexp.New(`^(?i:(?:adr|rfc|kep|pep|proposal|decision)s?[-_ ]?)?0*(\d{1,6})(?:[-_. ]|$)`)

// stemDate finds the date in a file's name: 20201103-title, 2020-11-03-title.
var stemDate = lazyregexp.New(`^((?:19|20)\d\d)-?([01]\d)-?([0-3]\d)(?:[-_. ]|$)`)

// ownFolder matches the name of a folder that holds one record: a number and words.
var ownFolder = lazyregexp.New(`^(?:(?:adr|rfc|kep|pep|proposal|decision)s?[-_ ]?)?\d[\d-]*[-_][a-z]`)

// stemOf is the name that tells a record from those beside it: that of the file, or of the folder
// that the file describes.
func stemOf(name string) string {
	base := path.Base(name)
	stem := strings.TrimSuffix(base, path.Ext(base))
	if low := strings.ToLower(stem); low == "readme" || low == "index" {
		stem = path.Base(path.Dir(name))
	}
	return stem
}

// idOf is the identity of a record among the beliefs of a project. A bare number says too little,
// so its folder's name stands before it.
func idOf(name string) string {
	stem := stemOf(name)
	if strings.Trim(stem, "0123456789") == "" {
		stem = path.Base(path.Dir(name)) + "-" + stem
	}
	return slug(stem)
}

// maxID bounds an id, in bytes.
const maxID = 80

// slug is a text in lower case, its runs of letters a-z, digits and dots joined by hyphens. Where
// none is left, it is a hash of the text.
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

// HeadName names the file beside a Kubernetes Enhancement Proposal that holds its status.
const HeadName = "kep.yaml"

// HeadOf returns the path of the file that may hold the status of a record, or "".
func HeadOf(name string) string {
	if !strings.Contains(name, "keps/") || !strings.EqualFold(path.Base(name), "readme.md") {
		return ""
	}
	return path.Join(path.Dir(name), HeadName)
}
