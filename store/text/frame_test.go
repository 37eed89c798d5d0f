package text

import (
	"fmt"
	"strings"
	"testing"
)

// Each form of a trace, with its frames as "path:line function", innermost first.
func TestFramesOfTraces(t *testing.T) {
	for name, c := range map[string]struct{ trace, want string }{
		"gdb": {
			"Program received signal SIGSEGV, Segmentation fault.\n#0  __strlen_avx2 () at ../sysdeps/strlen-avx2.S:76\n" +
				"#1  0x000055d5a3c7bea7 in links_put (hl=0x55, uri=0x1 \"http://a(b)/\") at links.c:149\n" +
				"#2  0x00007f3c1e985c30 in loop () from /lib/libevent.so.7\n#3  0x00007f3c1e985c30 in ?? ()",
			"../sysdeps/strlen-avx2.S:76 __strlen_avx2|links.c:149 links_put|:0 loop",
		},
		"gdb, C++": {
			"#0  0x0000 in db::(anonymous namespace)::Iter::Seek (this=0x1) const at /src/db/iter.cc:84\n#1  0x1 in main (argc=1) at main.cc:2",
			"src/db/iter.cc:84 Iter.Seek|main.cc:2 main",
		},
		"gdb, a handler": {
			"#0  0x1 in on_signal (n=11) at signals.c:3\n#1  <signal handler called>\n#2  0x2 in low (x=1) at low.c:4",
			"low.c:4 low|signals.c:3 on_signal",
		},
		"lldb": {
			"* thread #1, stop reason = EXC_BAD_ACCESS\n  * frame #0: 0x000000018b4ac9a0 libsystem_kernel.dylib`__pthread_kill + 8\n" +
				"    frame #1: 0x0000000100303a10 bench`db::List<char const*, db::Cmp>::Insert(this=0x1, key=0x2) at list.h:342:26",
			":0 __pthread_kill|list.h:342 List.Insert",
		},
		"AddressSanitizer": {
			"==1==ERROR: AddressSanitizer: heap-buffer-overflow\n    #0 0x7f3c1e2 in __asan_memcpy (/build/app+0xd8a4d)\n" +
				"    #1 0x55d5a3c in db::Put(db::Slice const&, int) /build/app/db.cc:92:14\n    #2 0x55 in start csu/../libc-start.c:392:3",
			":0 __asan_memcpy|build/app/db.cc:92 db.Put|libc-start.c:392 start",
		},
		"ThreadSanitizer": {
			"WARNING: ThreadSanitizer: data race (pid=1)\n    #0 work low.c:5 (app+0x4a)\n    #1 run /src/run.c:9:1 (app+0x4b)",
			"low.c:5 work|src/run.c:9 run",
		},
		"glibc": {
			"/lib/libc.so.6(+0x42520)[0x7f3c1e242520]\n/usr/bin/app(send_all+0x5f8)[0x55d5a3c037df] client.c:458\n/usr/bin/app(main+0x2b8) [0x55]",
			"client.c:458 send_all|:0 main",
		},
		"addr2line": {"Aborted (core dumped) Error:\nsend_all\n/src/client.c:458\nmain\n/src/main.c:3 (discriminator 2)", "src/client.c:458 send_all|src/main.c:3 main"},
		"Valgrind":  {"==12== Invalid read of size 4\n==12==    at 0x4C2AB80: low (low.c:3)\n==12==    by 0x40053E: main (main.c:6)", "low.c:3 low|main.c:6 main"},
		"Go":        {"panic: oh\n\ngoroutine 1 [running]:\nexample.com/a/b.(*T[...]).Get.func1(0x1, {0x2})\n\t/src/a/b/t.go:3 +0x1d\ncreated by example.com/a.Run in goroutine 7\n\t/src/a/run.go:7 +0x20", "src/a/b/t.go:3 T.Get|src/a/run.go:7 Run"},
		"Go, twice": {"panic: oh [recovered]\n\ngoroutine 1 [running]:\nmain.main.func1()\n\t/src/main.go:9 +0x1\npanic({0x1, 0x2})\n\t/go/src/runtime/panic.go:7 +0x2\nmain.low()\n\t/src/low.go:3 +0x3", "go/src/runtime/panic.go:7 panic|src/low.go:3 low|src/main.go:9 main"},
		"Rust":      {"thread 'main' panicked at src/low.rs:4:5:\nno\nstack backtrace:\n   0: <app::Low<T> as core::Run>::run::{{closure}}\n             at ./src/low.rs:4:5\n   1: app::main::h0123456789abcdef\n             at ./src/main.rs:9", "src/low.rs:4 |src/low.rs:4 Low.run|src/main.rs:9 app.main"},
		".NET":      {"System.Exception: no\r\n   at Acme.Low.<Run>d__5.MoveNext() in C:\\src\\Low dir\\Low.cs:line 12\r\n   at System.Threading.Tasks.Task.Wait()\r\n   at Acme.Low..ctor(List`1 xs) in D:\\src\\Low.cs:line 3\r\n   at Acme.Top.Go(String x)", "C:/src/Low dir/Low.cs:12 Low.Run|D:/src/Low.cs:3 Acme.Low|:0 Top.Go"},
		"Unity": {
			"NullReferenceException: no\nPlayer.Update () (at Assets/Scripts/Player.cs:34)",
			"Assets/Scripts/Player.cs:34 Player.Update",
		},
		"Java":   {"java.lang.RuntimeException: no\n\tat a.b.Top.run(Top.java:7)\nCaused by: java.io.IOException: no\n\tat a.b.Low$1.lambda$go$0(Low.java:3) ~[a.jar!/:na]\n\tat a.b.Low.<init>(Low.java:2)\n\t... 3 more", "a/b/Low.java:3 Low.go|a/b/Low.java:2 b.Low|a/b/Top.java:7 Top.run"},
		"PHP":    {"PHP Fatal error:  Uncaught Exception: no in /src/Low.php:12\nStack trace:\n#0 /src/Top.php(33): App\\Low->run('x')\n#1 [internal function]: f()\n#2 {main}\n  thrown in /src/Low.php on line 12", "src/Low.php:12 |src/Top.php:33 "},
		"Xdebug": {"PHP Warning:  no in /src/low.php on line 4\nPHP Stack trace:\nPHP   1. {main}() /src/main.php:0\nPHP   2. low($x = 1) /src/main.php:9", "src/low.php:4 |src/main.php:9 |src/main.php:0 "},
		"Ruby":   {"/gems/app-7.3.9/lib/low.rb:14:in `validate': no (ArgumentError)\n\tfrom /app/top.rb:44:in `block (2 levels) in run'\n\tfrom top.rb:1:in `<main>'", "gems/app-7.3.9/lib/low.rb:14 validate|app/top.rb:44 run|top.rb:1 "},
		"Ruby 3.4": {
			"lib/low.rb:35:in 'App::Low#check': no (ArgumentError)\n\tfrom lib/top.rb:107:in 'Class#new'",
			"lib/low.rb:35 Low.check|lib/top.rb:107 Class.new",
		},
		"Ruby 2.5":   {"Traceback (most recent call last):\n\t2: from top.rb:9:in `<main>'\n\t1: from mid.rb:5:in `run'\nlow.rb:3:in `f': no (RuntimeError)", "low.rb:3 f|mid.rb:5 run|top.rb:9 "},
		"Python":     {"Traceback (most recent call last):\n  File \"C:\\app\\main.py\", line 3, in <module>\n    run()\n  File \"/app/low.py\", line 9, in run\n    x\nValueError: no", "app/low.py:9 run|C:/app/main.py:3 "},
		"JavaScript": {"TypeError: no\n    at new Low (/app/src/low.js:3:5)\n    at async Top.run [as go] (file:///C:/app/top.mjs?t=1:9:1)\n    at C:\\app\\main.vue:1:1\n    at emit (node:events:524:28)", "app/src/low.js:3 Low|C:/app/top.mjs:9 Top.run|C:/app/main.vue:1 "},
		"Elixir":     {"** (KeyError) key :a not found\n    (app 0.1.0) lib/app/low.ex:12: App.Low.run/2\n    (app 0.1.0) lib/app/top.ex:3: anonymous fn/1 in App.Top.go/1", "lib/app/low.ex:12 Low.run|lib/app/top.ex:3 Top.go"},
		"Lua":        {"lua: low.lua:3: no Error:\nstack traceback:\n\tlow.lua:3: in function 'low.run'\n\ttop.lua:9: in main chunk", "low.lua:3 low.run|top.lua:9 main"},
	} {
		q := ParseQuestion(c.trace)
		if got := framesOf(q); !q.Long || !q.Traced || got != c.want {
			t.Errorf("%s: long %v, traced %v, frames\n%s, want\n%s", name, q.Long, q.Traced, got, c.want)
		}
	}
}

