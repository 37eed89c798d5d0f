package scrape

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"io"
	"regexp"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"patina/store/text"
)

// Each function here reads one kind of manifest and returns the name that it gives its package, or "".

var goModModule = text.Lazy("(?m)^[ \t]*module[ \t]+[\"`]?([^\\s\"`(]+)")

func goModName(b []byte) string { return first(goModModule(), b) }

func cargoName(b []byte) string {
	var m struct {
		Package struct{ Name string }
	}
	_ = toml.Unmarshal(b, &m) // what is read before an error is right
	return m.Package.Name
}

func pyprojectName(b []byte) string {
	var m struct {
		Project struct{ Name string }
		Tool    struct{ Poetry struct{ Name string } }
	}
	_ = toml.Unmarshal(b, &m)
	if m.Project.Name == "" {
		return m.Tool.Poetry.Name
	}
	return m.Project.Name
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

// csprojName reads the first package or assembly that a project of .NET names; else the file's own name is the package's.
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
