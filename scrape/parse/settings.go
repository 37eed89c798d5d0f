package parse

import (
	"bytes"
	"cmp"
	"path"
	"regexp"
	"slices"
	"strings"

	"patina/internal/lazyregexp"
	"patina/scrape/chunk"
	"patina/store/doc"
)

// Limits on the settings of a file. If there are more, its deepest keys are left out. If that is
// not enough, the file is data: it has no entries, and plain chunks.
const (
	maxSettings    = 1000
	maxJSONKeys    = 100 // translations and fixtures have more
	maxSettingDeep = 4
	// longSection is the number of lines from which the keys in a section are entries, too: more
	// than a chunk. With 12 lines, an index of only YAML took 2.5 times the space.
	longSection = chunk.MaxLines
)

// A setting is a key or a section of a configuration file.
type setting struct {
	name  string // with the names around it: "server.port"
	line  int
	from  int    // the first line that names it, if there are several; else 0
	last  int    // its last line
	depth int    // from 0
	off   bool   // a default that is commented out
	end   int    // the last line that names it, if there are several
	doc   string // its description, if that is no comment
}

// settingReaders read the settings of a language, sorted by line. They return nothing for a text
// that is no configuration.
var settingReaders = map[string]func(src *chunk.Source, comment []bool) []setting{
	"INI": readINI, "TOML": readTOML, "YAML": readYAML, "JSON": readJSON, "JSON5": readJSON,
}

// settingReader returns the reader of a file's settings, or nil.
func settingReader(name, language string) func(src *chunk.Source, comment []bool) []setting {
	base := path.Base(name)
	switch {
	case path.Ext(base) == ".conf":
		return readConf
	case language == "" && (strings.HasPrefix(base, ".env") || strings.HasSuffix(base, ".env")):
		return readINI
	}
	if end := path.Ext(base); language == "JSON" && end != ".json" && end != ".webmanifest" {
		return nil // a record a line, notebooks, maps
	}
	return settingReaders[language]
}

// readSettings fills in the entries and chunks of a configuration file, by section and key with the
// comment above. It returns false if the file has no settings, or so many that it is data.
func readSettings(f *doc.File, src *chunk.Source, comment []bool) bool {
	read := settingReader(f.Path, f.Language)
	if read == nil {
		return false
	}
	if f.Language == "" {
		comment = hashComments(src)
	}
	all := read(src, comment)
	limit := maxSettings
	if strings.HasPrefix(f.Language, "JSON") {
		limit = maxJSONKeys
	}
	list := schemaSettings(f, src)
	if len(list) == 0 {
		list = withinLimit(settingsShown(all), limit)
	}
	if len(list) == 0 {
		return false
	}
	s := settler{src: src, comment: comment, named: map[int]bool{}}
	for _, x := range all {
		s.named[x.line] = true
	}
	s.enterSettings(list)
	f.Entries = s.entries
	c := chunk.Cutter{
		Src: src, Comment: comment, Entries: s.entries, Labels: s.labels,
		Owner: func(e doc.Entry) string { return settingWords(e.Name) },
	}
	f.Chunks = c.Cut(s.spans())
	return true
}

// hashComments marks the lines that start with "#".
func hashComments(src *chunk.Source) []bool {
	marked := make([]bool, src.Lines())
	for i := range marked {
		marked[i] = bytes.HasPrefix(bytes.TrimSpace(src.Line(i+1)), []byte("#"))
	}
	return marked
}

// settingsShown returns the settings that become entries: the outermost ones, and those in long
// sections. It joins neighbours with the same name, such as a default that is commented out and its
// value.
func settingsShown(all []setting) []setting {
	var out []setting
	long := [maxSettingDeep + 1]bool{}
	for _, s := range all {
		if s.depth > maxSettingDeep || s.depth > 0 && !long[s.depth-1] {
			continue
		}
		for d := s.depth; d <= maxSettingDeep; d++ {
			long[d] = false
		}
		long[s.depth] = s.last-s.line >= longSection
		if n := len(out); n > 0 && out[n-1].name == s.name && out[n-1].depth == s.depth && (out[n-1].off || s.off) {
			o := &out[n-1]
			o.from, o.last, o.end = min(o.line, cmp.Or(o.from, o.line)), max(o.last, s.last), s.line
			if o.off && !s.off {
				o.line, o.off = s.line, false
			}
			continue
		}
		out = append(out, s)
	}
	return out
}

