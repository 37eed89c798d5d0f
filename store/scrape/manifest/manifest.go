package manifest

import (
	"bytes"
	"cmp"
	"encoding/json"
	"encoding/xml"
	"io"
	"regexp"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2/unstable"

	"patina/store/text"
)

// Each function here reads one kind of manifest and returns the name of its package, or "".

var goModModule = text.Lazy("(?m)^[ \t]*module[ \t]+[\"`]?([^\\s\"`(]+)")

func goModName(b []byte) string { return first(goModModule(), b) }

func cargoName(b []byte) string { return tomlTexts(b, "package.name")["package.name"] }

func pyprojectName(b []byte) string {
	found := tomlTexts(b, "project.name", "tool.poetry.name")
	return cmp.Or(found["project.name"], found["tool.poetry.name"])
}

// tomlTexts reads the texts of a few keys, up to the first mistake. Other keys are passed over: to
// build the whole tree takes quadratic time.
func tomlTexts(b []byte, wanted ...string) map[string]string {
	found := make(map[string]string)
	var put func(key string, value *unstable.Node)
	put = func(key string, value *unstable.Node) {
		_, twice := found[key]
		switch {
		case value.Kind == unstable.String && !twice && slices.Contains(wanted, key):
			found[key] = string(value.Data)
		case value.Kind == unstable.InlineTable && slices.ContainsFunc(wanted, func(w string) bool { return strings.HasPrefix(w, key+".") }):
			for it := value.Children(); it.Next(); {
				put(tomlKey(key, it.Node()), it.Node().Value())
			}
		}
	}
	table := ""
	var p unstable.Parser
	p.Reset(b)
	for p.NextExpression() && len(found) < len(wanted) {
		switch e := p.Expression(); e.Kind {
		case unstable.Table:
			table = tomlKey("", e)
		case unstable.ArrayTable:
			table = "[[" // its keys belong to one of many
		case unstable.KeyValue:
			put(tomlKey(table, e), e.Value())
		}
	}
	return found
}

// tomlKey returns the dotted key of an expression below a table. A key longer than any wanted one
// is cut.
func tomlKey(table string, e *unstable.Node) string {
	key := table
	for it := e.Key(); it.Next() && len(key) < maxPackageName; {
		if key != "" {
			key += "."
		}
		key += strings.ReplaceAll(string(it.Node().Data), ".", "\x00") // quoted dots part nothing
	}
	return key
}

// setupCfgName reads "name = x" of the section [metadata].
func setupCfgName(b []byte) string {
	section := ""
	for line := range strings.Lines(string(b)) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "[") {
			section = line
		}
		key, value, ok := strings.Cut(line, "=")
		if ok && section == "[metadata]" && strings.TrimSpace(key) == "name" {
			return value
		}
	}
	return ""
}

// A name that is computed is not known.
var (
	setupPy   = text.Lazy(`\bname\s*=\s*["']([^"'\n]+)["']\s*[,)\n]`)
	gemspec   = text.Lazy(`\.name\s*=\s*["']([^"'\n]+)["']`)
	cmakeProj = text.Lazy(`(?mi)^[ \t]*project\s*\(\s*"?([^\s")]+)`)
)

func setupPyName(b []byte) string { return first(setupPy(), b) }
func gemspecName(b []byte) string { return first(gemspec(), b) }
func cmakeName(b []byte) string   { return first(cmakeProj(), b) }

func first(re *regexp.Regexp, b []byte) string {
	if m := re.FindSubmatch(b); m != nil {
		return string(m[1])
	}
	return ""
}

// jsonName reads package.json and composer.json.
func jsonName(b []byte) string {
	var m struct{ Name json.RawMessage }
	var name string
	if json.Unmarshal(b, &m) == nil {
		_ = json.Unmarshal(m.Name, &name) // a name that is no text is none
	}
	return name
}

// readXML reads what it can. The text is UTF-8 by now, whatever its first line says.
func readXML(b []byte, v any) {
	d := xml.NewDecoder(bytes.NewReader(b))
	d.CharsetReader = func(_ string, in io.Reader) (io.Reader, error) { return in, nil }
	_ = d.Decode(v)
}

// pomName reads the artifact of a Maven project: that of its parent is another one.
func pomName(b []byte) string {
	var m struct {
		ArtifactID string `xml:"artifactId"`
	}
	readXML(b, &m)
	return m.ArtifactID
}

// csprojName reads the first package or assembly that a project of .NET names. Without one, the
// file's own name counts.
func csprojName(b []byte) string {
	var m struct {
		Groups []struct {
			PackageID    string `xml:"PackageId"`
			AssemblyName string `xml:"AssemblyName"`
		} `xml:"PropertyGroup"`
	}
	readXML(b, &m)
	for _, g := range m.Groups {
		if g.PackageID != "" {
			return g.PackageID
		}
	}
	for _, g := range m.Groups {
		if g.AssemblyName != "" {
			return g.AssemblyName
		}
	}
	return ""
}