func framesOf(q Question) string {
	var all []string
	for _, f := range q.Mentions.Frames {
		all = append(all, fmt.Sprintf("%s:%d %s", f.Path, f.Line, f.Func))
	}
	return strings.Join(all, "|")
}

// Additions by a log or a terminal to the lines of a trace must change nothing.
func TestFramesInLogs(t *testing.T) {
	trace := []string{"TypeError: no", "    at low (/app/low.js:3:5)", "    at run (/app/run.js:9:1)"}
	want := "app/low.js:3 low|app/run.js:9 run"
	for name, dress := range map[string]func(string) string{
		"colours":        func(l string) string { return "\x1b[31m" + l + "\x1b[0m" },
		"carriage":       func(l string) string { return l + "\r" },
		"time":           func(l string) string { return "2026-11-22T20:03:11.123Z " + l },
		"time and level": func(l string) string { return "[2026-11-22 20:03:11,123] ERROR: " + l },
		"compose":        func(l string) string { return "web-1  | " + l },
		"cluster":        func(l string) string { return "2026-11-22T20:03:11.123456789Z stderr F " + l },
		"syslog":         func(l string) string { return "Nov 22 20:03:11 host app[12]: " + l },
	} {
		var lines []string
		for _, l := range trace {
			lines = append(lines, dress(l))
		}
		if got := framesOf(ParseQuestion(strings.Join(lines, "\n"))); got != want {
			t.Errorf("%s: frames %q, want %q", name, got, want)
		}
	}
}