// withinLimit leaves out the deepest settings until at most limit are left.
func withinLimit(list []setting, limit int) []setting {
	for depth := maxSettingDeep; depth >= 0 && len(list) > limit; depth-- {
		list = slices.DeleteFunc(list, func(s setting) bool { return s.depth >= depth })
	}
	return list
}

// A settler turns settings into rows of the store.
type settler struct {
	src     *chunk.Source
	comment []bool
	named   map[int]bool // the lines of all keys, shown or not
	entries []doc.Entry
	labels  []chunk.Label
}

func (s *settler) enterSettings(list []setting) {
	namer := chunk.Namer{}
	var open []int
	floor := 0 // the last line that belongs to an earlier entry
	for _, x := range list {
		for len(open) > 0 && list[open[len(open)-1]].depth >= x.depth {
			open = open[:len(open)-1]
		}
		e := doc.Entry{
			Name: namer.Unique(x.name), Sort: doc.Setting, Line: x.line, Last: max(x.last, x.line), Parent: -1,
			Title: chunk.Truncate(string(bytes.TrimSpace(s.src.Line(x.line))), signatureBytes),
		}
		if len(open) > 0 {
			e.Parent = open[len(open)-1]
		}
		e.First = s.commentStart(cmp.Or(x.from, x.line), floor)
		if e.Summary = s.summary(e.First, e.Line-1); x.doc != "" {
			e.Summary = chunk.FirstSentence(x.doc, summaryBytes)
		}
		for _, a := range open {
			s.entries[a].Last = max(s.entries[a].Last, e.Last)
		}
		floor = max(e.Line, x.end)
		open = append(open, len(s.entries))
		s.entries = append(s.entries, e)
		s.labels = append(s.labels, chunk.Label{Line: e.First, Name: settingWords(x.name)})
	}
}

// settingWords returns the words of a key's name, without the number of a second one.
func settingWords(name string) string {
	name, _, _ = strings.Cut(name, "#")
	return strings.ReplaceAll(name, ".", " ")
}

// commentStart returns the first line of the comment above a key. One blank line may be between the
// comment and the key.
func (s *settler) commentStart(line, floor int) int {
	first, blank := line, false
	for n := line - 1; n > floor; n-- {
		switch {
		case s.named[n]:
			return first
		case s.comment[n-1]:
			first = n
		case s.src.Blank(n) && !blank && n > floor+1 && s.comment[n-2]:
			blank = true
		default:
			return first
		}
	}
	return first
}

// summary returns the first sentence of comment lines.
func (s *settler) summary(first, last int) string {
	var b strings.Builder
	for n := first; n <= last && b.Len() < 8*summaryBytes; n++ {
		if !s.comment[n-1] && b.Len() > 0 {
			break
		}
		line := strings.TrimLeft(strings.TrimSpace(string(s.src.Line(n))), "#;!/* ")
		if line = strings.TrimRight(line, "#*/- "); line == "" && b.Len() > 0 {
			break
		}
		b.WriteString(line + "\n")
	}
	return chunk.FirstSentence(b.String(), summaryBytes)
}

// spans gives each entry its lines up to the next one, without blank lines at the end, and joins
// small neighbours in the same section.
func (s *settler) spans() []chunk.Span {
	var spans []chunk.Span
	open := false
	for i, e := range s.entries {
		last := e.Last
		if i+1 < len(s.entries) {
			last = min(last, s.entries[i+1].First-1)
		}
		for last > e.Line && s.src.Blank(last) {
			last--
		}
		fits := last-e.First < small
		if n := len(spans); open && fits && s.entries[spans[n-1].Entry].Parent == e.Parent &&
			last-spans[n-1].First < chunk.MaxLines {
			spans[n-1].Last = last
			continue
		}
		spans, open = append(spans, chunk.Span{Entry: i, First: e.First, Last: last}), fits
	}
	return spans
}

