package suggest

import (
	"encoding/xml"
	"io"
	"path"
	"slices"
	"strings"
)

// An element is an element of XML that has ended.
type element struct {
	path     []string // of it, from the root
	attrs    map[string]string
	text     string
	children map[string]string // the texts of its first children, by their names
	line     int
}

// elements calls f for each element as it ends, up to the first mistake.
func elements(text string, f func(element)) {
	// The text is UTF-8 by now, whatever its first line says.
	d := xml.NewDecoder(strings.NewReader(text))
	d.CharsetReader = func(_ string, in io.Reader) (io.Reader, error) { return in, nil }
	var open []element
	for len(open) <= maxDepth {
		line, _ := d.InputPos()
		t, err := d.Token()
		if err != nil {
			return
		}
		switch t := t.(type) {
		case xml.StartElement:
			e := element{attrs: map[string]string{}, children: map[string]string{}, line: line}
			for _, x := range open {
				e.path = append(e.path, x.path[len(x.path)-1])
			}
			e.path = append(e.path, t.Name.Local)
			for _, a := range t.Attr {
				e.attrs[a.Name.Local] = a.Value
			}
			open = append(open, e)
		case xml.CharData:
			if n := len(open); n > 0 {
				open[n-1].text += string(t)
			}
		case xml.EndElement:
			n := len(open)
			if n == 0 {
				return
			}
			e := open[n-1]
			e.text = strings.TrimSpace(e.text)
			if open = open[:n-1]; n > 1 {
				name := e.path[len(e.path)-1]
				if _, twice := open[n-2].children[name]; !twice {
					open[n-2].children[name] = e.text
				}
			}
			f(e)
		}
	}
}

// pom reads a project of Maven. What it only manages, and what its plugins need, it does not use.
func (m *manifest) pom() {
	var deps []element
	group, artifact := "", ""
	elements(m.text, func(e element) {
		switch {
		case len(e.path) == 1:
			artifact = e.children["artifactId"]
			if own := e.children["groupId"]; own != "" {
				group = own
			}
		case len(e.path) == 2 && e.path[1] == "parent":
			group = e.children["groupId"]
		case e.path[len(e.path)-1] == "dependency" && !slices.Contains(e.path, "dependencyManagement") && !slices.Contains(e.path, "build") && !slices.Contains(e.path, "reporting"):
			deps = append(deps, e)
		}
	})
	m.named(maven, group+":"+artifact)
	for _, d := range deps {
		use := forUse
		if d.children["scope"] == "test" {
			use = forTests
		}
		of := strings.NewReplacer("${project.groupId}", group, "${pom.groupId}", group, "${groupId}", group).Replace(d.children["groupId"])
		m.need(maven, of+":"+d.children["artifactId"], use, d.line)
	}
}

// project reads a project of .NET, or properties that several share. Tests depend on a framework
// for tests; the names of such projects do not count.
func (m *manifest) project() {
	name := ""
	if ext := path.Ext(m.path); strings.HasSuffix(ext, "proj") {
		name = strings.TrimSuffix(path.Base(m.path), ext)
	}
	elements(m.text, func(e element) {
		switch e.path[len(e.path)-1] {
		case "PackageReference":
			use := forUse
			if strings.EqualFold(e.attrs["PrivateAssets"], "all") || strings.EqualFold(e.children["PrivateAssets"], "all") {
				use = forTests
			}
			m.need(nuget, e.attrs["Include"], use, e.line)
		case "package":
			if path.Base(m.path) == "packages.config" {
				use := forUse
				if e.attrs["developmentDependency"] == "true" {
					use = forTests
				}
				m.need(nuget, e.attrs["id"], use, e.line)
			}
		case "PackageId", "AssemblyName":
			m.named(nuget, e.text)
		}
	})
	m.named(nuget, name)
}
