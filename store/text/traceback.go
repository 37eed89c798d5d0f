package text

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"patina/internal/lazyregexp"
)

// A Frame is one call in a pasted trace.
type Frame struct {
	Path string // with slashes, as the trace writes it; empty if it names no file
	Line int    // from 1; 0 if unknown
	Func string // "f" or "Type.f", as entries are named; empty if unknown
}

// traceHead matches lines that begin a traceback without being a frame themselves.
var traceHead = lazyregexp.New(`^\s*(?:Traceback \(most recent call last\)|goroutine \d+ \[|stack backtrace:|` +
	`(?:PHP )?Stack trace:|\[stacktrace\]|` +
	`Exception in thread "|thread '[^']*'(?: \(\d+\))? panicked at |\(gdb\) (?:bt|backtrace|where)\b|\(lldb\) bt\b|` +
	`Program (?:received|terminated with) signal |\* thread #\d+.*stop reason = |==\d+==\s*ERROR: \w+Sanitizer: |` +
	`WARNING: ThreadSanitizer: )`)

// An order is the end of a trace at which a form has the innermost frame.
type order int

const (
	innerFirst order = iota
	innerLast
)

// A frameForm is the form of a stack frame in one language. Its groups are named p for the path, l
// for the line, f for the function and t for its type.
type frameForm struct {
	mark  string // every such line holds it
	form  func() *regexp.Regexp
	order order
	sure  bool // no other text has such a line
	above bool // the line above may name the function
}

// native matches a path and a line in C traces. placed matches them after a function that may
// contain spaces.
const (
	native = `(?P<p>[^\s()][^()]*?\.[A-Za-z][\w+]*):(?P<l>\d+)(?::\d+)?`
	placed = `(?P<p>(?:[A-Za-z]:|\.{0,2})[/\\][^():]*|[\w./\\+-]+\.[A-Za-z][\w+]*):(?P<l>\d+)(?::\d+)?`
)