var (
	iniSection = lazyregexp.New(`^\s*\[\[?\s*([^\]\s][^\]]{0,79}?)\s*\]\]?\s*(?:[#;].*)?$`)
	iniKey     = lazyregexp.New(`^(\s*)(?:export\s+)?["']?([\pL\pN_][\pL\pN_.$@/*+-]{0,79})["']?\s*[=:]`)
	iniOff     = lazyregexp.New(`^\s*[#;]\s?(?:export\s+)?([\pL_][\pL\pN_.-]{0,79})\s*=\s*\S`)
	confKey    = lazyregexp.New(`^\s*([\pL_][\pL\pN_.:-]{0,79})(?:\s+\S.*)?$`)
	confOff    = lazyregexp.New(`^#\s?([a-z][a-z0-9_.-]{1,79})((?:\s+\S+){1,4})\s*$`)
	yamlKey    = lazyregexp.New(`^( *)["']?([\pL\pN_.$@/*+][\pL\pN_.$@/*+ -]{0,79}?)["']?\s*:(?:\s|$)(.*)$`)
	jsonName   = lazyregexp.New(`^[\pL\pN_.$@/*+-][\pL\pN_.$@/*+ :-]{0,79}$`)
)

// setEnds gives each setting its last line: up to the next setting of its depth or above.
func setEnds(list []setting, lines int) []setting {
	for i := range list {
		list[i].last = lines
		for _, next := range list[i+1 : min(len(list), i+1+maxSettings)] {
			if next.depth <= list[i].depth {
				list[i].last = next.line - 1
				break
			}
		}
	}
	return list
}

// trimEnds removes blank lines and the comment of the next setting from the ends of settings.
func trimEnds(list []setting, src *chunk.Source, comment []bool) []setting {
	for i := range list {
		s := &list[i]
		for s.last > s.line && (src.Blank(s.last) || comment[s.last-1] && s.last < src.Lines()) {
			s.last--
		}
	}
	return list
}

// plainSection removes quotes from a section's name, and the mark of a second name.
var plainSection = strings.NewReplacer(`"`, "", "#", "")

// readKeyed reads a text of sections in brackets and of keys before "=" or ":". A nil skip skips no
// line.
func readKeyed(src *chunk.Source, comment []bool, key func() *regexp.Regexp, skip func(line []byte) bool) []setting {
	var list []setting
	section, depth := "", 0
	for n := 1; n <= src.Lines() && len(list) <= 2*maxSettings; n++ {
		line := src.Line(n)
		if len(line) > maxSettingLine || skip != nil && skip(line) {
			continue
		}
		if comment[n-1] {
			if m := iniOff().FindSubmatch(line); m != nil {
				list = append(list, setting{name: section + string(m[1]), line: n, depth: depth, off: true})
			}
			continue
		}
		if m := iniSection().FindSubmatch(line); m != nil {
			name := plainSection.Replace(string(m[1]))
			if name == "" {
				continue
			}
			list = append(list, setting{name: name, line: n})
			section, depth = name+".", 1
			continue
		}
		if m := key().FindSubmatch(line); m != nil && len(m[1]) == 0 {
			list = append(list, setting{name: section + string(m[2]), line: n, depth: depth})
		}
	}
	return trimEnds(setEnds(list, src.Lines()), src, comment)
}

// maxSettingLine is the longest line in which a key is looked for, in bytes.
const maxSettingLine = 1000

// readINI reads INI files, Java properties and lists of environment variables.
func readINI(src *chunk.Source, comment []bool) []setting {
	return readKeyed(src, comment, iniKey, nil)
}

