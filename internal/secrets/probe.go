package secrets

import (
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
	"unicode"
)

// Go's regexp is slow for words in either case. Most rules begin with up to 50 characters of a
// name, which makes them slower still. But the keyword finder knows the positions of a rule's
// keywords. So each expression is analysed: if a match must begin with a keyword, after such a
// name, it is tried only there. The result must equal FindAllStringIndex.
const (
	anyName = `[\w.-]{0,50}?`
	// nameSpan is the maximum length of anyName in bytes. It is above 50 because, without case, two
	// of its characters are outside ASCII: ſ and the Kelvin sign.
	nameSpan = 150
	manyWays = 1000 // number of openings; more are not followed

	// patience is the number of times that a text may be read. A failed attempt may read far, so a
	// hostile text could be read once for each keyword. After that the expression is applied to the
	// whole text.
	patience = 8
)

// A probe tries an expression at a keyword.
type probe struct {
	rest     *regexp.Regexp // the expression after the name, from the keyword on
	reach    int            // maximum number of bytes of a match before the keyword
	boundary bool           // it begins with \b, so no word character may precede the keyword
}

// newProbe returns a probe, or nil if a match need not begin with a keyword.
func newProbe(expression string, keywords []string) *probe {
	p := &probe{}
	// The openings must be tried in this order, in which an expression holds them.
	for _, opening := range []string{"(?i)", "", "(?i:"} {
		if after, ok := strings.CutPrefix(expression, opening+anyName); ok {
			expression = opening + after
			p.reach += nameSpan
		}
	}
	tree, err := syntax.Parse(expression, syntax.Perl)
	// It cannot be a probe, because the name would belong only to the first alternative.
	if err != nil || p.reach > 0 && tree.Op == syntax.OpAlternate {
		return nil
	}
	some, all := findBoundaries(tree)
	if p.boundary = all; some && !all {
		return nil
	}
	ways, _ := findOpenings(tree)
	for _, way := range ways {
		isKeyword := slices.ContainsFunc(keywords, func(k string) bool { return strings.HasPrefix(way, k) })
		if !isKeyword || p.boundary && !isWord(way[0]) {
			return nil
		}
	}
	p.rest = regexp.MustCompile(`\A(?:` + expression + `)`)
	return p
}

// findBoundaries reports whether some, and whether all, ways through an expression begin with \b.
func findBoundaries(re *syntax.Regexp) (some, all bool) {
	switch re.Op {
	case syntax.OpWordBoundary:
		return true, true
	case syntax.OpCapture:
		return findBoundaries(re.Sub[0])
	case syntax.OpQuest, syntax.OpStar, syntax.OpPlus, syntax.OpRepeat:
		some, _ = findBoundaries(re.Sub[0])
	case syntax.OpAlternate:
		all = true
		for _, sub := range re.Sub {
			s, a := findBoundaries(sub)
			some, all = some || s, all && a
		}
	case syntax.OpConcat:
		_, all = findBoundaries(re.Sub[0])
		for _, sub := range re.Sub {
			s, _ := findBoundaries(sub)
			if some = some || s; !canBeEmpty(sub) {
				break
			}
		}
	}
	return some, all
}

// canBeEmpty reports whether an expression may match the empty string.
func canBeEmpty(re *syntax.Regexp) bool {
	switch re.Op {
	case syntax.OpLiteral, syntax.OpCharClass, syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		return false
	case syntax.OpCapture, syntax.OpPlus:
		return canBeEmpty(re.Sub[0])
	case syntax.OpRepeat:
		return re.Min == 0 || canBeEmpty(re.Sub[0])
	case syntax.OpAlternate:
		return slices.ContainsFunc(re.Sub, canBeEmpty)
	case syntax.OpConcat:
		return !slices.ContainsFunc(re.Sub, func(sub *syntax.Regexp) bool { return !canBeEmpty(sub) })
	}
	return true
}

// findOpenings returns lower-case texts of which every match begins with one. whole means that the
// expression matches nothing after them.
func findOpenings(re *syntax.Regexp) (ways []string, whole bool) {
	switch re.Op {
	case syntax.OpLiteral:
		return []string{strings.ToLower(string(re.Rune))}, true
	case syntax.OpEmptyMatch, syntax.OpWordBoundary:
		return []string{""}, true
	case syntax.OpCapture:
		return findOpenings(re.Sub[0])
	case syntax.OpQuest:
		ways, whole = findOpenings(re.Sub[0])
		return append(ways, ""), whole
	case syntax.OpCharClass:
		return oneOf(re.Rune)
	case syntax.OpAlternate:
		whole = true
		for _, sub := range re.Sub {
			more, all := findOpenings(sub)
			ways, whole = append(ways, more...), whole && all
		}
		return ways, whole
	case syntax.OpConcat:
		return inTurn(re.Sub)
	}
	return []string{""}, false
}

// oneOf returns the openings of a character class. If the class is large, it returns the empty
// text.
func oneOf(ranges []rune) (ways []string, whole bool) {
	for i := 0; i+1 < len(ranges); i += 2 {
		if ranges[i+1]-ranges[i] > 10 || len(ways) > 10 {
			return []string{""}, false
		}
		for r := ranges[i]; r <= ranges[i+1]; r++ {
			ways = append(ways, string(unicode.ToLower(r)))
		}
	}
	return ways, true
}

// inTurn returns the openings of a concatenation, as far as they can be followed.
func inTurn(subs []*syntax.Regexp) (ways []string, whole bool) {
	ways = []string{""}
	for _, sub := range subs {
		more, all := findOpenings(sub)
		if len(ways)*len(more) > manyWays {
			return ways, false
		}
		var longer []string
		for _, w := range ways {
			for _, m := range more {
				longer = append(longer, w+m)
			}
		}
		if ways = longer; !all {
			return ways, false
		}
	}
	return ways, true
}

func isWord(b byte) bool {
	return b == '_' || '0' <= b && b <= '9' || 'a' <= b && b <= 'z' || 'A' <= b && b <= 'Z'
}

// matches returns all matches in a text. keywords must be the positions of the rule's keywords; it
// sorts them.
func (r *rule) matches(text string, keywords []int) (out [][]int) {
	p := r.probe()
	if p == nil {
		return r.expression().FindAllStringIndex(text, mostOfOne)
	}
	slices.Sort(keywords)
	from, spent := 0, 0
	for _, k := range keywords {
		if k < from || p.boundary && k > 0 && isWord(text[k-1]) {
			continue
		}
		attempt := strings.NewReader(text[k:])
		at := p.rest.FindReaderIndex(attempt)
		if spent += len(text) - k - attempt.Len(); spent > patience*len(text) {
			return r.expression().FindAllStringIndex(text, mostOfOne)
		}
		if at == nil {
			continue
		}
		begin := k
		if p.reach > 0 {
			begin = max(from, k-p.reach)
			at = r.expression().FindStringIndex(text[begin:])
		}
		from = begin + at[1]
		if out = append(out, []int{begin + at[0], from}); len(out) == mostOfOne {
			break
		}
	}
	return out
}
