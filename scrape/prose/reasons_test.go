package prose

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"patina/store/text"
)

const why = "We keep the lock file rather than a socket because sockets cannot be removed after a crash."

func TestCommits(t *testing.T) {
	for _, test := range []struct {
		name string
		c    CommitMessage
		want []string
	}{
		{"a reason", CommitMessage{Body: why}, []string{why}},
		{
			"over two lines, beside other sentences",
			CommitMessage{Body: "First things.\nWe keep the lock file rather than a socket\n" +
				"because sockets cannot be removed after a crash. More."},
			[]string{why},
		},
		{"an item of a list", CommitMessage{Body: "Changes:\n- x\n- " + why + "\n"}, []string{why}},
		{"no cause", CommitMessage{Body: "We keep the lock file rather than a socket in the folder of the user."}, nil},
		{
			"no alternative", CommitMessage{Body: "The lock file stays because sockets cannot be removed after a crash."}, nil,
		},
		{"a question", CommitMessage{Body: strings.TrimSuffix(why, ".") + "?"}, nil},
		{"few words", CommitMessage{Body: "No longer needed because of x."}, nil},
		{"since as a cause", CommitMessage{Body: "The table is read once instead of each time since it is never " +
			"changed later."}, []string{"The table is read once instead of each time since it is never changed later."}},
		{"since as a time", CommitMessage{Body: "The table is no longer read since version 1.2 of the program came out."}, nil},
		{
			"otherwise as the other case",
			CommitMessage{Body: "It reads the file rather than the index, otherwise the list of all names."},
			nil,
		},
		{"otherwise as a cause", CommitMessage{Body: "It reads the file rather than the index, otherwise a crash " +
			"would go unseen."}, []string{"It reads the file rather than the index, otherwise a crash would go unseen."}},
		{"tests by number", CommitMessage{Subject: "test1531: add a timeout", Body: why}, nil},
		{"tests by folder", CommitMessage{Subject: "tests/server: lock", Body: why}, nil},
		{"a subject about code", CommitMessage{Subject: "latest: lock", Body: why}, []string{why}},
		{"a merge", CommitMessage{Body: why, Merge: true}, nil},
		{"a bot", CommitMessage{Body: why, Author: "renovate[bot]"}, nil},
		{"a bump", CommitMessage{Subject: "Bump x from 1 to 2", Body: why}, nil},
		{"documents", CommitMessage{Subject: "docs(api): lock", Body: why}, nil},
		{"tests", CommitMessage{Subject: "test: lock", Body: why}, nil},
		{"builds", CommitMessage{Subject: "ci: lock", Body: why}, nil},
		{"chores", CommitMessage{Subject: "chore(x)!: lock", Body: why}, nil},
		{"too many files", CommitMessage{Body: why, Files: 31}, nil},
		{"no file", CommitMessage{Body: why, Files: -1}, nil},
		{"a quote", CommitMessage{Body: "> " + why}, nil},
		{"a trailer", CommitMessage{Body: "Reviewed-by: " + why}, nil},
		{"code", CommitMessage{Body: "So:\n\n    " + why + "\n\n```\n" + why + "\n```\n"}, nil},
		{"a squashed commit", CommitMessage{Body: "* " + why + "\n\n* review\n"}, nil},
	} {
		test.c.Files = max(0, test.c.Files+min(1, 1+test.c.Files))
		if got := test.c.Reasons(); !slices.Equal(got, test.want) {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
}

func TestComments(t *testing.T) {
	for _, test := range []struct{ name, language, source, want string }{
		{"a reason", "Go", "x()\n// We must flush here, because the reader\n" +
			"// of the file cannot see what is buffered.\ny()", "2-3 We must flush here, because the reader of the " +
			"file cannot see what is buffered.\n"},
		{
			"an issue", "Python", "  # Never close the stream here in a thread, see issue 12 of the library.\n",
			"1-1 Never close the stream here in a thread, see issue 12 of the library.\n",
		},
		{
			"a block", "C", "/*\n * The order is kept, rather than sorted, to avoid a second pass over it.\n */\n",
			"2-2 The order is kept, rather than sorted, to avoid a second pass over it.\n",
		},
		{"few words", "Go", "// Never here because of x.", ""},
		{"no cause", "Go", "// We must flush here, and the reader of the file sees what was buffered.", ""},
		{"behind code", "Go", "x() // We must flush here, because the reader of the file sees nothing else.", ""},
		{
			"documentation by its mark", "Rust",
			"/// We must flush here, because the reader of the file sees nothing else.", "",
		},
		{
			"documentation by its mark, starred", "Java",
			"/** We must flush here, because the reader of the file sees nothing else. */", "",
		},
		{
			"documentation by its place", "Go",
			"// We must flush here, because the reader of the file sees nothing else.//doc", "",
		},
		{"a licence", "C", "// You must not use this file, because the license of the program forbids it.", ""},
		{"a wish", "Go", "// TODO: we must flush here, because the reader of the file sees nothing else.", ""},
		{
			"code behind a block", "C", "/* We must flush here, because the reader of the file sees nothing else. " +
				"*/ x();", "",
		},
		{"another mark", "Lua", "// We must flush here, because the reader of the file sees nothing else.", ""},
		{
			"an open block", "C", "/* We must flush here, because the reader\n of the file sees nothing else.",
			"1-2 We must flush here, because the reader of the file sees nothing else.\n",
		},
	} {
		lines := strings.Split(test.source, "\n")
		isDoc := func(line int) bool { return strings.HasSuffix(lines[line-1], "//doc") }
		var got strings.Builder
		for _, s := range CommentReasons(test.language, text.CutLines(test.source+"\n"), 1, len(lines), isDoc) {
			fmt.Fprintf(&got, "%d-%d %s\n", s.First, s.Last, s.Text)
		}
		if got.String() != test.want {
			t.Errorf("%s: %q, want %q", test.name, got.String(), test.want)
		}
	}
}

func FuzzCommit(f *testing.F) {
	f.Add("fix: lock", why, "Ada", 3)
	f.Add("x", "* a\n\n> b\n\n```\n"+why, "x-bot", 1)
	f.Fuzz(func(t *testing.T, subject, body, author string, files int) {
		found := CommitMessage{Subject: subject, Body: body, Author: author, Files: files}.Reasons()
		if len(found) > maxCommitReasons || len(found) > 0 && (files < 1 || files > MaxCommitFiles) {
			t.Fatalf("%q of %d files", found, files)
		}
		for _, s := range found {
			if len(s) > maxReasonText || strings.Contains(s, "\n") {
				t.Errorf("%q", s)
			}
		}
	})
}

func FuzzComments(f *testing.F) {
	f.Add("Go", "// We must flush here, because the reader of the file cannot see more.\nx", 1)
	f.Add("C", "/* We must flush here, because\n * the reader of the file cannot see more. */", 7)
	f.Add("Python", "# a\n#!\n#", 1)
	f.Fuzz(func(t *testing.T, language, source string, first int) {
		first = max(1, first)
		lines := text.CutLines(source)
		first = min(first, lines.Len())
		for _, s := range CommentReasons(language, lines, first, lines.Len(), func(int) bool { return false }) {
			if s.First < first || s.Last < s.First || s.Last > lines.Len() || strings.Contains(s.Text, "\n") {
				t.Errorf("%+v from %d of %d lines", s, first, lines.Len())
			}
		}
	})
}