// readTOML reads TOML: like INI, but a value may have several lines.
func readTOML(src *chunk.Source, comment []bool) []setting {
	closing, depth := "", 0
	return readKeyed(src, comment, iniKey, func(line []byte) bool {
		inside := closing != "" || depth > 0
		for _, quotes := range []string{`"""`, "'''"} {
			if (closing == "" || closing == quotes) && bytes.Count(line, []byte(quotes))%2 == 1 {
				if closing == "" {
					closing = quotes
				} else {
					closing = ""
				}
			}
		}
		if closing == "" && (inside || bytes.ContainsRune(line, '=')) {
			value := line
			if i := bytes.IndexByte(line, '='); i >= 0 && !inside {
				value = line[i:]
			}
			depth += bytes.Count(value, []byte("[")) + bytes.Count(value, []byte("{"))
			depth -= bytes.Count(value, []byte("]")) + bytes.Count(value, []byte("}"))
			depth = max(0, depth)
		}
		return inside
	})
}

// readConf reads directives, one a line, and blocks in braces. A default that is commented out
// counts: a comment of a key and few words, alone between empty lines or next to a directive.
func readConf(src *chunk.Source, comment []bool) []setting {
	if mostlyAssigns(src, comment) {
		return readINI(src, comment)
	}
	var list []setting
	var open []string
	for n := 1; n <= src.Lines() && len(list) <= 2*maxSettings; n++ {
		line := bytes.TrimSpace(src.Line(n))
		if len(line) > maxSettingLine || len(line) == 0 {
			continue
		}
		prefix := ""
		if len(open) > 0 {
			prefix = open[len(open)-1] + "."
		}
		if comment[n-1] {
			if m := confOff().FindSubmatch(line); m != nil && standsAlone(src, comment, n) &&
				isDefault(string(m[1]), string(m[2])) {
				list = append(list, setting{name: prefix + string(m[1]), line: n, depth: len(open), off: true})
			}
			continue
		}
		if line[0] == '}' || bytes.HasPrefix(line, []byte("</")) {
			open = open[:max(0, len(open)-1)]
			continue
		}
		opens := line[len(line)-1] == '{' || line[0] == '<'
		bare := bytes.TrimRight(bytes.TrimLeft(line, "<"), "{>; ")
		m := confKey().FindSubmatch(bare)
		if m == nil {
			if opens {
				open = append(open, strings.TrimSuffix(prefix, "."))
			}
			continue
		}
		list = append(list, setting{name: prefix + string(m[1]), line: n, depth: len(open)})
		if opens && len(open) < 2*maxSettingDeep {
			open = append(open, prefix+string(m[1]))
		}
	}
	return trimEnds(setEnds(list, src.Lines()), src, comment)
}

// mostlyAssigns reports whether most of the first lines assign with "=" or open sections in
// brackets.
func mostlyAssigns(src *chunk.Source, comment []bool) bool {
	with, without := 0, 0
	for n := 1; n <= src.Lines() && with+without < 50; n++ {
		line := src.Line(n)
		if comment[n-1] || src.Blank(n) || len(line) > maxSettingLine {
			continue
		}
		if iniSection().Match(line) || iniKey().Match(line) && bytes.ContainsRune(line, '=') {
			with++
		} else {
			without++
		}
	}
	return with > without
}

// standsAlone reports whether a comment line is between empty lines, empty comments or directives.
func standsAlone(src *chunk.Source, comment []bool, n int) bool {
	free := func(n int) bool {
		if n < 1 || n > src.Lines() || !comment[n-1] {
			return true
		}
		line := bytes.Trim(src.Line(n), "# \t\r")
		return len(line) == 0 || confOff().Match(bytes.TrimSpace(src.Line(n)))
	}
	return free(n-1) && free(n+1)
}

// isDefault reports whether a comment reads as a directive rather than as a sentence.
func isDefault(key, values string) bool {
	values = strings.TrimSpace(values)
	if strings.HasSuffix(values, ".") || strings.HasSuffix(values, ":") || strings.HasSuffix(values, ",") {
		return false
	}
	one := len(strings.Fields(values)) == 1
	return one || strings.ContainsAny(key, "-_") || strings.ContainsAny(values, `0123456789"'/<`)
}

