package brief

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"patina/code/describe"
)

// told writes quotes, one on a line.
func told(quotes []Quote) string {
	var b strings.Builder
	for _, q := range quotes {
		fmt.Fprintf(&b, "%s:%d %s\n", q.Path, q.Line, q.Text)
	}
	return b.String()
}

func commandsTold(commands []Command) string {
	var b strings.Builder
	for _, c := range commands {
		fmt.Fprintf(&b, "%s %s:%d %s\n", c.Use, c.Path, c.Line, c.Text)
	}
	return b.String()
}

func TestCommands(t *testing.T) {
	for _, test := range []struct{ name, source, want string }{
		{"Makefile", "VERSION := 1\nall: a b\nbuild:\n\tgo build\n.PHONY: test\ntest: build\ntest:\ninstall:\n", "build Makefile:2 make all\nbuild Makefile:3 make build\ntest Makefile:6 make test\n"},
		{"Makefile", "all: test lint\n", ""},
		{"composer.json", "{\"scripts\": {\"test\": \"@php phpunit\",\n\"phpstan\": \"x\"}}", "test composer.json:1 composer test\ncheck composer.json:2 composer phpstan\n"},
		{"README.md", "```\nmkdir -p build && cd build\ncmake -DX=1 .. && cmake --build .\n```\n", "build README.md:3 cmake -DX=1 .. && cmake --build .\n"},
		{"justfile", "lint *args:\n", "check justfile:1 just lint\n"},
		{"Taskfile.yaml", "version: '3'\ntasks:\n  build:\n    cmds:\n      - go build\n  test:race:\n  test:\n", "build Taskfile.yaml:3 task build\ntest Taskfile.yaml:7 task test\n"},
		{"tox.ini", "[testenv]\nallowlist_externals =\n    make\ncommands =\n    pytest tests\n", "test tox.ini:5 pytest tests\n"},
		{"sub/Makefile", "test:\n", ""},
		{"package.json", "{\"name\": \"x\",\n\"scripts\": {\n \"build\": \"tsc\",\n \"pretest\": \"x\",\n \"test\": \"vitest\"\n},\"test\":\"no\"}", "build package.json:3 pnpm run build\ntest package.json:5 pnpm test\n"},
		{"package.json", "{\"packageManager\": \"yarn@4.0.0\", \"scripts\": {\"dev\": \"vite\", \"test\": \"\"}}", "run package.json:1 yarn run dev\n"},
		{"package.json", "{\"scripts\": {\"test\":", ""},
		{"CONTRIBUTING.md", "Run `make lint`.\n```sh\n$ go test ./... # all\ngo test <name>\ncd x && make\n```\nWe like pytest.\n", "check CONTRIBUTING.md:1 make lint\ntest CONTRIBUTING.md:3 go test ./...\n"},
		{"README.rst", "Build::\n\n    cargo build --release\n", "build README.rst:3 cargo build --release\n"},
		{".github/workflows/ci.yml", "steps:\n  - run: cargo test --all\n  - run: go test ${{ matrix.flags }}\n  - run: |\n      npm run build\n", "test .github/workflows/ci.yml:2 cargo test --all\nbuild .github/workflows/ci.yml:5 npm run build\n"},
		{"src/main.go", "test:\n", ""},
	} {
		got := commandsTold(CommandsIn(test.name, test.source, func(name string) bool { return name == "pnpm-lock.yaml" }))
		if got != test.want {
			t.Errorf("%s: %q\ngot  %q\nwant %q", test.name, test.source, got, test.want)
		}
	}
}

// Subjects that only look short are not vague.
func TestVague(t *testing.T) {
	for _, s := range []string{"Fix", "fixes", "Minor fixes", "WIP", "update", "more tweaks", "Bug fix.", "fix tests", "Apply suggestions from code review", "Update a/b/sampler.py", "Add test"} {
		if !Vague(s) {
			t.Errorf("%q says what it changes", s)
		}
	}
	for _, s := range []string{"Update actions/checkout action to v7.0.1", "Update cargo dependencies", "Bundle update", "Update links to https [ci skip]"} {
		if Routine(s) == 0 {
			t.Errorf("%q is no routine", s)
		}
	}
	for _, s := range []string{"Fix a race in Close", "Update the parser", "fix(wal): sync", "Minor UI fixes", "Save rows"} {
		if Vague(s) {
			t.Errorf("%q is vague", s)
		}
	}
}

