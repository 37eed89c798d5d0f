package fusion

import (
	"slices"
	"strings"
	"testing"
)

func TestIntentOf(t *testing.T) {
	for _, group := range []struct {
		rule      string
		want      Intent
		questions []string
	}{
		{"1 why, should", Rationale, []string{
			"why did we kill the cache and always refresh",
			"Why do we use sqlite?",
			"explain why the pruner runs twice",
			"WHY",
			"add a note on why retries stop at three",
			"should errors be wrapped",
			"when was it decided and why",
		}},
		{"2 how do I", HowTo, []string{
			"how do I choose the port",
			"How to add a plugin",
			"how can we see errors inside the library",
			"the run keeps hanging, is there an option to make it quit",
			"is there a build switch that decides it",
			"is there any way to ask for statistics",
			"can I turn the cache off",
			"what is the default of the timeout",
			"which setting bounds the pool",
			"is it possible to run it twice",
		}},
		{"3 when did", Temporal, []string{
			"when did the parser change",
			"when was 1Password support for secrets first added",
			"when were the paths replaced",
			"tell me when had the tests been split",
			"since version 2, when has it worked",
		}},
		{"3 which commit", Temporal, []string{
			"which commit broke the build",
			"what commits touch the lock file",
			"show me what commit stopped it",
		}},
		{"3 anywhere", Temporal, []string{
			"history of the fusion package",
			"how did the schema look originally",
			"what happened yesterday",
			"the latest work on postings",
			"who worked on this recently",
			"recent changes to intersphinx",
			"what was done two days ago",
			"everything since the release",
		}},
		{"3 opener with a change", Temporal, []string{
			"who introduced the lock",
			"what changed in the store",
			"in which version was it deprecated and removed",
			"show merged branches",
			"list renamed files",
			"has the flag landed",
			"was the cache deleted",
		}},
		{"4 rationale anywhere", Rationale, []string{
			"the decision to use WAL",
			"what is the reason for two files",
			"how did they choose zstd",
			"prefer composition over inheritance",
			"what shouldn't be cached",
			"risks of concurrent writers",
			"is it OK to block here",
			"what causes the deadlock",
			"how confident are we in the parser",
			"tabs instead of spaces",
			"the trade-off between size and speed",
			"rationale of the log format",
			"which backend was decided on",
			"was the second cache rejected",
			"where did we choose the ports",
			"threads rather than processes",
			"because of which bug is it locked",
		}},
		{"4 any other when", Rationale, []string{
			"when to use a semaphore",
			"when is a view garbage",
		}},
		{"5 imperative", Task, []string{
			"add a flag for JSON output",
			"Refactor the router",
			"fix flaky test in gather",
			"Let the user name a store",
			"use the system git",
			"make it faster",
			"add a changelog entry",
			"test the history reader",
		}},
		{"5 wishes", Task, []string{
			"I want a shorter answer",
			"we need to bound the queue",
			"we would like streaming output",
			"next week we are going to split the package",
			"let's shrink the index",
			"Let’s shrink the index",
			"could you please sort the output",
			"I plan a second parser",
		}},
		{"5 a verb and its object", Task, []string{
			"read the author of a note from git",
			"Raise the limit of the pool",
			"Open a stream before the hello",
			"pass each error on",
			"trust a peer by its address",
			"embrace the function",
		}},
		{"5 no verb before a determiner", General, []string{
			"after the merge a file is gone",
			"behind the proxy requests are slow",
			"twice a day nothing is found",
			"dropped the old command",
			"asking a path lists what changed",
			"keeps the order of its kinds",
			"raise the limit of the pool?",
			"raise the",
			"commit that drops events",
			"cards of each file",
		}},
		{"6 mechanism opener", Mechanism, []string{
			"how does RRF fusion combine results",
			"where is the tokenizer",
			"which file holds the schema",
			"how does it know how to merge two lists",
			"how do the workers stop",
			"where is there an option read",
		}},
		{"6 choices of the program", Mechanism, []string{
			"how does redis choose which keys to evict",
			"how are keys chosen for eviction",
			"which host is preferred by the pool",
			"where are rejected promises handled",
			"how does it decide on a colour",
			"how is a write avoided when nothing changed",
			"where does the allowed origin come from",
			"when does the cache evict an entry",
			"when do workers stop",
			"which errors cause a retry",
			"how is the default policy applied",
			"how does it avoid reading a file twice",
			"where are the principal ports chosen",
			"how is the best index chosen by the planner",
			"how does the scheduler prefer idle workers",
			"where is a request rejected for its size",
		}},
		{"6 mechanism anywhere", Mechanism, []string{
			"the Oracle trait",
			"callers of Open",
			"what is the signature of Fuse",
			"class that reads frames",
			"explain the implementation of views",
		}},
		{"7 definition", Definition, []string{
			"what is a generation",
			"who owns the registry",
			"explain the mother process",
			"overview of the store",
			"purpose of the floor",
			"the meaning of share",
		}},
		{"8 verbs", Mechanism, []string{
			"does the lock work across machines",
			"scrape handles submodules",
			"idf is computed over all kinds",
		}},
		{"else", General, []string{
			"",
			"   \t\n",
			"::: /// ---",
			"the pruner deleted live entries",
			"QueryEngine::query_with_options",
			"postings merge frozen averages",
			"somewhy somehow whichever", // whole words only
			"whenever it rains",
			"error handling policy",
			"eviction policy of the cache",
			"rejected connections",
			"ok result of the parser",
			"hosts allowed to connect",
			"a chosen member is left out",
			"we wanted",
			"I would prefers",
			"\x00\xff\xfe",
		}},
	} {
		for _, q := range group.questions {
			if got := IntentOf(q); got != group.want {
				t.Errorf("rule %s: IntentOf(%q) = %s, want %s", group.rule, q, got, group.want)
			}
		}
	}
}