// readYAML reads the keys of mappings by their indentation. It skips texts of several lines.
func readYAML(src *chunk.Source, comment []bool) []setting {
	type level struct {
		indent int
		name   string
	}
	var list []setting
	var open []level
	block := -1 // the indentation of a key whose value is a block of text, or -1
	item := -1  // the indentation of a list, or -1; fields of its items are no keys
	for n := 1; n <= src.Lines() && len(list) <= 20*maxSettings; n++ {
		line := src.Line(n)
		if src.Blank(n) || comment[n-1] || len(line) > maxSettingLine {
			continue
		}
		indent := len(line) - len(bytes.TrimLeft(line, " "))
		if block >= 0 && indent > block {
			continue
		}
		block = -1
		if bare := line[indent:]; bare[0] == '-' && (len(bare) == 1 || bare[1] == ' ') {
			if item < 0 || indent <= item {
				item = indent
			}
			continue
		}
		if item >= 0 && indent > item {
			continue
		}
		item = -1
		m := yamlKey().FindSubmatch(line)
		if m == nil {
			continue
		}
		for len(open) > 0 && open[len(open)-1].indent >= indent {
			open = open[:len(open)-1]
		}
		name := string(m[2])
		if value := bytes.TrimSpace(m[3]); len(value) > 0 && (value[0] == '|' || value[0] == '>') {
			block = indent
		}
		if len(open) > 0 {
			name = open[len(open)-1].name + "." + name
		}
		if len(open) <= maxSettingDeep {
			list = append(list, setting{name: chunk.Truncate(name, 160), line: n, depth: len(open)})
		}
		open = append(open, level{indent, name})
	}
	return trimEnds(setEnds(list, src.Lines()), src, comment)
}

// readJSON reads the keys of objects that are in no list. It skips comments. A text that breaks off
// has the keys before its end.
func readJSON(src *chunk.Source, comment []bool) []setting {
	j := jsonReader{src: src, lists: -1}
	j.readJSON()
	return trimEnds(setEnds(j.list, src.Lines()), src, comment)
}

// A jsonReader reads a text of JSON.
type jsonReader struct {
	src   *chunk.Source
	list  []setting
	open  []string // the name of each open object or list
	lists int      // the depth of the outermost open list, or -1
	name  string   // the string read last, if it may be a key
	at    int      // its place
}

func (j *jsonReader) readJSON() {
	b := j.src.Text
	for i := 0; i < len(b) && len(j.list) <= 20*maxSettings; i++ {
		switch c := b[i]; c {
		case '"', '\'':
			end := stringEnd(b, i)
			j.name, j.at = string(b[min(i+1, end):end]), i
			i = end
		case ':':
			j.key()
		case '{', '[':
			if j.open = append(j.open, j.name); c == '[' && j.lists < 0 {
				j.lists = len(j.open)
			}
			if len(j.open) == 1 {
				j.open[0] = ""
			}
			j.name = ""
		case '}', ']':
			if j.lists == len(j.open) {
				j.lists = -1
			}
			j.open = j.open[:max(0, len(j.open)-1)]
		case ',':
			j.name = ""
		case '/':
			if i+1 < len(b) && b[i+1] == '/' {
				i += max(0, bytes.IndexByte(b[i:], '\n'))
			} else if i+1 < len(b) && b[i+1] == '*' {
				i += max(0, bytes.Index(b[i:], []byte("*/")))
			}
		}
	}
}

// key adds the string read last as a key.
func (j *jsonReader) key() {
	depth := len(j.open) - 1
	if depth < 0 || depth > maxSettingDeep || j.lists >= 0 || !jsonName().MatchString(j.name) {
		return
	}
	names := slices.DeleteFunc(append(slices.Clone(j.open), j.name), func(s string) bool { return s == "" })
	line := j.src.LineAt(j.at)
	if n := len(j.list); n > 0 && j.list[n-1].line == line {
		return // one key a line, because the text has no lines of its own
	}
	j.list = append(j.list, setting{name: chunk.Truncate(strings.Join(names, "."), 160), line: line, depth: depth})
}

// stringEnd returns where the string that starts at i ends. An open one ends with its line.
func stringEnd(b []byte, i int) int {
	quote := b[i]
	for i++; i < len(b); i++ {
		switch b[i] {
		case '\\':
			i++
		case quote, '\n':
			return i
		}
	}
	return len(b)
}
