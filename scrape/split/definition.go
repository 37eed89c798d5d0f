package split

import (
	"strings"
	"unicode"

	"patina/store/text"
)

// control are words that may be where a definition has a type or a name.
var control = text.Set(`if for while switch catch return assert else do try case throw await yield new using lock
	foreach with elif elseif unless until loop match when super this and or not in is as import export require include
	print default`)

// definition returns the name that a line defines, or "" if the line only ends a definition. holds
// is true if definitions inside count. ok is false if the line is no definition.
func (s *splitter) definition(line []byte) (name string, holds, ok bool) {
	for _, h := range s.Heads {
		m := h.Pattern().FindSubmatch(line)
		if m == nil {
			continue
		}
		var names []string
		for _, group := range m[1:] {
			if len(group) > 0 {
				names = append(names, string(group))
			}
		}
		if len(names) == 0 {
			return "", false, true
		}
		name = nameOf(names, s.Whole)
		if first, _, _ := strings.Cut(string(line), " "); h.Loose &&
			(control.Has(name) || control.Has(strings.TrimRight(first, "("))) {
			continue
		}
		return name, h.Holds, name != ""
	}
	return "", false, false
}

// nameOf joins the groups of a pattern. Of Terraform's resource it takes the type and the name,
// else the last part of a path, unless names are whole. Quotation marks and the mark "#" are
// removed.
func nameOf(groups []string, whole bool) string {
	if len(groups) == 3 {
		return cleanName(groups[1], whole) + "." + cleanName(groups[2], whole)
	}
	return cleanName(groups[len(groups)-1], whole)
}

func cleanName(name string, whole bool) string {
	if !whole && strings.ContainsFunc(name, unicode.IsLetter) { // an operator has no letter
		name = strings.Trim(name, "\"'`[]{}<>(),;:")
	}
	if i := strings.LastIndexAny(name, ".:#"); !whole && i >= 0 && i+1 < len(name) && !strings.Contains(name, " ") {
		name = name[i+1:]
	}
	name = strings.Map(func(r rune) rune {
		if r == '#' || r == '\uFFFD' || r < ' ' {
			return -1
		}
		return r
	}, name)
	return strings.ToValidUTF8(name[:min(len(name), nameBytes)], "")
}