// frameForms are tried in order, so the stricter form must come first.
var frameForms = []frameForm{
	// Python: File "a/b.py", line 3, in f; File a/b.py:3, in f(x) (IPython 8); a/b.py:3: SomeError;
	// a/b.py in f(x) (IPython).
	{
		mark: `File "`, form: lazyregexp.New(`^\s*(?:E\s+)?File "(?P<p>[^"\n]+)", line (?P<l>\d+)(?:, in ` +
			`(?P<f>[^\s(]+))?`),
		order: innerLast,
	},
	{
		mark: "File ", form: lazyregexp.New(`^\s*File (?P<p>\S+\.pyx?):(?P<l>\d+)(?:, in (?P<f>[\pL_][\pL\pN_.]*))?`),
		order: innerLast,
	},
	{
		mark: ".py", form: lazyregexp.New(`^\s*(?P<p>\S+\.pyx?):(?P<l>\d+):(?: in (?P<f>[\pL_][\pL\pN_.]*))?`),
		order: innerLast,
	},
	{mark: ".py", form: lazyregexp.New(`^\s*(?P<p>\S+\.pyx?) in (?P<f>[\pL_<][\pL\pN_.>]*)(?:\(|$)`), order: innerLast},
	// lldb: frame #0: 0x1 app`ns::T::f(x=1) at a.cc:3:5. Without a file it names a library.
	{
		mark: "frame #", form: lazyregexp.New("^[\\s*]*frame #\\d+: 0x[0-9a-f]+ [^`]*`(?P<f>.+) at " + native),
		sure: true,
	},
	{mark: "frame #", form: lazyregexp.New("^[\\s*]*frame #\\d+: 0x[0-9a-f]+ [^`]*`(?P<f>[^+]+)"), sure: true},
	// gdb: #1  0x1 in f (x=1) at a.c:3, or from /lib/b.so.
	{mark: "#", form: lazyregexp.New(`^\s*#\d+\s+(?:0x[0-9a-f]+ in )?(?P<f>\S.*?) \(.*\)(?: const)? at ` + native +
		`$`), sure: true},
	{
		mark: "#", form: lazyregexp.New(`^\s*#\d+\s+0x[0-9a-f]+ in (?P<f>\S.*?) \(.*\)(?: const)?(?: from \S+)?$`),
		sure: true,
	},
	{mark: "#", form: lazyregexp.New(`^\s*#\d+  +(?P<f>\S+) \((?:\w+=.*)?\)(?: from \S+)?$`)},
	// Sanitizers: #0 0x1 in ns::f(int) /src/a.cc:3:5, or (/bin/a+0x1).
	{mark: "#", form: lazyregexp.New(`^\s*#\d+ 0x[0-9a-f]+ in (?P<f>\S.*?) ` + placed + `$`), sure: true},
	{mark: "#", form: lazyregexp.New(`^\s*#\d+ (?P<f>\S.*?) ` + placed + ` \(\S+\+0x[0-9a-f]+\)$`), sure: true},
	{
		mark: "+0x", form: lazyregexp.New(`^\s*#\d+ (?:0x[0-9a-f]+ in )?(?P<f>\S.*?) (?:<null> )?\(\S*\+0x[0-9a-f]+\)`),
		sure: true,
	},
	// glibc: /bin/a(f+0x1)[0x2], with a.c:3 behind it by addr2line.
	{mark: "+0x", form: lazyregexp.New(`^\s*\S+\((?P<f>[^()+]+)\+0x[0-9a-f]+\)\s?\[0x[0-9a-f]+\](?:\s+(?:at )?` +
		native + `.*)?$`), sure: true},
	// addr2line -f: the function, then /src/a.c:3.
	{
		mark: ":", form: lazyregexp.New(`^(?P<p>/[^\s:]+\.(?:c|cc|cpp|cxx|h|hh|hpp)):(?P<l>\d+)(?: \(discriminator \d+\))?$`),
		above: true,
	},
	// Valgrind: ==1==    at 0x1: f (a.c:3).
	{
		mark: "==", form: lazyregexp.New(`^==\d+==\s+(?:at|by) 0x[0-9A-F]+: (?P<f>\S.*) \((?P<p>[^():]+):(?P<l>\d+)\)$`),
		sure: true,
	},
	// .NET: at A.B.T.F(String x) in C:\src\T.cs:line 3; Mono: in /src/T.cs:3; Unity: (at T.cs:3).
	{
		mark: " in ", form: lazyregexp.New(`^\s*at (?P<f>[^\s(]\S*?) ?\(.*\)(?: \[0x[0-9a-f]+\])? in (?P<p>.+\.\w+):(?:line )?(?P<l>\d+)`),
		sure: true,
	},
	{mark: "(at ", form: lazyregexp.New(`^\s*(?P<f>[^\s(]+) ?\(.*\) \(at (?P<p>.+\.cs):(?P<l>\d+)\)$`), sure: true},
	// Java and others: at java.base/com.acme.Bar$1.run(Bar.java:12): packages are folders.
	{
		mark: "at ", form: lazyregexp.New(`^\s*at (?:[\pL\pN_.@-]*/)*(?P<t>[\pL\pN_$.]+)\.(?P<f>[\pL\pN_$<>]+)\((?P<p>[\pL\pN_$]+\.(?:java|kt|scala|groovy|clj)):(?P<l>\d+)\)`),
	},
	// .NET and Java without a file.
	{mark: "at ", form: lazyregexp.New(`^\s*at (?:[\pL\pN_.@-]+/)*(?P<f>[\pL_][\pL\pN_.$<>` + "`" +
		`+\[\],|]*\.[\pL\pN_.$<>|]+)\([^()/:]*(?:\([^()]*\)[^()/:]*)*\)$`)},
	// Rust: at ./src/a.rs:3:5 in a backtrace; panicked at src/a.rs:3:5; panicked at 'message',
	// src/a.rs:3:5; --> src/a.rs:3:5. Since 1.91 a thread's number follows its name. A log may have
	// dropped the thread.
	{mark: ".rs", form: lazyregexp.New(`^\s*(?:at|-->|:::) (?P<p>\S+\.rs):(?P<l>\d+)`), above: true},
	{
		mark: "panicked at", form: lazyregexp.New(`^[\s"'` + "`" + `]*(?:thread '[^']*'(?: \(\d+\))? )?panicked at ` +
			`(?:'.*', )?(?P<p>\S+\.rs):(?P<l>\d+)`),
	},
	// JavaScript: at f (/app/src/a.js:3:5), at file:///app/a.mjs:3:5; Firefox:
	// f@http://host/src/a.js:3:5.
	{
		mark: "at ", form: lazyregexp.New(`^\s*at (?:(?P<f>[^()\n]*?)(?: \[as [^\]]*\])? \()?(?P<p>` +
			`(?:[A-Za-z]:)?[^\s():][^():]*(?:://[^():]*(?::[\d/\\][^():]*)?)?\.(?:[cm]?[jt]sx?|vue|svelte)` +
			`(?:\?[^():]*)?):(?P<l>\d+):\d+\)?$`),
	},
	{mark: "@", form: lazyregexp.New(`^\s*(?P<f>[^\s@()]*)@(?P<p>\S+\.(?:[cm]?[jt]sx?|vue|svelte)):(?P<l>\d+):\d+$`)},
	// Go: a tab, then /src/a.go:3 +0x1d; a.go:3: message.
	{
		mark: ".go:", form: lazyregexp.New(`^\s*(?P<p>(?:[A-Za-z]:)?[^:]+\.go):(?P<l>\d+) \+0x[0-9a-f]+$`), above: true,
		sure: true,
	},
	{mark: ".go:", form: lazyregexp.New(`^\s*(?P<p>\S+\.go):(?P<l>\d+)(?::|$)`), above: true},
	// Ruby: a.rb:3:in 'T#f': message, from a.rb:3:in `f', and 1: from a.rb:3:in `f' in reverse.
	{
		mark: ": from ", form: lazyregexp.New(`^\s*\d+: from (?P<p>\S.*?):(?P<l>\d+):in [` + "`'" + `](?P<f>[^'\n]+)'`),
		order: innerLast, sure: true,
	},
	{
		mark: ":in ", form: lazyregexp.New(`^\s*(?:from )?(?P<p>\S.*?):(?P<l>\d+):in [` + "`'" + `](?P<f>[^'\n]+)'`),
		sure: true,
	},
	// PHP: #0 /src/a.php(3): T->f(), which names the called function; in /src/a.php:3; on line 3;
	// Xdebug: 1. f() /src/a.php:3.
	{
		mark: ".php", form: lazyregexp.New(`^\s*(?:PHP\s+)?#\d+\s+(?P<p>\S.*\.(?:php|phtml|inc|module))\((?P<l>\d+)\)`),
		sure: true,
	},
	{mark: ".php", form: lazyregexp.New(`^.* in (?P<p>(?:[A-Za-z]:)?[/\\]\S*\.php)(?::| on line )(?P<l>\d+)\.?$`)},
	{
		mark: ".php", form: lazyregexp.New(`^\s*(?:PHP\s+)?\d+\. \S.*\) (?P<p>(?:[A-Za-z]:)?[/\\].*\.php):(?P<l>\d+)$`),
		order: innerLast, sure: true,
	},
	// Elixir: (app 0.1.0) lib/a.ex:3: A.f/2. Lua: a.lua:3: in function 'f'.
	{
		mark: ".ex", form: lazyregexp.New(`^\s*(?:\([\w .-]+\) )?(?P<p>\S+\.exs?):(?P<l>\d+): ` +
			`(?:anonymous fn/\d+ in )?(?P<f>[\w.?!]+)`),
	},
	{
		mark: ".lua:", form: lazyregexp.New(`^\s*(?P<p>\S+\.lua):(?P<l>\d+): in (?:function |method |field |` +
			`upvalue |local )?['<]?(?P<f>[\w.:]+)`),
	},
}

