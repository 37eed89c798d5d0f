package tokenize

import (
	"errors"
	"fmt"
	"iter"
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
)

// pattern is the target of a step: a text, or a regular expression.
type pattern struct {
	String *string
	Regex  *string
}

// longestPattern is the number of bytes that a pattern may have, unless it is a known expression.
// The places of a pattern are then found in time proportional to the text.
const longestPattern = 64

// matcher finds the places of a pattern in a text, from the left, without overlaps.
type matcher func(text string) iter.Seq2[int, int]

// matcher returns a matcher of p.
func (p pattern) matcher() (matcher, error) {
	switch {
	case p.String != nil && p.Regex == nil && *p.String != "" && len(*p.String) <= longestPattern:
		return findExpression(regexp.QuoteMeta(*p.String))
	case p.Regex != nil && p.String == nil:
		if split, ok := bytePairSplits[*p.Regex]; ok {
			return split.places, nil
		}
		if *p.Regex == `\w+|[^\w\s]+` {
			return wordsAndSigns, nil
		}
		return findExpression(*p.Regex)
	}
	return nil, fmt.Errorf("a pattern must be one String or one Regex of 1 to %d bytes", longestPattern)
}

// findExpression compiles a regular expression that says a text of bounded length, or one character
// of a class with a repetition. Others are not known, because their meaning differs between the
// engine that files are written for and Go's, or because finding them can take quadratic time.
func findExpression(expression string) (matcher, error) {
	unknown := fmt.Errorf("the expression %.200q is not known", expression)
	if len(expression) > longestPattern {
		return nil, unknown
	}
	translated, err := unicodeClasses(expression)
	if err != nil {
		return nil, unknown
	}
	tree, err := syntax.Parse(translated, syntax.Perl)
	if err != nil || !isShort(tree) && !isRun(tree) {
		return nil, unknown
	}
	if tree.Op == syntax.OpLiteral && tree.Flags&syntax.FoldCase == 0 {
		return findText(string(tree.Rune)), nil
	}
	if isRun(tree) {
		return findRuns(tree), nil
	}
	re, err := regexp.Compile(translated)
	if err != nil || re.MatchString("") {
		return nil, unknown
	}
	return func(text string) iter.Seq2[int, int] {
		return func(yield func(int, int) bool) {
			for _, m := range re.FindAllStringIndex(text, -1) {
				if !yield(m[0], m[1]) {
					return
				}
			}
		}
	}, nil
}

// isShort reports whether an expression has no repetition and no place, such as the end of a line.
func isShort(re *syntax.Regexp) bool {
	switch re.Op {
	case syntax.OpLiteral, syntax.OpCharClass, syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		return true
	case syntax.OpConcat, syntax.OpAlternate, syntax.OpCapture:
		for _, sub := range re.Sub {
			if !isShort(sub) {
				return false
			}
		}
		return true
	}
	return false
}

// isRun reports whether an expression is a repeated character of a class.
func isRun(re *syntax.Regexp) bool {
	if re.Op != syntax.OpPlus && re.Op != syntax.OpRepeat || re.Op == syntax.OpRepeat && re.Min == 0 || re.Flags&syntax.NonGreedy != 0 {
		return false
	}
	sub := re.Sub[0]
	return sub.Op == syntax.OpCharClass || sub.Op == syntax.OpLiteral && len(sub.Rune) == 1 && sub.Flags&syntax.FoldCase == 0
}

// findRuns returns a matcher of a repeated character.
func findRuns(re *syntax.Regexp) matcher {
	least, most := 1, -1
	if re.Op == syntax.OpRepeat {
		least, most = re.Min, re.Max
	}
	ranges := re.Sub[0].Rune // of a class: pairs of the first and the last character
	if len(ranges) == 1 {
		ranges = append(ranges, ranges[0])
	}
	is := func(r rune) bool {
		i, _ := slices.BinarySearchFunc(ranges, r, func(a, b rune) int { return int(a - b) })
		return i < len(ranges) && (i%2 == 1 || ranges[i] == r)
	}
	return func(text string) iter.Seq2[int, int] {
		return func(yield func(int, int) bool) {
			from, count := 0, 0
			flush := func(to int) bool {
				found := count >= least
				count = 0
				return !found || yield(from, to)
			}
			for i, r := range text {
				if (count == most || !is(r)) && !flush(i) {
					return
				}
				if !is(r) {
					continue
				}
				if count == 0 {
					from = i
				}
				count++
			}
			flush(len(text))
		}
	}
}

// unicodeClasses spells \s, \d and \w as the classes that they are in Unicode, since Go takes them
// for ASCII.
func unicodeClasses(expression string) (string, error) {
	var b strings.Builder
	inClass := false
	for i := 0; i < len(expression); i++ {
		c := expression[i]
		switch {
		case c == '[' && inClass: // a class within a class, or [:alpha:]
			return "", errors.New("nested class")
		case c == '[':
			inClass = true
		case c == ']':
			inClass = false
		case c == '\\' && i+1 < len(expression):
			i++
			class, negated := unicodeClass[expression[i]|0x20], expression[i] < 'a'
			switch {
			case class == "" || negated && strings.IndexByte("SDW", expression[i]) < 0:
				b.WriteByte('\\')
				b.WriteByte(expression[i])
			case inClass && negated:
				return "", errors.New("a negated class within a class")
			case inClass:
				b.WriteString(class)
			case negated:
				b.WriteString("[^" + class + "]")
			default:
				b.WriteString("[" + class + "]")
			}
			continue
		}
		b.WriteByte(c)
	}
	return b.String(), nil
}

var unicodeClass = map[byte]string{'s': `\t-\r\x{85}\p{Z}`, 'd': `\p{Nd}`, 'w': `\p{L}\p{M}\p{N}\p{Pc}`}

// findText returns a matcher of a text.
func findText(what string) matcher {
	return func(text string) iter.Seq2[int, int] {
		return func(yield func(int, int) bool) {
			for at := 0; ; at += len(what) {
				i := strings.Index(text[at:], what)
				if i < 0 {
					return
				}
				if at += i; !yield(at, at+len(what)) {
					return
				}
			}
		}
	}
}
