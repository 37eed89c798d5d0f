package lang

import (
	"testing"
)

func TestLanguage(t *testing.T) {
	for _, c := range []struct {
		name, text, want string
		code             bool
	}{
		{"a.go", "", "Go", true},
		{"A.RS", "", "Rust", true},
		{"x.proto", "", "Protocol Buffers", true},
		{"x.sql", "", "SQL", true},
		{"x.json", "", "JSON", false},
		{"Makefile", "", "Makefile", true},
		{"Makefile.am", "", "Makefile", true},
		{"a/Dockerfile.dev", "", "Dockerfile", true},
		{"run", "#!/bin/bash\n", "Shell", true},
		{"run", "#!/usr/bin/env -S python3.11 -u\n", "Python", true},
		{"run", "#!/usr/bin/env FOO=1 node", "JavaScript", true},
		{"run", "text", "", false},
		{"a.m", "#import <x.h>\n", "Objective-C", true},
		{"a.m", "x = 1;\n", "MATLAB", true},
		{"a.h", "int f(void);\n", "C", true},
		{"a.h", "namespace a {\n", "C++", true},
		{"a.h", "struct lamp final {\n", "C++", true},
		{"a.h", "struct lamp : public thing {\n", "C++", true},
		{"a.h", "enum class mode { on };\n", "C++", true},
		{"a.h", "size_t f(const std::string &s);\n", "C++", true},
		{"a.h", "struct a {\n  virtual int f();\n};\n", "C++", true},
		{"a.h", "list<int> all;\n", "C++", true},
		{"a.h", "int f(void); // see std::move, class a\n/*\nclass of its own\nusing it: namespace a {\n*/\n" +
			"int g(int a, int b);\nstruct a { int b : 3; };\n", "C", true},
		{"a.h", "#ifdef __cplusplus\nextern \"C\" {\n#endif\nint f(int a) /* virtual int */;\n" +
			"int h = a < b && c > d;\n", "C", true},
		{"a.ts", "<?xml version=\"1.0\"?>\n<!DOCTYPE TS>\n<TS></TS>\n", "XML", false},
		{"a.ts", "\ufeff<!DOCTYPE TS>\n", "XML", false},
		{"a.ts", "let a = <any>b;\n", "TypeScript", true},
		{".gitignore", "", "", false},
		{"a.tsx", "", "TSX", true},
	} {
		if got := Of(c.name, []byte(c.text)); got.Name != c.want || got.Code != c.code {
			t.Errorf("languageOf(%q, %q) = %q %v, want %q %v", c.name, c.text, got.Name, got.Code, c.want, c.code)
		}
	}
	if len(byFile()) < len(known()) || len(byInterpreter()) == 0 {
		t.Errorf("%d endings and %d interpreters for %d languages", len(byFile()), len(byInterpreter()), len(known()))
	}
}

// Text documents of some projects are reStructuredText under another name.
func TestRestructuredByContent(t *testing.T) {
	for text, want := range map[string]string{
		"Title\n=====\n\n.. code-block:: sh\n\n   ls\n": "reStructuredText",
		"Title\n=====\n\nwords\n":                       "Text",
	} {
		if l := Of("docs/x.txt", []byte(text)); l.Name != want {
			t.Errorf("%q is %s, want %s", text, l.Name, want)
		}
	}
}
