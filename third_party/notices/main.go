// Notices writes the table of Go modules in THIRD-PARTY.md: the modules linked into patina, with
// their licences and the copyright lines of their files. With -check it writes nothing, and fails
// if the file is not current.
//
// The rest of THIRD-PARTY.md, about C and C++, is written by hand.
//
// For a release, "-texts FOLDER…" prints the texts of the licences, and "-spdx VERSION" what is
// linked as a document of SPDX 2.3. Its time is SOURCE_DATE_EPOCH.
package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// heading begins the section that is written. It must be the last one in the file.
const heading = "## Go\n"

func main() {
	check := flag.Bool("check", false, "fail if the file is not current, and write nothing")
	texts := flag.Bool("texts", false, "print the texts of the licences; the arguments are folders with more of them")
	version := flag.String("spdx", "", "print what a release of this version contains, as SPDX")
	flag.Parse()
	err := error(nil)
	switch {
	case *texts:
		err = printTexts(flag.Args())
	case *version != "":
		err = printDocument("THIRD-PARTY.md", *version)
	default:
		err = run("THIRD-PARTY.md", *check)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "notices:", err)
		os.Exit(1)
	}
}

// run brings a file up to date. If check is true, it returns an error instead of writing. It must
// be called in the module's root folder.
func run(file string, check bool) error {
	old, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	above, _, found := strings.Cut(string(old), heading)
	if !found {
		return fmt.Errorf("%s has no section %q", file, strings.TrimSpace(heading))
	}
	modules, err := listModules(".")
	if err != nil {
		return err
	}
	text := above + heading + "\n" + table(modules)
	switch {
	case text == string(old):
		return nil
	case check:
		return fmt.Errorf(`%s is not current: run "make notices" and read what has changed`, file)
	}
	return os.WriteFile(file, []byte(text), 0o644)
}

// A module is a linked module, with the properties found in its files.
type module struct {
	path, version string
	licences      []string
	copyrights    []string
	files         []string // licences and notices
}

// listModules lists the modules of other people that have packages linked into the command.
func listModules(root string) ([]module, error) {
	cmd := exec.Command("go", "list", "-deps", "-tags", "sqlite_fts5,sqlite_omit_load_extension", "-json=Dir,Module",
		"./cmd/patina")
	cmd.Dir = root
	var failure bytes.Buffer
	cmd.Stderr = &failure
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("list packages: %w: %s", err, failure.String())
	}
	type where struct{ Path, Version, Dir string }
	type listed struct {
		Dir    string
		Module *struct {
			where
			Main    bool
			Replace *where
		}
	}
	packages, notes := map[string][]string{}, map[string]module{}
	roots := map[string]string{}
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var p listed
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, err
		}
		m := p.Module
		// The standard library has no module, and our own code has no licence of other people.
		if m == nil || m.Main || m.Replace != nil && strings.HasPrefix(m.Replace.Path, ".") {
			continue
		}
		of := module{path: m.Path, version: m.Version}
		roots[m.Path] = m.Dir
		if m.Replace != nil {
			of.version = m.Replace.Version + " of `" + m.Replace.Path + "`"
			roots[m.Path] = m.Replace.Dir
		}
		notes[m.Path] = of
		packages[m.Path] = append(packages[m.Path], p.Dir)
	}
	var all []module
	for path, m := range notes {
		if err := m.read(roots[path], packages[path]); err != nil {
			return nil, err
		}
		all = append(all, m)
	}
	slices.SortFunc(all, func(a, b module) int { return cmp.Compare(strings.ToLower(a.path), strings.ToLower(b.path)) })
	return all, nil
}

var legal = regexp.MustCompile(`^(?i:licen[cs]e|copying|notice|patents)([-.].*)?$`)