// Folders of examples are no packages, and a purpose ends before a list that it announces.
func TestPurposesWorthReading(t *testing.T) {
	exists := func(string) bool { return false }
	for _, u := range unitsOf([]describe.Central{{Path: "docs/snippets/spring/Main.kt"}, {Path: "core/Table.kt"}, {Path: "documentation-website/a/b.kt"}}, exists) {
		if u.folder != "core" {
			t.Errorf("%s is a package", u.folder)
		}
	}
	q, _, ok := PurposeOf("README.md", "# Devise\n\nDevise is a flexible authentication solution for Rails. It:\n\n* Is Rack based;\n")
	if !ok || q.Text != "Devise is a flexible authentication solution for Rails." {
		t.Errorf("%q", q.Text)
	}
	rules := RulesIn("AGENTS.md", "- Only works with JDBC and not with others\n- Only use JDBC for it\n")
	if len(rules) != 1 || rules[0].Line != 2 {
		t.Errorf("rules %v", rules)
	}
}

func TestBestCommandsComeFirst(t *testing.T) {
	at := func(use Use, text, path string) Command { return Command{use, Quote{text, path, 1}} }
	got := commandsTold(bestCommands([]Command{
		at(Test, "go test -race ./...", ".github/workflows/ci.yml"), at(Check, "golangci-lint run", ".github/workflows/ci.yml"),
		at(Build, "go build ./...", "README.md"), at(Test, "make test", "Makefile"), at(Build, "make all", "Makefile"), at(Build, "make build", "Makefile"),
		at(Build, "go build -v ./...", "README.md"),
	}))
	want := "build Makefile:1 make build\ntest Makefile:1 make test\ncheck .github/workflows/ci.yml:1 golangci-lint run\n" +
		"build Makefile:1 make all\nbuild README.md:1 go build ./...\n"
	if got != want {
		t.Errorf("got\n%s", got)
	}
}

func TestPurposes(t *testing.T) {
	for _, test := range []struct{ name, source, want string }{
		{"README.md", "# X\n[![b](u)](v)\n\nPlease star us on the hub, dear reader.\n\nX is a tool\nfor *finding* things. It is fast.\n\nMore.\n", "README.md:6 X is a tool for finding things. It is fast.\n"},
		{"README.md", "# X\n## Questions\nFor questions please use the official forum.\n## Use\nWe ask all to be kind to others here.\n", ""},
		{"README.md", "# X\n## A\n## About\nX provides queues that survive a crash.\n", "README.md:4 X provides queues that survive a crash.\n"},
		{"README.md", "# X\n## A\n## B\nOptionally you may install the speedy library.\n", ""},
		{"store/doc.go", "// Copyright 2020.\n\n// Package store keeps rows. It locks.\npackage store\n", "store/doc.go:3 Package store keeps rows.\n"},
		{"store/doc.go", "/*\nPackage store keeps\nrows.\n*/\npackage store\n", "store/doc.go:2 Package store keeps rows.\n"},
		{"store/a.go", "// Helpers of the file.\n\npackage store\n", ""},
		{"a/lib.rs", "#![allow(x)]\n//! A list of\n//! things.\nuse x;\n", "a/lib.rs:2 A list of things.\n"},
		{"a/__init__.py", "# -*- x -*-\n\"\"\"\nUtilities for the wire.\n\"\"\"\nimport x\n\"\"\"no\"\"\"\n", "a/__init__.py:3 Utilities for the wire.\n"},
		{"a/__init__.py", "import x\n\"\"\"Not the docstring, is it.\"\"\"\n", ""},
		{"a/package-info.java", "/**\n * Reads all the things.\n */\npackage a;\n", "a/package-info.java:2 Reads all the things.\n"},
		{"a/package.json", "{\"name\": \"a\",\n \"description\": \"Shared parts of b\"}", "a/package.json:2 Shared parts of b\n"},
		{"a/Cargo.toml", "[package]\ndescription = \"Globs for all.\"\n", "a/Cargo.toml:2 Globs for all.\n"},
	} {
		q, ok := LeadOf(test.name, test.source)
		if test.name == "README.md" {
			q, _, ok = PurposeOf(test.name, test.source)
		}
		got := ""
		if ok {
			got = told([]Quote{q})
		}
		if got != test.want {
			t.Errorf("%s: %q\ngot  %q\nwant %q", test.name, test.source, got, test.want)
		}
	}
}

func TestCorePurpose(t *testing.T) {
	for source, want := range map[string]string{
		"---\nid: x\n---\n# X\n\n**Status:** on\n**Purpose:** Keep a *tiny* interface.\n": "layer/core/x.md:7 Keep a tiny interface.\n",
		"# X\nPurpose: hide all details.\n":                                               "layer/core/x.md:2 hide all details.\n",
		"# X\n\nIt has no such line at all.\n":                                            "",
		"# Purpose of the whole\n":                                                        "",
	} {
		got := ""
		if q, ok := CorePurpose("layer/core/x.md", source); ok {
			got = told([]Quote{q})
		}
		if got != want {
			t.Errorf("%q: got %q, want %q", source, got, want)
		}
	}
}

