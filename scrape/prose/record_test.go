package prose

import (
	"fmt"
	"strings"
	"testing"
)

func TestIsRecord(t *testing.T) {
	cases := map[string]bool{
		"docs/adr/0001-use-a-queue.md":               true,
		"doc/architecture/decisions/0002-x.md":       true,
		"docs/ADRs/adr-7.adoc":                       true,
		"rfcs/0012-lazy-load.rst":                    true,
		"packages/core/docs/decisions/names.md":      true,
		"docs/architecture-decisions/x.md":           true,
		"adr/2024/0003-x.md":                         true, // a folder for a year
		"keps/sig-node/1287-resize/README.md":        true,
		"keps/sig-node/1287-resize/graduation.md":    false, // a paper next to the record
		"docs/adr/README.md":                         false,
		"docs/adr/index.md":                          false,
		"docs/adr/adr-template.md":                   false,
		"docs/adr/template.md":                       false,
		"docs/decisions.md":                          false,
		"docs/adr/diagram.png":                       false,
		"internal/adr/parse.go":                      false,
		"test/fixtures/adr/0001-x.md":                false,
		"integration-tests/project/docs/adr/0001.md": false,
		"examples/adr/0001-x.md":                     false,
		".claude/commands/adr/write.md":              false,
		"docs/adr/templates/long.md":                 false,
	}
	for name, want := range cases {
		if got := IsDecision(name); got != want {
			t.Errorf("%s: got %v, want %v", name, got, want)
		}
	}
}

