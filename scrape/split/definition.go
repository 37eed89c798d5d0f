package split

import (
	"strings"
	"unicode"

	"patina/store/text"
)

// control are words that stand where a type or a name of a definition would.
var control = text.Set(`if for while switch catch return assert else do try case throw await yield new using lock foreach with elif
	elseif unless until loop match when super this and or not in is as import export require include print default`)

// definition returns the name that a line defines, "" for a border without a name. holds is true if
// definitions inside count.
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
		if first, _, _ := strings.Cut(string(line), " "); h.Loose && (control[name] || control[strings.TrimRight(first, "(")]) {
			continue
		}
		return name, h.Holds, name != ""
	}
	return "", false, false
}

// nameOf joins the groups of a pattern: of Terraform's resource the type and the name, else the
// last part of a path, unless names are whole. Signs of quoting are left out, and the mark "#".
func nameOf(groups []string, whole bool) string {
	if len(groups) == 3 {
		return cleanName(groups[1], whole) + "." + cleanName(groups[2], whole)
	}
	return cleanName(groups[len(groups)-1], whole)
}

func cleanName(name string, whole bool) string {
	if !whole && strings.ContainsFunc(name, unicode.IsLetter) { // or an operator
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