// Rules are tried in order, so a question that fits several has the intent of the first.
func TestIntentPrecedence(t *testing.T) {
	for q, want := range map[string]Intent{
		"why was it removed":                     Rationale, // 1 before 2
		"when did they decide":                   Temporal,  // 2 before 3
		"let the user choose a store":            Task,
		"explain the limit of a pool":            Definition, // no task, though imperative
		"read the method of a class":             Task,
		"show the added files":                   Temporal,
		"remove it because it leaks":             Rationale, // 3 before 4
		"implement the interface":                Task,      // 4 before 5
		"what is the interface of an oracle":     Mechanism, // 5 before 6
		"what works here":                        Definition,
		"update the history page":                Task, // an imperative is not about the past …
		"update the docs; which commit did it":   Temporal,
		"we need the history":                    Temporal, // … but only as the first word
		"is the history kept":                    Temporal,
		"where the released binaries are":        Mechanism, // "where" opens no temporal question
		"when the index is missing what happens": Rationale,
	} {
		if got := IntentOf(q); got != want {
			t.Errorf("IntentOf(%q) = %s, want %s", q, got, want)
		}
	}
}

func TestIntentOfReadsTheBeginning(t *testing.T) {
	log := strings.Repeat("ERROR connection reset by peer\n", 4000)
	if got := IntentOf("how is this handled?\n" + log + "why"); got != Mechanism {
		t.Errorf("a question above a log: %s, want %s", got, Mechanism)
	}
	if got := IntentOf(log + "why"); got != General {
		t.Errorf("a word after 100 kB: %s, want %s", got, General)
	}
	half := strings.Repeat("x ", intentBytes/2-2) + " whyever"
	if got := IntentOf(half); got != General {
		t.Errorf("half a word at the cut: %s, want %s", got, General)
	}
}

// Only the beginning of a text is read, so the rest must change nothing.
func TestIntentOfIsBounded(t *testing.T) {
	for name, q := range map[string]string{
		"one word": strings.Repeat("a", 100_000), "words": strings.Repeat("i ", 50_000),
		"marks": strings.Repeat("'", 100_000),
	} {
		if got := IntentOf(q + " why"); got != General {
			t.Errorf("%s: %s", name, got)
		}
	}
}

func FuzzIntentOf(f *testing.F) {
	for _, s := range []string{
		"", "why", "when was it", "let's", "please", "i would", "we are going to", "which commit", "\xff\xfe",
		"ΣΑΣ when", "İ why",
	} {
		f.Add(s)
	}
	known := map[Intent]bool{
		Temporal: true, Rationale: true, Mechanism: true, Definition: true, Task: true, General: true,
	}
	f.Fuzz(func(t *testing.T, q string) {
		got := IntentOf(q)
		if !known[got] {
			t.Fatalf("IntentOf(%q) = %q", q, got)
		}
		if again := IntentOf(" " + q); len(q) < intentBytes && again != got {
			t.Fatalf("IntentOf(%q) = %s, with a space in front %s", q, got, again)
		}
		if len(q) < intentBytes/4 && IntentOf("why "+q) != Rationale {
			t.Fatalf("IntentOf(why %q) is not %s", q, Rationale)
		}
	})
}

func TestNewsWords(t *testing.T) {
	for question, want := range map[string][]string{
		"what changed recently in completions": {"changed", "recently"},
		"Latest commits about postings?":       {"latest", "commits"},
		"recent changes":                       {"recent", "changes"},
		"the least recently used entry":        nil,
		"what changed in the store":            nil,
		"add recent changes to the menu":       nil,
		"":                                     nil,
	} {
		if got := NewsWords(question); !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", question, got, want)
		}
	}
}

// A question asks for a commit by words for a commit, and not by a wish for a change.
func TestAsksForCommit(t *testing.T) {
	for text, want := range map[string]bool{
		"which commit broke the build":               true,
		"show me what commit stopped it":             true,
		"commit that made joins keep the scheme":     true,
		"the commit which dropped Python 2":          true,
		"which change lets links be left unfollowed": true,
		"change that renamed the queue":              true,
		"fix of a panic on start":                    true,
		"when was the lock added":                    true,
		"when did the parser change":                 true,
		"when does the parser stop":                  false,
		"commit the transaction":                     false,
		"how is a commit that fails retried":         false,
		"change that needs to be made":               false,
		"fix the panic on start":                     false,
		"what changes the state":                     false,
		"which changes are needed":                   false,
		"ask again when was given no answer":         false,
		"":                                           false,
		"commit":                                     false,
	} {
		if got := AsksForCommit(text); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}