// read reads the licences in the root folder of a module, and in the folders of its linked
// packages. It returns an error if it knows none of the licences.
func (m *module) read(root string, packages []string) error {
	folders := map[string]bool{}
	for _, dir := range packages {
		for ; len(dir) > len(root); dir = filepath.Dir(dir) {
			folders[dir] = true
		}
	}
	for _, dir := range append([]string{root}, slices.Sorted(maps.Keys(folders))...) {
		entries, err := os.ReadDir(dir)
		if err != nil {
			return err
		}
		for _, e := range entries {
			if e.IsDir() || !legal.MatchString(e.Name()) {
				continue
			}
			b, err := os.ReadFile(filepath.Join(dir, e.Name()))
			if err != nil {
				return err
			}
			m.files = append(m.files, filepath.Join(dir, e.Name()))
			in, _ := filepath.Rel(root, dir)
			m.add(string(b), filepath.ToSlash(in), strings.HasPrefix(strings.ToUpper(e.Name()), "NOTICE"))
		}
	}
	if len(m.licences) == 0 {
		return fmt.Errorf("%s %s has no licence that is known: read %s, and teach third_party/notices", m.path,
			m.version, root)
	}
	return nil
}

func (m *module) add(text, in string, notice bool) {
	where := ""
	if in != "." {
		where = " (" + in + ")"
	} else if notice {
		where = " (NOTICE)"
	}
	for _, l := range licencesOf(text) {
		if !slices.Contains(m.licences, l) {
			m.licences = append(m.licences, l+where)
		}
	}
	if notice && !slices.Contains(m.licences, "NOTICE") && len(licencesOf(text)) == 0 {
		m.licences = append(m.licences, "NOTICE")
	}
	for _, c := range copyrightsOf(text) {
		if !slices.Contains(m.copyrights, c) {
			m.copyrights = append(m.copyrights, c)
		}
	}
}

// signs are words that occur in one licence only.
var signs = []struct{ licence, words string }{
	{"Apache-2.0", "apache license"},
	{"MIT", "permission is hereby granted, free of charge"},
	{"MPL-2.0", "mozilla public license"},
	{"ISC", "permission to use, copy, modify, and/or distribute this software for any purpose"},
	{"Unicode", "unicode, inc. license"},
	{"BSD-3-Clause", "may be used to endorse or promote products"},
	{"BSD-2-Clause", "redistributions in binary form must reproduce"},
}

// licencesOf returns the licences that a text contains or refers to.
func licencesOf(text string) []string {
	words := strings.ToLower(strings.Join(strings.Fields(text), " "))
	var out []string
	for _, s := range signs {
		if !strings.Contains(words, s.words) || s.licence == "BSD-2-Clause" && slices.Contains(out, "BSD-3-Clause") {
			continue
		}
		out = append(out, s.licence)
	}
	return out
}

var (
	// In the text of a licence, other lines begin with the word, too.
	holder = regexp.MustCompile(`(?im)^[\W_]*copyright:?\s*(?:(?:\(c\)|©)\s*(.*\pL.*)|(\d{4}.*\pL.*))$`)
	// Text after the name: addresses, and words that every licence has.
	around = regexp.MustCompile(`(?i)\s*<[^>]*>|\s+::.*|\.?\s*all rights reserved|\.\s*$`)
)

// copyrightsOf returns the copyright holders that the lines of a text name.
func copyrightsOf(text string) []string {
	var out []string
	for _, m := range holder.FindAllStringSubmatch(text, -1) {
		c := strings.TrimSpace(around.ReplaceAllString(m[1]+m[2], ""))
		out = append(out, strings.ReplaceAll(c, "|", "\\|"))
	}
	return out
}

func table(modules []module) string {
	var b strings.Builder
	b.WriteString("Written by `make notices`, which reads what `go list -deps ./cmd/patina` names.\n\n")
	b.WriteString("| module | version | licence | copyright |\n|---|---|---|---|\n")
	b.WriteString("| the standard library and the runtime | of the Go that builds it | BSD-3-Clause | 2009 The Go Authors |\n")
	for _, m := range modules {
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s |\n", m.path, m.version, strings.Join(m.licences, "; "),
			cmp.Or(strings.Join(m.copyrights, "; "), "-"))
	}
	return b.String()
}
