package text

import (
	"regexp"
	"strings"
)

// traceHead matches lines that only begin a traceback.
var traceHead = Lazy(`^\s*(?:Traceback \(most recent call last\)|goroutine \d+ \[|stack backtrace:|Stack trace:|Exception in thread "|thread '[^']*'(?: \(\d+\))? panicked at )`)

// A frameForm is the form of a stack frame in one language.
type frameForm struct {
	form func() *regexp.Regexp
	path func(m []string) string // returns the path in a match
	last bool                    // the innermost frame comes last
}

// frameForms are tried in order. In Python the innermost frame comes last, elsewhere first.
var frameForms = []frameForm{
	// Python: File "a/b.py", line 3, in f; File a/b.py:3, in f(x) (IPython 8); a/b.py:3: SomeError;
	// a/b.py in f(x) (IPython).
	{Lazy(`^\s*(?:E\s+)?File "([^"\n]+)", line \d+`), first, true},
	{Lazy(`^\s*File (\S+\.pyx?):\d+`), first, true},
	{Lazy(`^\s*(\S+\.pyx?):\d+:`), first, true},
	{Lazy(`^\s*(\S+\.pyx?) in [\pL_<][\pL\pN_.>]*(?:\(|$)`), first, true},
	// Java and others: at java.base/com.acme.Bar$1.run(Bar.java:12): packages are folders.
	{Lazy(`^\s*at (?:[\pL\pN_.@-]+/)*([\pL\pN_$.]+)\.[\pL\pN_$<>]+\(([\pL\pN_$]+\.(?:java|kt|scala|groovy)):\d+\)`), javaPath, false},
	// Rust: at ./src/a.rs:3:5 in a backtrace; panicked at src/a.rs:3:5; panicked at 'message',
	// src/a.rs:3:5; --> src/a.rs:3:5. Since 1.91 a thread's number follows its name.
	{Lazy(`^\s*(?:at|-->|:::) (\S+\.rs):\d+`), first, false},
	{Lazy(`^\s*thread '[^']*'(?: \(\d+\))? panicked at (?:'.*', )?(\S+\.rs):\d+`), first, false},
	// JavaScript: at f (/app/src/a.js:3:5), at file:///app/a.mjs:3:5; Firefox:
	// f@http://host/src/a.js:3:5.
	{Lazy(`^\s*at (?:[^()\n]*\()?([^\s()]+\.[cm]?[jt]sx?):\d+:\d+\)?$`), first, false},
	{Lazy(`^\s*[^\s@()]*@(\S+\.[cm]?[jt]sx?):\d+:\d+$`), first, false},
	// Go: a tab, then /src/a.go:3 +0x1d; a.go:3: message.
	{Lazy(`^\s*(\S+\.go):\d+(?::|\s+\+0x[0-9a-f]+$|$)`), first, false},
}

func first(m []string) string { return m[1] }

// javaPath returns the class's package as a folder, with the file.
func javaPath(m []string) string {
	if i := strings.LastIndexByte(m[1], '.'); i >= 0 {
		return strings.ReplaceAll(m[1][:i], ".", "/") + "/" + m[2]
	}
	return m[2]
}

// maxFrameLine is the longest line that may be a frame.
const maxFrameLine = 1000

// frameOf returns the path in a frame's line, and whether its language puts the innermost frame
// last.
func frameOf(line string) (path string, last, ok bool) {
	if len(line) > maxFrameLine || !strings.ContainsAny(line, ".") {
		return "", false, false
	}
	for _, f := range frameForms {
		if m := f.form().FindStringSubmatch(line); m != nil {
			return f.path(m), f.last, true
		}
	}
	return "", false, false
}

func isFrame(line string) bool {
	_, _, ok := frameOf(line)
	return ok
}

// holdsTrace reports whether a text holds a traceback: a head, or two frames.
func holdsTrace(s string) bool {
	frames := 0
	for line := range strings.Lines(s) {
		line = strings.TrimRight(line, " \t\r\n")
		if traceHead().MatchString(line) {
			return true
		}
		if isFrame(line) {
			if frames++; frames == 2 {
				return true
			}
		}
	}
	return false
}
