package main

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// unknown is how SPDX says that nothing is claimed.
const unknown = "NOASSERTION"

// A document is a list of packages as SPDX 2.3 writes it.
type document struct {
	Version       string         `json:"spdxVersion"`
	DataLicense   string         `json:"dataLicense"`
	ID            string         `json:"SPDXID"`
	Name          string         `json:"name"`
	Namespace     string         `json:"documentNamespace"`
	Creation      creation       `json:"creationInfo"`
	Packages      []component    `json:"packages"`
	Relationships []relationship `json:"relationships"`
}

type creation struct {
	Created  string   `json:"created"`
	Creators []string `json:"creators"`
}

type component struct {
	ID            string     `json:"SPDXID"`
	Name          string     `json:"name"`
	Version       string     `json:"versionInfo,omitempty"`
	Download      string     `json:"downloadLocation"`
	FilesAnalyzed bool       `json:"filesAnalyzed"`
	Concluded     string     `json:"licenseConcluded"`
	Declared      string     `json:"licenseDeclared"`
	Copyright     string     `json:"copyrightText"`
	Source        string     `json:"sourceInfo,omitempty"`
	References    []location `json:"externalRefs,omitempty"`
}

type location struct {
	Category string `json:"referenceCategory"`
	Type     string `json:"referenceType"`
	Locator  string `json:"referenceLocator"`
}

type relationship struct {
	From string `json:"spdxElementId"`
	Type string `json:"relationshipType"`
	To   string `json:"relatedSpdxElement"`
}

// identifiers are the names that SPDX has for licences that THIRD-PARTY.md names otherwise.
var identifiers = map[string]string{
	"public domain":                    "blessing",
	"Unicode":                          "Unicode-DFS-2016",
	"Unicode (ICU 58 and later)":       "Unicode-DFS-2016",
	"NOTICE":                           "",
	"Apache-2.0 with LLVM's exception": "Apache-2.0 WITH LLVM-exception",
	"GPL-3.0 with the GCC Runtime Library Exception": "GPL-3.0-or-later WITH GCC-exception-3.1",
}

// expression is the licence of a component in the grammar of SPDX.
func expression(licences []string) string {
	var out []string
	for _, l := range licences {
		if name, ok := identifiers[l]; ok {
			l = name
		} else if l, _, _ = strings.Cut(l, " ("); identifiers[l] != "" {
			l = identifiers[l]
		}
		if l != "" {
			out = append(out, l)
		}
	}
	return strings.Join(out, " AND ")
}

// printDocument prints what file and the modules say is linked into a release.
func printDocument(file, version string) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	modules, err := listModules(".")
	if err != nil {
		return err
	}
	epoch, err := strconv.ParseInt(os.Getenv("SOURCE_DATE_EPOCH"), 10, 64)
	if err != nil {
		return fmt.Errorf("SOURCE_DATE_EPOCH must be the seconds of the release: %w", err)
	}
	out, err := json.MarshalIndent(describe(version, time.Unix(epoch, 0), handWritten(string(text)), modules), "", "  ")
	if err != nil {
		return err
	}
	_, err = fmt.Println(string(out))
	return err
}

// describe makes the document. Equal arguments give equal documents.
func describe(version string, created time.Time, native []component, modules []module) document {
	own := component{
		ID: "SPDXRef-patina", Name: "patina", Version: version, Download: unknown,
		Concluded: unknown, Declared: "MIT", Copyright: unknown,
	}
	all := append([]component{own}, native...)
	for _, m := range modules {
		version, _, _ := strings.Cut(m.version, " ")
		c := component{
			Name: m.path, Version: version, Download: unknown,
			Concluded: unknown, Declared: expression(m.licences), Copyright: strings.Join(m.copyrights, "\n"),
			References: []location{{"PACKAGE-MANAGER", "purl", "pkg:golang/" + m.path + "@" + version}},
		}
		all = append(all, c)
	}
	d := document{
		Version: "SPDX-2.3", DataLicense: "CC0-1.0", ID: "SPDXRef-DOCUMENT", Name: "patina-" + version,
		Creation:      creation{created.UTC().Format(time.RFC3339), []string{"Tool: patina-notices"}},
		Relationships: []relationship{{"SPDXRef-DOCUMENT", "DESCRIBES", own.ID}},
	}
	for i := range all {
		c := &all[i]
		if c.Copyright == "" {
			c.Copyright = unknown
		}
		if c.ID == "" {
			c.ID = fmt.Sprintf("SPDXRef-%d-%s", i, notIdentifier.ReplaceAllString(c.Name, "-"))
			d.Relationships = append(d.Relationships, relationship{own.ID, "CONTAINS", c.ID})
		}
	}
	d.Packages = all
	sum, _ := json.Marshal(d)
	d.Namespace = fmt.Sprintf("https://spdx.org/spdxdocs/patina-%s-%x", version, sha256.Sum256(sum))
	return d
}

var notIdentifier = regexp.MustCompile(`[^A-Za-z0-9.-]+`)

// packageOf finds the package of npm in the column of where something comes from.
var packageOf = regexp.MustCompile("npm package `([^`]+)`")

// handWritten reads the tables of THIRD-PARTY.md that no program writes: C and C++, files of pages.
// Their columns are what it is, where it comes from, its licence and its copyright.
func handWritten(text string) []component {
	text, _, _ = strings.Cut(text, heading)
	var out []component
	for line := range strings.Lines(text) {
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
		if len(cells) != 4 || strings.HasPrefix(cells[1], "---") || strings.TrimSpace(cells[0]) == "what" {
			continue
		}
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
		}
		if strings.HasSuffix(cells[1], "with `make build`") {
			continue // no release links it
		}
		c := component{
			Name: cells[0], Download: unknown, Concluded: unknown, Declared: expression([]string{cells[2]}),
			Source: "from " + cells[1], Copyright: strings.Trim(cells[3], "-"),
		}
		if i := strings.LastIndexByte(c.Name, ' '); i > 0 && c.Name[i+1] >= '0' && c.Name[i+1] <= '9' {
			c.Name, c.Version = c.Name[:i], c.Name[i+1:]
			if m := packageOf.FindStringSubmatch(cells[1]); m != nil {
				c.References = []location{{"PACKAGE-MANAGER", "purl", "pkg:npm/" + m[1] + "@" + c.Version}}
			}
		}
		out = append(out, c)
	}
	return out
}