// The forms of records, each as its own tools write it.
func TestParse(t *testing.T) {
	cases := []struct {
		name, path, text, meta, want string
	}{
		{
			"Nygard", "doc/adr/0003-one-queue.md",
			"# 3. One queue\n\nDate: 2021-03-04\n\n## Status\n\nAccepted\n\n## Context\n\nThere were two.\n\n" +
				"## Decision\n\nWe will keep one queue. It is durable.\n",
			"", `3 "One queue":1 2021-03-04:3 active "Accepted":7 <decision 15-15> We will keep one queue. by [] ` +
				`over []`,
		},
		{
			"superseded in place", "doc/adr/0003-one-queue.md",
			"# 3. One queue\n\n## Status\n\nSuperceded by [7. Two queues](0007-two-queues.md)\n\n## Decision\n\n" +
				"We will keep one queue.\n",
			"", `3 "One queue":1 :0 archived "Superceded by 7. Two queues":5 <decision 9-9> We will keep one queue. ` +
				`by [0007-two-queues/7:5] over []`,
		},
		{
			"successor", "doc/adr/0007-two-queues.md",
			"# 7. Two queues\n\n## Status\n\nAccepted\n\nSupercedes [3. One queue](0003-one-queue.md)\n\n" +
				"## Decision\n\nThere will be two queues.\n",
			"", `7 "Two queues":1 :0 active "Accepted":5 <decision 11-11> There will be two queues. by [] over ` +
				`[0003-one-queue/3:7]`,
		},
		{
			"MADR", "docs/decisions/0004-cache.md",
			"---\nstatus: proposed\ndate: 2022-01-02\n---\n# Cache of answers\n\n## Considered Options\n\n* none\n" +
				"* memory\n\n## Decision Outcome\n\nChosen option: \"memory\", because\n\n* it needs no server.\n",
			"", `4 "Cache of answers":5 2022-01-02:3 proposed "proposed":2 <decision outcome 14-16> Cache of ` +
				`answers: Chosen option: "memory", because it needs no server. by [] over []`,
		},
		{
			"log4brains", "docs/adr/20200926-number-as-id.md",
			"# Number as id\n\n- Status: superseded by [20201016-slug-as-id](20201016-slug-as-id.md)\n" +
				"- Date: 2020-09-26\n\n## Decision\n\nThe number is the id of a record.\n",
			"", ` "Number as id":1 2020-09-26:4 archived "superseded by 20201016-slug-as-id":3 <decision 8-8> The ` +
				`number is the id of a record. by [20201016-slug-as-id/:3] over []`,
		},
		{
			"RFC of Rust", "rfcs/0243-early-exit.md",
			"- Feature: `early_exit`\n- Start Date: 2014-09-16\n\n# Summary\n\nA block may return early.\n\n" +
				"# Detailed design\n\nA label names the block that `break` leaves.\n",
			"", `243 "0243 early exit":1 2014-09-16:2 active "":0 <detailed design 10-10> A label names the block that ` + "`break`" + ` leaves. by [] over []`,
		},
		{
			"KEP", "keps/sig-a/1287-resize/README.md",
			"# KEP-1287: Resize in place\n\n## Summary\n\nText.\n\n## Proposal\n\nPods gain a field `resize`.\n",
			"title: Resize\nkep-number: 1287\nstatus: implementable\ncreation-date: 2018-11-06\nreplaces:\n" +
				"  - 686-old-resize\n",
			`1287 "Resize":1 2018-11-06:4 active "implementable":3 <proposal 9-9> Pods gain a field ` + "`resize`" +
				`. by [] over [686-old-resize/686:6]`,
		},
		{
			"PEP header", "proposals/pep-0012.rst",
			"PEP: 12\nTitle: Plain text\nStatus: Withdrawn\nCreated: 05-Aug-2002\nSuperseded-By: 287\n\nAbstract\n" +
				"========\n\nTexts will be plain.\n",
			"", `12 "Plain text":2 05-Aug-2002:4 archived "Withdrawn":3 <abstract 10-10> Texts will be plain. by ` +
				`[/287:5] over []`,
		},
		{
			"AsciiDoc", "adr/0002-names.adoc",
			"= Names of beans\n\n* Status: _Rejected_\n* Date: 2023-05-06\n\n== Decision\n\nBeans have long names.\n",
			"", `2 "Names of beans":1 2023-05-06:4 defeated "Rejected":3 <decision 8-8> Beans have long names. by ` +
				`[] over []`,
		},
		{
			"table", "adr/ADR-12.md",
			"# Encryption at rest\n\n|Metadata|Value|\n|---|---|\n|Date|2021-07-20|\n|Status|Implemented|\n\n" +
				"## Decision\n\nBlocks are encrypted with a key each.\n",
			"", `12 "Encryption at rest":1 2021-07-20:5 active "Implemented":6 <decision 10-10> Blocks are ` +
				`encrypted with a key each. by [] over []`,
		},
		{
			"no status, no section", "decisions/late-binding.md",
			"# Late binding\n\nSome thoughts.\n",
			"", ` "Late binding":1 :0 active "":0 < 1-1> Late binding by [] over []`,
		},
		{
			"folder of rejected ones", "rfcs/rejected/0009-macros.md",
			"# Macros\n\n## Decision\n\nThere will be macros.\n",
			"", `9 "Macros":1 :0 defeated "":0 <decision 5-5> There will be macros. by [] over []`,
		},
		{
			"a template's words are no decision", "adr/0005-x.md",
			"# X of y\n\n## Status\n\nProposed | Accepted | Deprecated | Superseded\n\n## Decision\n\n" +
				"What is the change that we're proposing?\n\nLogs go to one file.\n",
			"", `5 "X of y":1 :0 active "Proposed | Accepted | Deprecated ` +
				`| Superseded":5 <decision 11-11> Logs go to one file. by [] over []`,
		},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			r, ok := ParseDecision(c.path, []byte(c.text), []byte(c.meta))
			if !ok {
				t.Fatal("no record")
			}
			got := fmt.Sprintf("%s %q:%d %s:%d %s %q:%d <%s %d-%d> %s by %s over %s",
				r.Number, r.Title, r.TitleLine, r.Date, r.DateLine,
				r.Status, r.Said, r.StatusLine, r.Statement.Section, r.Statement.First, r.Statement.Last,
				r.Statement.Text, list(r.SupersededBy), list(r.Supersedes))
			if got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

func list(refs []Reference) string {
	var parts []string
	for _, r := range refs {
		parts = append(parts, fmt.Sprintf("%s/%s:%d", r.ID, r.Number, r.Line))
	}
	return "[" + strings.Join(parts, " ") + "]"
}

func TestStanding(t *testing.T) {
	cases := map[string]DecisionStatus{
		"Accepted": DecisionActive, "approved (2024-01-02)": DecisionActive, "**Implemented**": DecisionActive,
		"Final": DecisionActive, "✅ Accepted": DecisionActive, "Proposed": DecisionProposed, "draft": DecisionProposed,
		"On hold": DecisionProposed, "Not yet approved": DecisionProposed, "In review": DecisionProposed,
		"Rejected": DecisionDefeated, "Deprecated since 3.0": DecisionDefeated, "withdrawn": DecisionDefeated,
		"Superseded by ADR-4": DecisionArchived, "~~Accepted~~ Superseded by 0004": DecisionArchived,
		"replaced": DecisionArchived, "Accepted; one figure is superseded by ADR-9": DecisionActive,
	}
	for text, want := range cases {
		if got, known := statusOf([]string{text}); got != want || !known {
			t.Errorf("%q: got %s, known %v, want %s", text, got, known, want)
		}
	}
	for _, text := range []string{"", "Proposed | Accepted | Rejected", "v1.2", "承認済み"} {
		if got, known := statusOf([]string{text}); got != DecisionActive || known {
			t.Errorf("%q: got %s, known %v, want none", text, got, known)
		}
	}
	if got, _ := statusOf([]string{
		"2020-01-02 proposed", "2020-03-04 accepted", "2021-05-06 superseded by ADR-8",
	}); got != DecisionArchived {
		t.Errorf("a history of a status gives %s", got)
	}
}

func TestStated(t *testing.T) {
	cases := map[string]bool{
		"# Use a queue\n\nText.\n": true, "# Avoiding globals\n\nText.\n": true, "# Queues\n\nText.\n": false,
		"# Queues\n\n## Decision\n\nThere is one queue.\n": true,
		"# Queues\n\n## Context\n\nThere is one queue.\n":  false,
	}
	for text, want := range cases {
		r, ok := ParseDecision("adr/0001-queues.md", []byte(text), nil)
		if !ok || r.Stated() != want {
			t.Errorf("%q: got %+v, want stated %v", text, r, want)
		}
	}
}

// No word may have two standings, because their map has no order.
func TestStandingsAreDisjoint(t *testing.T) {
	seen := map[string]DecisionStatus{}
	for s, words := range standings {
		for w := range words.All() {
			if other, ok := seen[w]; ok {
				t.Errorf("%q is %s and %s", w, s, other)
			}
			seen[w] = s
		}
	}
}

func TestDecisionBounded(t *testing.T) {
	texts := map[string]string{
		"long":     "# T\n\n## Decision\n\n" + strings.Repeat("We keep it. ", 1<<20),
		"bullets":  "# T\n\n## Status\n\n" + strings.Repeat("- Superseded by [a](b.md) and ADR-7\n", 1<<18),
		"headings": strings.Repeat("# Decision\n", 1<<20),
		"nesting":  strings.Repeat("######", 1<<18) + "\n" + strings.Repeat(strings.Repeat("  ", 500)+"- a\n", 1<<10),
	}
	for name, text := range texts {
		r, ok := ParseDecision("adr/0001-t.md", []byte(text), []byte(text))
		if !ok {
			t.Errorf("%s: no record", name)
			continue
		}
		if len(r.Statement.Text) > maxStatement+len("T: …")+maxStatement || len(r.SupersededBy) > maxReferences {
			t.Errorf("%s: statement of %d bytes, %d references", name, len(r.Statement.Text), len(r.SupersededBy))
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add("doc/adr/0001-a.md", "# 1. A\n\n## Status\n\nSuperseded by [2](0002-b.md)\n\n## Decision\n\nWe do.\n",
		"status: final\n")
	f.Add("rfcs/a.rst", "PEP: 1\nTitle: A\n\nAbstract\n========\n\nText is.\n", "")
	f.Add("adr/a.adoc", "= A\n:status: draft\n\n== Decision\n\nWe do:\n\n* it.\n", "")
	f.Fuzz(func(t *testing.T, name, text, meta string) {
		r, ok := ParseDecision(name, []byte(text), []byte(meta))
		if !ok {
			return
		}
		if r.Title == "" || r.Statement.Text == "" || standings[r.Status] == nil {
			t.Fatalf("incomplete record %+v", r)
		}
		if s := r.Statement; s.First < 1 || s.Last < s.First {
			t.Fatalf("statement on lines %d-%d", s.First, s.Last)
		}
		for _, x := range append(r.SupersededBy, r.Supersedes...) {
			if x.ID == r.ID {
				t.Fatalf("%q stands in its own place", r.ID)
			}
		}
	})
}

// Records in German, French, Spanish and Chinese are read like those in English.
func TestParseLanguages(t *testing.T) {
	for name, test := range map[string]struct{ text, want string }{
		"german": {"# Warteschlangen nutzen\n\n## Status\n\nAkzeptiert\n\n## Entscheidung\n\n" +
			"Wir senden Mails über die Warteschlange.\n", "active: Wir senden Mails über die Warteschlange. []"},
		"german, old": {"# Dateien\n\nStatus: Ersetzt durch [0007](0007-neu.md)\n\n## Beschluss\n\n" +
			"Wir legen alles in Dateien ab.\n", "archived: Wir legen alles in Dateien ab. [0007-neu]"},
		"german, refused": {
			"# Dateien\n\n* Status: abgelehnt\n\n## Entscheidung\n\nWir legen alles in Dateien ab.\n",
			"defeated: Wir legen alles in Dateien ab. []",
		},
		"french": {
			"# Files\n\n## Statut\n\nAcceptée\n\n## Décision\n\nNous envoyons les courriels par une file.\n",
			"active: Nous envoyons les courriels par une file. []",
		},
		"french, old": {"# Files\n\nStatut : remplacée par [0007](0007-neuf.md)\n\n## Décision\n\n" +
			"Nous gardons tout en fichiers.\n", "archived: Nous gardons tout en fichiers. [0007-neuf]"},
		"spanish": {
			"# Colas\n\n**Estado:** propuesto\n\n## Decisión\n\nEnviamos los correos por una cola.\n",
			"proposed: Enviamos los correos por una cola. []",
		},
		"chinese":         {"# 使用队列\n\n## 状态\n\n已接受\n\n## 决策\n\n我们 通过 队列 发送 邮件。\n", "active: 我们 通过 队列 发送 邮件。 []"},
		"chinese, a line": {"# 使用队列\n\n状态：已废弃\n\n## 决定\n\n我们 通过 队列 发送 邮件。\n", "defeated: 我们 通过 队列 发送 邮件。 []"},
	} {
		r, ok := ParseDecision("docs/adr/0003-x.md", []byte(test.text), nil)
		if !ok {
			t.Errorf("%s: no record", name)
			continue
		}
		var ids []string
		for _, ref := range r.SupersededBy {
			ids = append(ids, ref.ID)
		}
		if got := fmt.Sprintf("%s: %s %v", r.Status, r.Statement.Text, ids); got != test.want {
			t.Errorf("%s: %s\nwant %s", name, got, test.want)
		}
	}
}

func TestIsRecordFolders(t *testing.T) {
	for _, dir := range []string{
		"decision_records", "decision-records/api", "decision-log", "decision_log", "architecture-decisions",
		"architecture_decisions", "architectural-decisions", "our-adrs", "docs/decision-records",
	} {
		if !IsDecision(dir + "/API-001-names.md") {
			t.Errorf("%s holds no records", dir)
		}
	}
	for _, dir := range []string{"madr", "indecisions", "decision-tree", "records", "logs"} {
		if IsDecision(dir + "/0001-names.md") {
			t.Errorf("%s holds records", dir)
		}
	}
}

// A statement must not be cut in code, or after an abbreviation.
func TestStatementsAreWhole(t *testing.T) {
	for body, want := range map[string]string{
		"We call `os.Exit. Never` at the end. More.": "We call `os.Exit. Never` at the end.",
		"We follow the guides of Acme Inc. Docs come later in a PR. X.": "We follow the guides of Acme Inc. Docs " +
			"come later in a PR.",
		"We count from zero w.r.t. Rows and columns. More.": "We count from zero w.r.t. Rows and columns.",
		strings.Repeat("word ", 78) + "`code with blanks` and more": strings.TrimSpace(strings.Repeat("word ",
			78)) + "…",
	} {
		r, _ := ParseDecision("docs/adr/0003-x.md", []byte("# Use it\n\n## Decision\n\n"+body+"\n"), nil)
		if r == nil || r.Statement.Text != want {
			t.Errorf("%q: %+v", want, r)
		}
	}
}