// A line or two of a trace are only a trace. An issue with a trace in it is more.
func TestTraced(t *testing.T) {
	for text, want := range map[string]bool{
		"#1  0x000055d5a3c7bea7 in set_cell (gd=0x1) at grid.c:678":               true,
		"/lib/job_util.rb:14:in 'validate': no (ArgumentError)":                   true,
		"TypeError: no\n    at low (/app/low.js:3:5)":                             true,
		"panic: oh\nmain.f()\n\t/src/low.go:3 +0x1d":                              true,
		"crash\nat f (/app/a.js:1:2)":                                             false,
		"#12 fix the parser (again)\nIt drops commas":                             false,
		"see app/low.py:3: and what follows":                                      false,
		"It fails.\nI run it.\nThen this:\n#0  0x1 in f () at low.c:3\nWhy so?\n": false,
	} {
		if q := ParseQuestion(text); q.Traced != want {
			t.Errorf("%q: traced %v", text, q.Traced)
		}
	}
}

func TestCommonTail(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{
		{"home/u/app/lib/run.py", "lib/run.py", 2},
		{"run.py", "lib/run.py", 1},
		{"gems/mux-1.8.0/a.rb", "mux/a.rb", 2},
		{"mod/mux@v1.8.0/a.go", "mux/a.go", 2},
		{"a-1.0", "a-2.0", 0},
		{"", "", 0},
	} {
		if got := CommonTail(c.a, c.b); got != c.want {
			t.Errorf("%q and %q: %d, want %d", c.a, c.b, got, c.want)
		}
	}
}

func FuzzFrames(f *testing.F) {
	f.Add("#0  0x1 in a::b<c> (x=1) at C:\\a b\\c.cc:3:5\n<signal handler called>")
	f.Add("\x1b[1m2026-11-22 20:03:11 ERROR:   at A.<B>d__1.MoveNext() in /a.cs:line 3\r\nCaused by: x")
	f.Add("goroutine 1 [running]:\na/b.(*T[...]).f.func1()\n\t/a.go:3 +0x1")
	f.Add("\t1: from a.rb:3:in `<main>'\n  at x (file:///C:/a.js?b:1:2)")
	f.Fuzz(func(t *testing.T, s string) {
		q := ParseQuestion(s)
		if len(q.Mentions.Frames) > maxFrames {
			t.Fatalf("%d frames", len(q.Mentions.Frames))
		}
		for i, a := range q.Mentions.Frames {
			if (a == Frame{}) || a.Line < 0 || strings.ContainsAny(a.Path, "\\\n") ||
				strings.ContainsAny(a.Func, " \n(") {
				t.Fatalf("frame %+v", a)
			}
			for _, b := range q.Mentions.Frames[:i] {
				if a == b {
					t.Fatalf("%+v twice", a)
				}
			}
			if _, ok := q.Mentions.FrameIn(a.Path); a.Path != "" && CommonTail(a.Path, a.Path) > 1 && !ok {
				t.Fatalf("%+v is not in its own file", a)
			}
		}
	})
}
