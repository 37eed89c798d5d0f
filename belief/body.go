package belief

import (
	"strconv"
	"strings"

	"patina/internal/lazyregexp"
	"patina/store/markdown"
)

// maxFacets bounds the tags of one belief.
const maxFacets = 50

// facetsOf reads an inline list of words.
func facetsOf(texts []string) (facets []string) {
	for f := range strings.SplitSeq(strings.Join(texts, ","), ",") {
		if f = Scalar(f); f != "" && len(facets) < maxFacets {
			facets = append(facets, f)
		}
	}
	return facets
}

// A bodyReader reads the statement and the sections of a belief.
type bodyReader struct {
	*Belief
	section string // lower case
	fence   markdown.Fence
	text    strings.Builder
}

// readBody reads the lines below the front matter. above is the number of lines before them.
func (b *Belief) readBody(body string, above int) {
	r := bodyReader{Belief: b}
	n := above
	for line := range strings.Lines(body) {
		n++
		r.readBodyLine(strings.TrimSpace(line), n)
	}
	b.Text = r.text.String()
}

func (r *bodyReader) readBodyLine(line string, n int) {
	if r.fence.Step(line) != markdown.Outside {
		return
	}
	if heading, ok := cutHeading(line); ok {
		r.section = strings.ToLower(heading)
		return
	}
	if line == "" || strings.HasPrefix(line, "<!--") {
		return
	}
	edges := r.section == "supports" || r.section == "attacks" || r.section == "attacked-by"
	if r.Statement == "" && !edges {
		r.Statement, r.Line, r.End = Clip(line), n, n
	}
	switch r.section {
	case "supports":
		r.Supports = withEdge(r.Supports, line, n)
	case "attacks":
		r.Attacks = withEdge(r.Attacks, line, n)
	case "attacked-by":
		r.AttackedBy = withEdge(r.AttackedBy, line, n)
	case "evidence":
		r.Evidence = withLink(r.Evidence, line, n)
	case "applied-in", "applied in":
		r.Applied = withLink(r.Applied, line, n)
	case "revision log":
		if _, ok := cutBullet(line); ok {
			r.Revisions++
		}
		return
	}
	if !edges && line != "---" {
		r.text.WriteString(line)
		r.text.WriteByte('\n')
	}
}

// cutBullet returns the text of a list item.
func cutBullet(line string) (string, bool) {
	for _, mark := range []string{"- ", "* ", "+ "} {
		if item, ok := strings.CutPrefix(line, mark); ok {
			return strings.TrimSpace(item), true
		}
	}
	return "", false
}

var (
	weightForm = lazyregexp.New(`\(weight:\s*([0-9.]+)\)\s*$`)
	codeForm   = lazyregexp.New("^[^`]*`([^`\\s]+/[^`\\s]+|[^`\\s]+\\.[a-z]{1,4})`")
)

// withLink appends the link in a bullet of evidence: "- [[session-1]]: text (weight: 0.9)", "-
// session-1: text", "- `src/x.rs`: text". A bullet without a link is appended too, because it
// counts as evidence without a target.
func withLink(links []Link, line string, n int) []Link {
	item, ok := cutBullet(line)
	if !ok || len(links) == maxEdges {
		return links
	}
	l := Link{Line: n, Weight: -1}
	if m := weightForm().FindStringSubmatch(item); m != nil {
		if w, err := strconv.ParseFloat(m[1], 64); err == nil && w >= 0 && w <= 1 {
			l.Weight = w
		}
	}
	l.Target = targetOf(item)
	return append(links, l)
}

// targetOf returns the first link or name in a bullet, or "".
func targetOf(item string) string {
	if _, inside, ok := strings.Cut(item, "[["); ok {
		if target, _, ok := strings.Cut(inside, "]]"); ok {
			target, _, _ = strings.Cut(target, "|")
			return Clip(strings.TrimSpace(target))
		}
	}
	first, _, _ := strings.Cut(item, " ")
	first = strings.TrimSuffix(first, ":")
	if strings.HasPrefix(first, "session-") || strings.HasPrefix(first, "commit-") {
		return Clip(first)
	}
	if m := codeForm().FindStringSubmatch(item); m != nil {
		return Clip(m[1])
	}
	return ""
}

// maxCited bounds the names that a text cites.
const maxCited = 2000

// Cited returns the names in a text's wikilinks, each once: "[[a]] … [[b|text]]".
func Cited(text string) (names []string) {
	seen := map[string]bool{}
	for len(names) < maxCited {
		_, rest, ok := strings.Cut(text, "[[")
		if !ok {
			break
		}
		text = rest
		name, _, _ := strings.Cut(rest[:min(len(rest), maxName)], "]]")
		if name, _, _ = strings.Cut(name, "|"); strings.ContainsAny(name, "\n[") {
			continue
		}
		name, _, _ = strings.Cut(name, "#")
		if name = strings.TrimPrefix(strings.TrimSpace(name), "belief:"); name != "" && !seen[name] {
			seen[name] = true
			names = append(names, name)
		}
	}
	return names
}

// maxName bounds the name in a link.
const maxName = 200
