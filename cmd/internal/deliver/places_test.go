package deliver

import (
	"bytes"
	"context"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/tools/txtar"

	"patina/actors"
	"patina/actors/api"
	"patina/cmd/internal/dialect"
	"patina/oracles/oracletest"
	"patina/store/doc"
)

// placesProject has one file a language. The line that its traces mean ends with "HERE". Two tests
// quote a place, and two folders have a file of one name.
const placesProject = `
-- internal/queue/queue.go --
package queue

// Queue keeps jobs.
type Queue struct{ jobs []string }

// Pop takes the oldest job.
func (q *Queue) Pop() string {
	job := q.jobs[0] // HERE
	q.jobs = q.jobs[1:]
	return job
}
-- internal/queue/queue_test.go --
package queue

import "testing"

func TestTrace(t *testing.T) {
	want := "panicked at src/commands.rs:6:13"
	_ = want + "fatal error at internal/queue/queue.go:8"
}
-- src/commands.rs --
//! Commands of the program.

/// Runs a command.
pub fn run_command(args: &[String]) -> usize {
    let first = args.first();
    let name = first.unwrap(); // HERE
    name.len()
}
-- src/other/commands.rs --
//! Other commands.

/// Stops a command.
pub fn stop_command(args: &[String]) -> usize {
    let last = args.last();
    let name = last.unwrap();
    name.len()
}
-- tests/panics.rs --
#[test]
fn says_where() {
    let said = "thread 'main' panicked at src/commands.rs:6:13";
    assert!(said.contains("panicked at src/commands.rs:6:13"));
}
-- app/worker.py --
"""Workers run jobs."""


class Worker:
    def perform_job(self, job):
        """Runs one job."""
        started = self.clock()
        result = job.run()  # HERE
        return result, started
-- core/src/main/java/org/acme/cache/Store.java --
package org.acme.cache;

/** Keeps values. */
public class Store {
    /** Reads a value. */
    public String readValue(String key) {
        String found = lookup(key);
        return found.trim(); // HERE
    }

    private String lookup(String key) {
        return null;
    }
}
-- core/src/main/kotlin/org/acme/ui/Screen.kt --
package org.acme.ui

/** Draws. */
class Screen {
    /** Draws a frame. */
    fun drawFrame(width: Int): Int {
        val half = width / 2
        return half / (half - 1) // HERE
    }
}
-- src/Acme.Jobs/Scheduler.cs --
namespace Acme.Jobs
{
    /// <summary>Plans jobs.</summary>
    public class Scheduler
    {
        /// <summary>Adds a job.</summary>
        public string Enqueue(string name)
        {
            var id = Next(name);
            return id.Trim(); // HERE
        }

        private string Next(string name)
        {
            return null;
        }
    }
}
-- web/client/session.js --
// Sessions of the web client.

export function openSession(user) {
  const token = user.tokens[0];
  return token.value.trim(); // HERE
}
-- web/app/[slug]/page.tsx --
// A page of the site.

export default function ArticlePage(props: { title?: string }) {
  const title = props.title;
  return title!.trim(); // HERE
}
-- lib/mailer/delivery.rb --
module Mailer
  # Sends mail.
  class Delivery
    def send_mail(to)
      address = to.first
      address.strip # HERE
    end
  end
end
-- src/Http/Router.php --
<?php

namespace Acme\Http;

/** Finds handlers. */
class Router
{
    public function matchRoute($path)
    {
        $found = $this->find($path);
        return $found->handler; // HERE
    }
}
-- Sources/Kit/Player.swift --
/// Plays sounds.
final class Player {
    /// Starts a sound.
    func startSound(_ names: [String]) -> String {
        let name = names.first
        return name!.lowercased() // HERE
    }
}
-- native/buffer.c --
#include "buffer.h"

/* Reads a byte. */
int
buffer_read(struct buffer *b, int at)
{
	int byte = b->data[at];	/* HERE */
	return byte;
}
-- docs/guide.md --
# Guide

## Queue

Jobs wait in a queue.

## Mail

Mail is sent by the mailer. HERE
`