// maxFrameLine is the longest line that may be a frame.
const maxFrameLine = 1000

// A tracedFrame is a frame with its form.
type tracedFrame struct {
	Frame
	*frameForm
}

// frameOf reads a line as a frame, with or without the prefix that a log adds to each line. It
// returns false if the line is not a frame.
func frameOf(line string) (tracedFrame, bool) {
	if len(line) > maxFrameLine {
		return tracedFrame{}, false
	}
	if f, ok := bareFrame(line); ok {
		return f, true
	}
	if bare := withoutPrefix(line); bare != line {
		return bareFrame(bare)
	}
	return tracedFrame{}, false
}

func bareFrame(line string) (tracedFrame, bool) {
	for i := range frameForms {
		form := &frameForms[i]
		if !strings.Contains(line, form.mark) {
			continue
		}
		re := form.form()
		m := re.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		group := func(name string) string {
			if g := re.SubexpIndex(name); g >= 0 {
				return m[g]
			}
			return ""
		}
		f := Frame{Path: slashedFrame(group("p"))}
		f.Line, _ = strconv.Atoi(group("l"))
		class := group("t")
		if f.Func = group("f"); class != "" {
			f.Path = javaPath(class, f.Path)
			f.Func = class + "." + f.Func
		}
		if f.Func = functionName(f.Func); f.Path == "" && runtime().MatchString(line) {
			f.Func = ""
		}
		return tracedFrame{f, form}, true
	}
	return tracedFrame{}, false
}

// runtime matches frames, without a file, in the libraries that come with a language.
var runtime = lazyregexp.New(`^\s*at (?:[\w.@-]+/)*(?:System|Microsoft|java|javax|jdk|sun|kotlin|scala)\.`)