func TestConventions(t *testing.T) {
	for _, test := range []struct{ name, source, want string }{
		{
			".golangci.yml", "linters-settings:\n  depguard:\n    rules:\n      main:\n        deny:\n          - pkg: \"github.com/pkg/errors\"\n            desc: use errors\n          - pkg: io/ioutil\n  other:\n    deny:\n      - pkg: x\n",
			".golangci.yml:6 depguard denies github.com/pkg/errors: use errors\n.golangci.yml:8 depguard denies io/ioutil\n",
		},
		{".golangci.yaml", "forbidigo:\n  forbid:\n    - p: ^print$\n      msg: 'no prints'\n", ".golangci.yaml:3 forbidigo denies ^print$: no prints\n"},
		{
			"eslint.config.js", "rules: {\n 'no-restricted-imports': ['error', {\n  paths: [\n   { name: 'lodash', message: 'Use lodash-es.' },\n   { name: 'x' }\n ]}],\n 'y': [{ name: 'no' }]\n}\n",
			"eslint.config.js:4 no-restricted-imports: lodash: Use lodash-es.\neslint.config.js:5 no-restricted-imports: x\n",
		},
		{"deny.toml", "[licenses]\nallow = [\"MIT\"]\n[bans]\ndeny = [\n  # slow\n  { crate = \"openssl\" },\n  { name = \"x\", reason = \"old\" },\n]\nskip = [{ crate = \"no\" }]\n", "deny.toml:6 cargo-deny bans openssl: slow\ndeny.toml:7 cargo-deny bans x: old\n"},
		{"go.mod", "module x\nretract v1.0.0 // broken\nretract (\n\tv1.1.0\n)\nrequire y v1\n", "go.mod:2 retracted v1.0.0: broken\ngo.mod:4 retracted v1.1.0\n"},
		{"setup.cfg", "[metadata]\nname = x\n[importlinter:contract:1]\nname = Layers stay apart\n", "setup.cfg:4 import-linter: Layers stay apart\n"},
		{"pyproject.toml", "[project]\nname = \"x\"\n[[tool.importlinter.contracts]]\nname = \"Layers\"\n", "pyproject.toml:4 import-linter: Layers\n"},
		{"sub/go.mod", "retract v1.0.0\n", ""},
	} {
		if got := told(ConventionsIn(test.name, test.source)); got != test.want {
			t.Errorf("%s: %q\ngot  %q\nwant %q", test.name, test.source, got, test.want)
		}
	}
}

func TestOwners(t *testing.T) {
	var got []string
	for _, o := range OwnersIn("CODEOWNERS", "# all\n/docs/ @b  # papers\n* @a @org/c\n/none\n/odd word\n[Section]\n") {
		got = append(got, fmt.Sprintf("%s %s:%d", o.Pattern, o.Text, o.Line))
	}
	if want := []string{"* @a @org/c:3", "/docs/ @b:2"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestTopicsComeFirst(t *testing.T) {
	rules := []Quote{{Text: "Never panic."}, {Text: "Wrap errors."}, {Text: "An error names its cause; errors are wrapped."}}
	byTopic(rules, "error wrapping", func(q Quote) string { return q.Text })
	if rules[0].Text[0] != 'W' || rules[1].Text[0] != 'A' || rules[2].Text[0] != 'N' {
		t.Errorf("%v", rules)
	}
	byTopic(rules, "the", func(q Quote) string { return q.Text }) // only stop words
	if rules[0].Text[0] != 'W' {
		t.Errorf("%v", rules)
	}
}

func FuzzReaders(f *testing.F) {
	f.Add("Makefile", "test:\n")
	f.Add("package.json", `{"scripts": {"test": "x"}, "a": [{"b": ["c"]}]}`)
	f.Add("a/__init__.py", `"""x y z`)
	f.Add("x.go", "/* a b c */ package x\n// d e f\npackage y")
	f.Add("eslint.config.js", "no-restricted-imports: [{ name: 'x', message: `y` }]")
	f.Add(".golangci.yml", "depguard:\n  - pkg: x")
	f.Add("deny.toml", "[bans]\ndeny = [{ crate = \"x\" }]")
	f.Add("README.md", "# x\n\ny z is a b c d e.")
	f.Fuzz(func(t *testing.T, name, source string) {
		quotes := append(ConventionsIn(name, source), RulesIn(name, source)...)
		for _, c := range CommandsIn(name, source, func(string) bool { return false }) {
			quotes = append(quotes, c.Quote)
		}
		for _, o := range OwnersIn(name, source) {
			quotes = append(quotes, o.Quote)
		}
		for _, read := range []func(string, string) (Quote, bool){LeadOf, purpose, CorePurpose} {
			if q, ok := read(name, source); ok {
				quotes = append(quotes, q)
			}
		}
		lines := strings.Count(source, "\n") + 1
		for _, q := range quotes {
			if q.Text == "" || q.Path != name || q.Line < 1 || q.Line > lines {
				t.Errorf("%v of %d lines", q, lines)
			}
		}
	})
}

func purpose(name, source string) (Quote, bool) {
	q, _, ok := PurposeOf(name, source)
	return q, ok
}
