package prose

import (
	"strings"
	"unicode"

	"patina/store/text"
)

// A DecisionStatus is the standing of a decision, in the words of beliefs.
type DecisionStatus string

// The standings.
const (
	DecisionActive   DecisionStatus = "active"
	DecisionProposed DecisionStatus = "proposed"
	DecisionDefeated DecisionStatus = "defeated"
	DecisionArchived DecisionStatus = "archived"
)

// standings map the words of records, in English, German, French, Spanish and Chinese. A record
// without status is active.
var standings = map[DecisionStatus]*text.WordSet{
	DecisionActive: text.Set("accepted accept approved approve adopted implemented implementable implementing " +
		"final finished active decided agreed done complete completed merged released stable ratified landed " +
		"committed shipped current valid live in-force enforced standard experimental " +
		"akzeptiert angenommen beschlossen genehmigt entschieden umgesetzt accepté acceptée adopté adoptée approuvé " +
		"approuvée validé validée aceptado aceptada aprobado aprobada adoptado adoptada 已接受 接受 已采纳 采纳 已批准 批准 已通过 通过 " +
		"已採納 採納"),
	DecisionProposed: text.Set("proposed proposal proposing draft drafted drafting pending provisional open " +
		"discussion discussing deferred wip review reviewing reviewed submitted idea planned unapproved undecided " +
		"tbd todo hold postponed vorgeschlagen entwurf offen zurückgestellt proposé proposée brouillon propuesto " +
		"propuesta borrador pendiente 提议 提議 已提议 已提議 提案 草案 草稿 讨论中 討論中 待定"),
	DecisionDefeated: text.Set("rejected reject declined denied deprecated deprecate withdrawn withdraw abandoned " +
		"obsolete obsoleted cancelled canceled closed dropped retired revoked reverted removed inactive discarded " +
		"abgelehnt verworfen veraltet zurückgezogen rejeté rejetée refusé refusée obsolète abandonné abandonnée " +
		"déprécié dépréciée rechazado rechazada obsoleto obsoleta descartado descartada 已拒绝 拒绝 已拒絕 拒絕 已废弃 废弃 已廢棄 廢棄 " +
		"已弃用 弃用 已否决 否决"),
	DecisionArchived: text.Set("superseded superceded supersede replaced archived archive ersetzt abgelöst " +
		"archiviert remplacé remplacée archivé archivée reemplazado reemplazada sustituido sustituida archivado " +
		"archivada 已取代 取代 被取代 已被取代 已替代 被替代 已归档 归档"),
}

// strength orders the standings on different lines of a record, because one that was accepted and
// later superseded is superseded.
var strength = map[DecisionStatus]int{DecisionProposed: 1, DecisionActive: 2, DecisionDefeated: 3, DecisionArchived: 4}

// statusOf returns the standing in the lines of a status. known is false if no word of them is
// known. Such a record counts as one without status.
func statusOf(lines []string) (s DecisionStatus, known bool) {
	s = DecisionActive
	for _, line := range lines {
		if of, ok := standing(line); ok && (!known || strength[of] > strength[s]) {
			s, known = of, true
		}
	}
	return s, known
}

// negations negate the words after them.
var negations = text.Set("not never un nicht pas no 未")

// maxStatusWords is the number of words of a line among which its status is looked for.
const maxStatusWords = 12

// standing returns the standing of the first known word of a line. A line with all of them comes
// from a template, and has no standing.
func standing(line string) (DecisionStatus, bool) {
	words := strings.FieldsFunc(strings.ToLower(withoutStruck(line)), func(r rune) bool {
		return r != '-' && !unicode.IsLetter(r)
	})
	found, seen, negated := DecisionStatus(""), map[DecisionStatus]bool{}, false
	for i, w := range words {
		if i == maxStatusWords {
			break
		}
		if negations.Has(w) {
			negated = true
			continue
		}
		for s, known := range standings {
			if !known.Has(w) || w == "proposal" && i > 0 {
				continue
			}
			seen[s] = true
			if found == "" {
				found = s
				if negated && s == DecisionActive {
					found = DecisionProposed
				}
			}
		}
	}
	if found == "" || len(seen) > 2 && strings.ContainsAny(line, "|/{") {
		return "", false
	}
	return found, true
}

// withoutStruck returns a line without the parts that "~~" strikes out.
func withoutStruck(line string) string {
	parts := strings.Split(line, "~~")
	if len(parts) < 3 {
		return line
	}
	var kept []string
	for i := 0; i < len(parts); i += 2 {
		kept = append(kept, parts[i])
	}
	return strings.Join(kept, " ")
}

// folderStatus returns the standing that a folder's name gives to the records in it, if any.
func folderStatus(dir string) (DecisionStatus, bool) {
	for part := range strings.SplitSeq(strings.ToLower(dir), "/") {
		if holdsRecords(part) {
			continue
		}
		if s, ok := standing(part); ok {
			return s, true
		}
	}
	return "", false
}