// placeForms are the forms of a place: PATH is the file, LINE the line, BASE the name of the file,
// and WIN the path with backslashes.
var placeForms = map[string][]string{
	"internal/queue/queue.go": {
		"PATH:LINE", "PATH:LINE:7", "./PATH:LINE:7: undefined: jobs", "why does PATH:LINE fail?", "PATH line LINE",
		"line LINE of BASE", "what is at BASE:LINE", "/home/ci/build/x/PATH:LINE", `C:\src\x\WIN:LINE`, "PATH#LLINE",
		"https://example.org/o/r/blob/main/PATH#LLINE", `{"level":"error","caller":"queue/BASE:LINE","msg":"no"}`,
		"2026/11/27 12:00:00 BASE:LINE: no job", "fatal error at PATH:LINE", "    BASE:LINE: want 3, got 4",
		"\t/go/pkg/mod/example.org/x@v1.2.3/PATH:LINE +0x1d",
		"panic: runtime error: index out of range [0] with length 0\n\ngoroutine 1 [running]:\n" +
			"example.org/x/internal/queue.(*Queue).Pop(...)\n\t/home/ci/x/PATH:LINE +0x1d\n" +
			"main.main()\n\t/home/ci/none.go:9 +0x20",
		"panic: boom\n\ngoroutine 34 [running]:\nruntime/debug.Stack()\n\t/usr/local/go/src/runtime/debug/stack.go:24 +0x65\n" +
			"example.org/x/internal/queue.(*Queue).Pop(0xc000012)\n\t/srv/x/PATH:LINE +0x1",
		"WARNING: DATA RACE\nRead at 0x00c0 by goroutine 8:\n  example.org/x/internal/queue.(*Queue).Pop()\n      /x/PATH:LINE +0x44",
	},
	"src/commands.rs": {
		"panicked at PATH:LINE:13", "panicked at PATH:LINE:13:", `"panicked at PATH:LINE:13"`, "`panicked at PATH:LINE:13`",
		"what makes it say panicked at PATH:LINE:13?", "thread 'main' panicked at PATH:LINE:13",
		"thread 'main' panicked at /home/ci/build/x/PATH:LINE:13:\ncalled `Option::unwrap()` on a `None` value",
		"thread 'main' panicked at PATH:LINE:13:\nindex out of bounds: the len is 3 but the index is 5\n" +
			"note: run with `RUST_BACKTRACE=1` environment variable to display a backtrace",
		"thread 'worker' (4711) panicked at PATH:LINE:13:\nno",
		"thread 'main' panicked at 'called `Option::unwrap()` on a `None` value', PATH:LINE:13",
		"panicked at 'attempt to subtract with overflow', PATH:LINE:13",
		"The application panicked (crashed).\nMessage:  no\nLocation: PATH:LINE", "src\\commands.rs:LINE:13",
		"error[E0308]: mismatched types\n  --> PATH:LINE:5\n   |\nLINE |     let name = first.unwrap();\n   |",
		"warning: unused variable: `x`\n --> PATH:LINE:5",
		"thread 'main' panicked at /rustc/9fc6b43126469e3858e2fe86cafb4f0fd5068869/library/core/src/option.rs:5:9:\n" +
			"no\nstack backtrace:\n   0: core::option::unwrap_failed\n             at /rustc/9fc6b43/library/core/src/option.rs:5:9\n" +
			"   1: x::run_command\n             at /home/ci/x/PATH:LINE:9",
	},
	"app/worker.py": {
		`File "PATH", line LINE, in perform_job`, `  File "/usr/src/app/PATH", line LINE`, "PATH:LINE: AssertionError",
		`PATH:LINE: error: Incompatible types in assignment  [assignment]`, "/srv/PATH:LINE: DeprecationWarning: old",
		"Traceback (most recent call last):\n  File \"/usr/lib/python3.11/runpy.py\", line 196, in _run_code\n    exec(code)\n" +
			"  File \"/venv/lib/python3.11/site-packages/app/worker.py\", line LINE, in perform_job\n    result = job.run()\n" +
			"  File \"/usr/lib/python3.11/socket.py\", line 12, in connect\n    raise\nOSError: no",
		"  + Exception Group Traceback (most recent call last):\n  |   File \"/srv/PATH\", line LINE, in perform_job\n" +
			"  |     result = job.run()\n  | ExceptionGroup: no (1 sub-exception)",
	},
	"core/src/main/java/org/acme/cache/Store.java": {
		"at org.acme.cache.Store.readValue(BASE:LINE)", "(BASE:LINE)", "BASE:LINE", "/home/ci/PATH:LINE: error: cannot find symbol",
		"[ERROR] /home/ci/PATH:[LINE,13] cannot find symbol",
		"2026-11-27 12:00:00,123 ERROR [main] org.acme.cache.Store.readValue(BASE:LINE) - no",
		"Exception in thread \"main\" java.lang.NullPointerException: no\n" +
			"\tat java.base/java.util.Objects.requireNonNull(Objects.java:233)\n" +
			"\tat org.acme.cache.Store.readValue(BASE:LINE) ~[x-1.0.jar:1.0]\n\tat org.acme.Main.main(Main.java:5)",
		"java.lang.RuntimeException: no\n\tat org.acme.Main.main(Main.java:5)\nCaused by: java.io.IOException: no\n" +
			"\tat app//org.acme.cache.Store$1.lambda$readValue$0(BASE:LINE)\n\t... 1 more",
	},
	"core/src/main/kotlin/org/acme/ui/Screen.kt": {
		"at org.acme.ui.Screen.drawFrame(BASE:LINE)", "e: file:///home/ci/PATH:LINE:9 Unresolved reference: x",
		"e: /home/ci/PATH: (LINE, 9): Unresolved reference: x",
		"Exception in thread \"main\" java.lang.ArithmeticException: / by zero\n\tat org.acme.ui.Screen.drawFrame(BASE:LINE)\n" +
			"\tat kotlin.coroutines.jvm.internal.BaseContinuationImpl.resumeWith(ContinuationImpl.kt:33)",
		"E/AndroidRuntime: FATAL EXCEPTION: main\n    java.lang.ArithmeticException: no\n        at org.acme.ui.Screen.drawFrame(BASE:LINE)",
	},
	"src/Acme.Jobs/Scheduler.cs": {
		`at Acme.Jobs.Scheduler.Enqueue(String name) in /_/PATH:line LINE`, `in C:\a\WIN:line LINE`,
		`WIN(LINE,13): error CS0103: The name 'x' does not exist in the current context`,
		`   bei Acme.Jobs.Scheduler.Enqueue(String name) in D:\WIN:Zeile LINE.`,
		"Unhandled exception. System.NullReferenceException: no\n   at System.Linq.Enumerable.First[T](IEnumerable`1 s)\n" +
			"   at Acme.Jobs.Scheduler.Enqueue(String name) in D:\\a\\1\\s\\WIN:line LINE\n" +
			"   at Program.<Main>$(String[] args) in C:\\x\\Program.cs:line 3",
		"   at Acme.Jobs.Scheduler.<Enqueue>d__5.MoveNext() in C:\\src\\WIN:line LINE\n" +
			"--- End of stack trace from previous location where exception was thrown ---",
	},
	"web/client/session.js": {
		"at openSession (/usr/src/app/PATH:LINE:13)", "    at PATH:LINE:13", "at openSession (webpack://my-app/./PATH:LINE:13)",
		"at openSession (webpack-internal:///./PATH:LINE:13)", "at eval (webpack:///./PATH?:LINE:13)",
		"at openSession (http://localhost:5173/PATH?t=1700000000:LINE:13)", "at async openSession (file:///C:/x/PATH:LINE:13)",
		"at openSession (http://localhost:5173/@fs/home/u/x/PATH:LINE:13)", "openSession@http://localhost:3000/PATH:LINE:13",
		"openSession@webpack:///./PATH:LINE:13\nasync*none@webpack:///./none.js:1:1", "    at async file:///usr/src/app/PATH:LINE:13",
		"TypeError: no\n    at openSession (webpack:///./PATH?a1b2:LINE:13)\n    at async Promise.all (index 0)",
		"TypeError: no\n    at Array.map (<anonymous>)\n    at new openSession (/x/PATH:LINE:13)\n" +
			"    at Module._compile (node:internal/modules/cjs/loader:1105:14)\n    at y (/x/node_modules/express/lib/session.js:5:1)",
		"/usr/src/app/PATH:LINE\n  return token.value.trim();\n         ^\n\nTypeError: no", " ❯ openSession PATH:LINE:13",
	},
	"web/app/[slug]/page.tsx": {
		"PATH:LINE:13", "PATH(LINE,13): error TS2532: Object is possibly 'undefined'.", "PATH:LINE:13 - error TS2532: no",
		"at ArticlePage (webpack-internal:///(rsc)/./PATH:LINE:13)", "TypeError: no\n    at ArticlePage (./PATH:LINE:13)",
		"at ArticlePage (turbopack:///[project]/PATH:LINE:13)",
	},
	"lib/mailer/delivery.rb": {
		"PATH:LINE:in `send_mail'", "PATH:LINE:in 'Mailer::Delivery#send_mail': no (NoMethodError)", "PATH:LINE: warning: x is deprecated",
		"\tfrom /srv/PATH:LINE:in `block in send_mail'", "     # ./PATH:LINE:in `send_mail'", "PATH:LINE: syntax error, unexpected end-of-input",
		"/usr/lib/ruby/gems/3.1.0/gems/net-smtp-0.3.1/lib/net/smtp.rb:10:in `start': no (IOError)\n" +
			"\tfrom /usr/src/app/PATH:LINE:in `send_mail'\n\tfrom /usr/src/app/none.rb:1:in `<main>'",
		"Traceback (most recent call last):\n\t1: from none.rb:9:in `<main>'\nPATH:LINE:in `send_mail': no (RuntimeError)",
	},
	"src/Http/Router.php": {
		"#0 /var/www/html/PATH(LINE): Acme\\Http\\Router->matchRoute()", "in /usr/src/app/PATH:LINE", "PATH(LINE)",
		"Warning: Undefined variable $x in /var/www/html/PATH on line LINE", `PHP Notice:  no in C:\xampp\htdocs\WIN on line LINE`,
		"PHP Fatal error:  Uncaught TypeError: no in /var/www/PATH:LINE\nStack trace:\n#0 /var/www/none.php(3): f()\n#1 {main}\n" +
			"  thrown in /var/www/PATH on line LINE",
		"#3 /app/PATH(LINE): Acme\\Http\\Router->matchRoute('a')\n#4 {main}",
		"[2026-11-27 12:00:00] production.ERROR: no {\"exception\":\"[object] (TypeError(code: 0): no at /var/www/PATH:LINE)",
	},
	"Sources/Kit/Player.swift": {
		"Kit/BASE:LINE: Fatal error: Unexpectedly found nil while unwrapping an Optional value",
		"/Users/u/x/PATH:LINE:20: error: value of optional type 'String?' must be unwrapped",
		"Fatal error: Unexpectedly found nil: file PATH, line LINE",
		"1 [ra] 0x0000000100003f2c Player.startSound(_:) + 123 in Kit at /Users/u/x/PATH:LINE:21",
		"* thread #1, stop reason = EXC_BREAKPOINT\n    frame #0: 0x00000001a2 libswiftCore.dylib`_assertionFailure + 8\n" +
			"  * frame #1: 0x0000000100003f2c app`Player.startSound(names=1 value, self=0x01) at BASE:LINE:21",
	},
	"native/buffer.c": {
		"#1 0x4f51ab in buffer_read /home/ci/PATH:LINE:13", "#1  0x000055d5a3c7bea7 in buffer_read (b=0x55, at=1) at PATH:LINE",
		"#0  buffer_read (b=0x1, at=2) at BASE:LINE", "Breakpoint 1, buffer_read (b=0x1, at=2) at PATH:LINE",
		"PATH:LINE:13: runtime error: signed integer overflow: 2147483647 + 1 cannot be represented in type 'int'",
		"PATH:LINE:13: error: expected ';' before '}' token", "PATH: In function 'buffer_read':\nPATH:LINE:13: warning: unused variable 'x'",
		"app: PATH:LINE: buffer_read: Assertion `b != NULL' failed.", `C:\src\WIN(LINE): error C2065: undeclared identifier`,
		"Assertion failed: (b != NULL), function buffer_read, file BASE, line LINE.",
		"SUMMARY: AddressSanitizer: heap-use-after-free /x/PATH:LINE:13 in buffer_read",
		"==1==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x60\nREAD of size 4 at 0x60 thread T0\n" +
			"    #0 0x7f3c1e2 in __asan_memcpy (/build/app+0xd8a4d)\n    #1 0x4f51ab in buffer_read /build/PATH:LINE:13\n" +
			"    #2 0x4f51ac in none /build/none.c:3:5",
		"==12== Invalid read of size 4\n==12==    at 0x4C2AB80: buffer_read (BASE:LINE)\n==12==    by 0x40053E: main (none.c:6)",
		"WARNING: ThreadSanitizer: data race (pid=1)\n  Write of size 4 at 0x7b by thread T1:\n    #0 buffer_read /x/PATH:LINE (app+0x4a)",
	},
	"docs/guide.md": {"PATH:LINE", "what does PATH:LINE say", "/home/u/x/PATH:LINE"},
}

