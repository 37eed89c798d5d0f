package memory

import (
	"cmp"
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"patina/memory/merge"
	"patina/memory/recall"
	"patina/store/doc"
	"patina/store/text"
	"patina/store/vector"
)

// Bounds of the notes that are compared once abbreviations are written out.
const (
	maxBridged  = 200     // notes on each side of an abbreviation
	maxLikely   = 500     // proposals
	maxKnown    = 1000    // abbreviations
	leastShared = .5      // of the distinct words of both notes
	leastNear   = .5      // cosine of notes that are written out; unrelated ones are below
	leastBeside = 2       // shared words besides those of the abbreviation
	longLikely  = 4 << 10 // bytes in a note; longer ones say more than one thing
)

// Likely returns pairs of current memories that probably say the same: one has an abbreviation,
// such as WAL, and the other its words. An abbreviation is a common one, or is defined in a memory.
// Once it is written out, the notes must share most of their words, and must not differ in a
// number, a name, a negation, an opposite or the order of things. With a model they must be near in
// meaning, too. A person should check each pair. Likely changes nothing.
func (s *Store) Likely(ctx context.Context, model doc.BatchEmbedder) ([]Proposal, error) {
	all, err := listMemories(ctx, s.db, ` WHERE valid_to IS NULL ORDER BY key`)
	if err != nil {
		return nil, err
	}
	return likelyPairs(ctx, model, all)
}

func likelyPairs(ctx context.Context, model doc.BatchEmbedder, all []Memory) (out []Proposal, err error) {
	slices.SortStableFunc(all, betterFirst)
	known := recall.Common()
	for _, m := range all {
		if own := recall.Definitions(m.Content); len(known)+len(own) <= maxKnown {
			known = append(known, own...)
		}
	}
	seen := map[[2]string]bool{}
	for _, b := range bridgesOf(known, all) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		for _, i := range b.short {
			for _, j := range b.long {
				first, second := all[min(i, j)], all[max(i, j)]
				pair := [2]string{first.ID, second.ID}
				if i == j || seen[pair] || second.Pinned || !sameStanding(first, second) {
					continue
				}
				seen[pair] = true
				reason, ok, err := b.joins(ctx, model, all[i], all[j])
				if err != nil {
					return nil, err
				}
				if ok && len(out) < maxLikely {
					out = append(out, Proposal{
						Keep: first.ID, Drop: second.ID, Kept: first.Content, Gone: second.Content,
						Reason: reason, Likely: true, keep: first, drop: second,
					})
				}
			}
		}
	}
	return out, nil
}

// AddLikely adds the proposals of Likely to a plan, except those about memories that the plan lets
// others replace.
func (s *Store) AddLikely(ctx context.Context, model doc.BatchEmbedder, plan *Consolidation) error {
	found, err := s.Likely(ctx, model)
	if err != nil {
		return err
	}
	gone := map[string]bool{}
	for _, p := range plan.Proposals {
		gone[p.Drop] = true
	}
	for _, p := range found {
		if !gone[p.Keep] && !gone[p.Drop] {
			plan.Proposals = append(plan.Proposals, p)
			gone[p.Drop] = true
		}
	}
	return nil
}

// betterFirst orders memories by which of them should stay.
func betterFirst(a, b Memory) int {
	return cmp.Or(cmp.Compare(boolToInt(b.Pinned), boolToInt(a.Pinned)), cmp.Compare(b.Confidence, a.Confidence),
		a.Created.Compare(b.Created), strings.Compare(a.ID, b.ID))
}

// A bridge is an abbreviation and the indexes of the memories that have one of its forms.
type bridge struct {
	recall.Definition
	either      *regexp.Regexp // matches both forms
	pattern     *regexp.Regexp // matches the short form
	short, long []int
}

func newBridge(d recall.Definition) bridge {
	short := regexp.QuoteMeta(d.Short) + `s?`
	var long []string
	for w := range strings.FieldsFuncSeq(d.Long, func(c rune) bool { return c == ' ' || c == '-' }) {
		long = append(long, regexp.QuoteMeta(w))
	}
	return bridge{
		Definition: d, pattern: regexp.MustCompile(`(?i)\b` + short + `\b`),
		either: regexp.MustCompile(`(?i)\b(?:` + short + `|` + strings.Join(long, `[-\s]+`) + `s?)\b`),
	}
}

// bridgesOf returns the abbreviations of which both forms are used.
func bridgesOf(known []recall.Definition, all []Memory) (out []bridge) {
	words := make([]string, len(all))
	for i, m := range all {
		if len(m.Content) <= longLikely {
			words[i] = " " + strings.Join(recall.Words(m.Content), " ") + " "
		}
	}
	seen := map[string]bool{}
	for _, d := range known {
		long := " " + strings.Join(recall.Words(d.Long), " ") + " "
		short := " " + strings.Join(recall.Words(d.Short), " ") + " "
		if seen[short+long] || len(strings.Fields(d.Long)) < 2 || short == "  " || long == "  " {
			continue
		}
		seen[short+long] = true
		b := newBridge(d)
		for i, w := range words {
			if strings.Contains(w, short) && len(b.short) < maxBridged && b.pattern.MatchString(all[i].Content) {
				b.short = append(b.short, i)
			}
			if strings.Contains(w, long) && len(b.long) < maxBridged {
				b.long = append(b.long, i)
			}
		}
		if len(b.short) > 0 && len(b.long) > 0 {
			out = append(out, b)
		}
	}
	return out
}

// tellingWords returns the distinct words of a note, without those that only join others.
func tellingWords(s string) []string {
	return slices.DeleteFunc(recall.Question(s), func(w string) bool { return joining.Has(w) })
}

// joining lists the stems of words that tell nothing by themselves, beside recall's stop words.
var joining = text.Set("everi each against between through via per within dure across among upon need requir must also so")

// joins reports whether a note with the short form probably says the same as one with the long
// form, and why.
func (b bridge) joins(
	ctx context.Context, model doc.BatchEmbedder, short, long Memory,
) (reason string, ok bool, err error) {
	x := b.either.ReplaceAllString(short.Content, b.Long)
	y := b.either.ReplaceAllString(long.Content, b.Long)
	why := b.pattern.FindString(short.Content) + " is " + b.Long
	if _, same := merge.Propose(x, y); same {
		return why, true, nil
	}
	if merge.Clash(x, y) {
		return "", false, nil
	}
	p, q := tellingWords(x), tellingWords(y)
	own, shared, beside := recall.Words(b.Long), 0, 0
	for _, w := range p {
		if slices.Contains(q, w) {
			if shared++; !slices.Contains(own, w) {
				beside++
			}
		}
	}
	if float64(shared) < leastShared*float64(len(p)+len(q)-shared) || beside < leastBeside {
		return "", false, nil
	}
	if len(p)-shared == 1 && len(q)-shared == 1 { // one word is another one
		return "", false, nil
	}
	why += fmt.Sprintf("; %d of %d words are the same", shared, len(p)+len(q)-shared)
	if model == nil {
		return why, true, nil
	}
	short.Content, long.Content = x, y
	v, err := vectorsOf(ctx, model, []Memory{short, long})
	if err != nil {
		return "", false, err
	}
	scale, err := scaleOf(ctx, model)
	if err != nil {
		return "", false, err
	}
	dot := make([]int32, 1)
	vector.Dots(dot, v[0], v[1])
	near := scale.rescale(float64(dot[0]) / (doc.VectorScale * doc.VectorScale))
	return why + fmt.Sprintf(", cosine %.2f", near), near >= leastNear, nil
}