// slashedFrame is slashPath for a path that may be empty. It drops the query of a module's address.
func slashedFrame(p string) string {
	if p, _, _ = strings.Cut(p, "?"); p == "" {
		return ""
	}
	return slashPath(p)
}

// javaPath returns a file's path: the package of its class, as a folder, and the file.
func javaPath(class, file string) string {
	if i := strings.LastIndexByte(class, '.'); i >= 0 {
		return strings.ReplaceAll(class[:i], ".", "/") + "/" + file
	}
	return file
}

func isFrame(line string) bool {
	_, ok := frameOf(line)
	return ok
}

// isTraceHead reports whether a line begins a traceback without being a frame.
func isTraceHead(line string) bool {
	return traceHead().MatchString(line) || traceHead().MatchString(withoutPrefix(line))
}

// linePrefix matches the prefix that a log adds to each line: a service, a time, a level. Python
// draws a bar before the lines of an exception group.
var linePrefix = lazyregexp.New(`^(?:(?:[\w.-]+\s*|\s+)\|\s?)?(?:\[?(?:\d{4}[-/]\d\d[-/]\d\d[T ])?\d\d:\d\d:\d\d` +
	`(?:[.,]\d+)?(?:Z|[+-]\d\d:?\d\d)?\]?|` +
	`[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d)?(?: ?(?:stdout|stderr) [FP])?(?: ?[\w.-]+ [\w./-]+\[\d+\]:)?` +
	`(?: ?\[?(?:TRACE|DEBUG|INFO|WARN|WARNING|ERROR|FATAL|CRITICAL)\b[\]:]*)?(?: ?-)?`)

// withoutPrefix returns a line without the prefix that a log adds.
func withoutPrefix(line string) string { return line[len(linePrefix().FindString(line)):] }

// holdsTrace reports whether a text holds a traceback: a head, a frame of a sure form, two frames,
// or one frame and an error line.
func holdsTrace(s string) bool {
	frames, failed := 0, false
	for line := range strings.Lines(s) {
		line = strings.TrimRight(line, " \t\r\n")
		if isTraceHead(line) {
			return true
		}
		f, ok := frameOf(line)
		if ok && f.sure {
			return true
		}
		if ok {
			frames++
		}
		failed = failed || errLine().MatchString(strings.TrimSpace(line))
		if frames == 2 || frames == 1 && failed {
			return true
		}
	}
	return false
}

// terminalCode matches the codes that colour a terminal.
var terminalCode = lazyregexp.New(`\x1b\[[0-9;:]*[A-Za-z]`)

// withoutColours drops the codes that colour a terminal.
func withoutColours(s string) string {
	if !strings.Contains(s, "\x1b[") {
		return s
	}
	return terminalCode().ReplaceAllString(s, "")
}

// A traceReader collects the frames of a text.
type traceReader struct {
	inner []Frame // of the error read last, innermost first
	later []Frame // of errors caused by it, and of handlers that ran after it
	outer []Frame // in forms that print the innermost last
	above string  // the line above
	named int     // frames with a function on the line above
}

// takeLine reads the next line. It reports whether the line is a frame.
func (t *traceReader) takeLine(line string) bool {
	above := t.above
	t.above = line
	if ofEarlier(line) {
		t.inner, t.later = nil, append(t.inner, t.later...)
	}
	f, ok := frameOf(line)
	if !ok {
		return false
	}
	if f.above && f.Func == "" {
		if f.Func = functionAbove(withoutPrefix(above)); f.Func != "" {
			t.named++
		}
	}
	if (f.Frame == Frame{}) {
		return true
	}
	if f.order == innerLast {
		t.outer = append(t.outer, f.Frame)
	} else if len(t.inner)+len(t.later) < maxFrames {
		t.inner = append(t.inner, f.Frame)
	}
	return true
}

// ofEarlier reports whether the frames under a line happened before the frames above it. Such a
// line is the cause in Java, the signal in gdb, and the panic in Go.
func ofEarlier(line string) bool {
	bare := strings.TrimSpace(line)
	return strings.HasPrefix(bare, "Caused by: ") || strings.HasPrefix(bare, "panic(") ||
		strings.Contains(line, "<signal handler called>")
}

// innermost returns the frames, innermost first, each once.
func (t *traceReader) innermost() []Frame {
	slices.Reverse(t.outer)
	var frames []Frame
	for _, f := range slices.Concat(t.inner, t.later, t.outer) {
		if len(frames) < maxFrames && !slices.Contains(frames, f) {
			frames = append(frames, f)
		}
	}
	return frames
}