// A place in any form is the first result, and the line is among the shown ones.
func TestPlacesOfTwelveLanguages(t *testing.T) {
	e := placesEngine(t)
	for _, f := range txtar.Parse([]byte(placesProject)).Files {
		before, _, _ := strings.Cut(string(f.Data), "HERE")
		line := strings.Count(before, "\n") + 1
		for _, form := range placeForms[f.Name] {
			text := strings.NewReplacer("PATH", f.Name, "BASE", path.Base(f.Name), "LINE", fmt.Sprint(line),
				"WIN", strings.ReplaceAll(f.Name, "/", `\`)).Replace(form)
			a, err := e.Scry(t.Context(), api.Request{Text: text, Timeout: time.Hour})
			if err != nil || len(a.Results) == 0 {
				t.Fatalf("%q: %v, %d results", text, err, len(a.Results))
			}
			r := a.Results[0]
			shown := slices.ContainsFunc(r.Lines, func(l doc.Line) bool { return l.Number == line })
			if r.Path != f.Name || line < r.First || line > r.Last || !shown {
				t.Errorf("%q: first %s:%d-%d, lines %v", text, r.Path, r.First, r.Last, r.Lines)
			}
			prints(t, func(b *bytes.Buffer) error { return Brief(b, a, Options{Dialect: dialect.CLI{}}) },
				fmt.Sprintf(`"%d: `, line))
		}
	}
}

// A place that the file does not have is no error: the function decides if it is named, and a
// question without one is answered as before.
func TestPlacesOfAnotherVersion(t *testing.T) {
	e := placesEngine(t)
	for text, want := range map[string]string{
		"internal/queue/queue.go:9999":                                                                         "internal/queue/queue.go",
		"panicked at src/commands.rs:0:13":                                                                     "src/commands.rs",
		"#1 0x4f51ab in buffer_read /x/native/buffer.c:9999999:13":                                             "native/buffer.c::buffer_read",
		"TypeError: no\n    at openSession (/x/web/client/session.js:700:1)":                                   "web/client/session.js::openSession",
		`File "/srv/app/worker.py", line 123456789012, in perform_job`:                                         "app/worker.py",
		"Traceback (most recent call last):\n  File \"/x/app/worker.py\", line 1, in perform_job\nOSError: no": "app/worker.py::Worker.perform_job",
	} {
		a, err := e.Scry(t.Context(), api.Request{Text: text, Timeout: time.Hour})
		if err != nil || len(a.Results) == 0 || !strings.HasPrefix(a.Results[0].Shown, want) {
			t.Errorf("%q: %v, %+v, want %s", text, err, a, want)
		}
	}
}

func placesEngine(t *testing.T) *actors.Engine {
	t.Helper()
	dir := oracletest.Project(t, placesProject, false)
	e, err := actors.Open(actors.Options{Projects: []actors.Project{{
		ID: "p", Name: "p", Root: filepath.Dir(dir), StoreDir: dir,
	}}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = e.Close(context.Background()) })
	return e
}
