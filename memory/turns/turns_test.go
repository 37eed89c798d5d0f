package turns

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"patina/memory/transcript"
)

// A message is a line of a transcript: of the user, or of the agent.
type message struct {
	user bool
	text string
}

// transcriptOf returns messages in the form of Claude Code, a minute after each other.
func transcriptOf(day string, messages ...message) string {
	var b strings.Builder
	at, _ := time.Parse(time.DateOnly, day)
	for i, m := range messages {
		role := "assistant"
		if m.user {
			role = "user"
		}
		_ = json.NewEncoder(&b).Encode(map[string]any{
			"type": role, "timestamp": at.Add(time.Duration(i) * time.Minute).Format(time.RFC3339),
			"message": map[string]any{"content": m.text},
		})
	}
	return b.String()
}

// put writes a file and returns it as a source.
func put(t *testing.T, dir, name, text string) Source {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return Source{Path: path, Form: transcript.FormClaude, Session: strings.TrimSuffix(name, ".jsonl")}
}

func ingest(t *testing.T, path string, sources ...Source) Report {
	t.Helper()
	r, err := Ingest(t.Context(), path, sources, Options{Limit: 1 << 30})
	if err != nil || len(r.Faults) > 0 {
		t.Fatal(err, r.Faults)
	}
	checkStore(t, path)
	return r
}

// checkStore checks that segments, postings and sums agree with the turns.
func checkStore(t *testing.T, path string) {
	t.Helper()
	s, err := open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.close() }()
	var turns, bytes, inTotal, inBytes, inSegments, lost, orphans int
	err = s.db.QueryRow(`SELECT (SELECT count(*) FROM turn), (SELECT coalesce(sum(length(CAST(text AS BLOB))), 0) FROM turn),
		(SELECT turns FROM total), (SELECT bytes FROM total), (SELECT coalesce(sum(turns), 0) FROM segment),
		(SELECT count(*) FROM turn WHERE segment NOT IN (SELECT key FROM segment)),
		(SELECT count(*) FROM posting WHERE segment NOT IN (SELECT key FROM segment))`).
		Scan(&turns, &bytes, &inTotal, &inBytes, &inSegments, &lost, &orphans)
	if err != nil || turns != inTotal || bytes != inBytes || turns != inSegments || lost+orphans != 0 {
		t.Fatalf("%v: %d turns, %d in total, %d in segments, %d bytes, %d in total, %d lost, %d orphans", err, turns,
			inTotal, inSegments, bytes, inBytes, lost, orphans)
	}
}

// ask returns the texts that answer a question.
func ask(t *testing.T, path, question string) (out []string) {
	t.Helper()
	found, err := Find(t.Context(), path, Query{Text: question, Limit: 10, Floor: .3})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range found {
		out = append(out, f.Text)
	}
	return out
}

func TestFind(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "p", "transcripts.db")
	if found, err := Find(t.Context(), path, Query{Text: "pool", Limit: 1}); found != nil || err != nil {
		t.Fatal(found, err)
	}
	a := put(t, dir, "a.jsonl", transcriptOf("2026-01-18",
		message{true, "How large is the connection pool?"}, message{false, "Eight in production."}, message{true, "Thanks"}))
	b := put(t, dir, "b.jsonl", transcriptOf("2026-03-02",
		message{true, "Write the release notes"}, message{false, "The release notes are in docs."}))
	r := ingest(t, path, a, b)
	if r.New != 5 || r.Turns != 5 || r.Read != 2 {
		t.Errorf("%+v", r)
	}
	for question, want := range map[string]string{
		"size of the pool of connections": "How large is the connection pool?",
		"eight":                           "Eight in production.",
		"where are the release notes":     "The release notes are in docs.",
		"thanks in January":               "Thanks",
	} {
		if got := ask(t, path, question); len(got) == 0 || got[0] != want {
			t.Errorf("%q: %q, want %q", question, got, want)
		}
	}
	if got := ask(t, path, "kubernetes"); got != nil {
		t.Errorf("a word that nobody said: %q", got)
	}
	found, err := Find(t.Context(), path, Query{
		Text: "connection pool release notes", Limit: 10,
		AsOf: time.Date(2026, 2, 1, 0, 0, 0, 0, time.UTC),
	})
	if err != nil || len(found) == 0 || found[0].Session != "a" || found[0].Agent != "Claude Code" ||
		found[0].At.Format(time.DateOnly) != "2026-01-18" || found[0].Role != transcript.RoleUser || found[0].Line != 1 {
		t.Errorf("%v: %+v", err, found)
	}
	for _, f := range found {
		if f.Session != "a" {
			t.Errorf("a later session: %+v", f)
		}
	}
	around, err := Around(t.Context(), path, found[0].Key, 1)
	if err != nil || len(around) != 2 || around[1].Text != "Eight in production." {
		t.Errorf("around: %v: %+v", err, around)
	}
	last, err := LastSession(t.Context(), path, 1)
	if err != nil || len(last) != 1 || last[0].Text != "The release notes are in docs." {
		t.Errorf("last session: %v: %+v", err, last)
	}
}

// Only new lines of a file are read; a rewritten one is read anew; turns of one that is gone stay.
func TestIngestIsIncremental(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "transcripts.db")
	first := transcriptOf("2026-01-18", message{true, "alpha question"}, message{false, "alpha answer"})
	a := put(t, dir, "a.jsonl", first+`{"type":"user","message":{"content":"half a li`)
	ingest(t, path, a)
	if r := ingest(t, path, a); r.Read != 0 || r.New != 0 {
		t.Errorf("nothing is new: %+v", r)
	}
	put(t, dir, "a.jsonl", first+transcriptOf("2026-01-18", message{true, "beta question"}))
	if r := ingest(t, path, a); r.Read != 1 || r.New != 1 || r.Turns != 3 || r.Bytes >= int64(len(first)) {
		t.Errorf("one line is new: %+v", r)
	}
	if got := ask(t, path, "alpha answer"); len(got) == 0 || got[0] != "alpha answer" {
		t.Errorf("neighbours over two readings: %q", got)
	}
	put(t, dir, "a.jsonl", strings.Replace(first, "alpha answer", "gamma answer", 1)+transcriptOf("2026-01-18", message{true, "beta"}))
	if r := ingest(t, path, a); r.New != 3 || r.Turns != 3 {
		t.Errorf("rewritten: %+v", r)
	}
	if got := ask(t, path, "gamma"); len(got) == 0 || got[0] != "gamma answer" {
		t.Errorf("rewritten: %q", got)
	}
	put(t, dir, "a.jsonl", first)
	if r := ingest(t, path, a); r.New != 2 || r.Turns != 2 {
		t.Errorf("shorter: %+v", r)
	}
	if err := os.Remove(a.Path); err != nil {
		t.Fatal(err)
	}
	if r := ingest(t, path); r.Turns != 2 || r.Gone != 1 {
		t.Errorf("gone: %+v", r)
	}
}

func TestOldestGoesFirst(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "transcripts.db")
	var sources []Source
	for i := range 20 {
		day := time.Date(2026, 1, 20-i, 0, 0, 0, 0, time.UTC) // the first is the newest
		text := fmt.Sprintf("session%d %s", i, strings.Repeat("filler ", 100))
		s := put(t, dir, fmt.Sprintf("%02d.jsonl", i), transcriptOf(day.Format(time.DateOnly), message{true, text}, message{false, text + "b"}))
		sources = append(sources, s)
	}
	for range 2 { // what was dropped is not read again
		r, err := Ingest(t.Context(), path, sources, Options{Limit: 10_000})
		checkStore(t, path)
		if err != nil || r.Text > 10_000 || r.Text < 7000 {
			t.Fatalf("%v: %+v", err, r)
		}
	}
	if got := ask(t, path, "session0"); len(got) == 0 || !strings.HasPrefix(got[0], "session0 ") {
		t.Errorf("the newest: %.80q", got)
	}
	if got := ask(t, path, "session19"); got != nil {
		t.Errorf("the oldest: %.80q", got)
	}
	var long []message
	for i := range 100 {
		long = append(long, message{true, fmt.Sprintf("part%d %s", i, strings.Repeat("filler ", 100))})
	}
	one := put(t, dir, "long.jsonl", transcriptOf("2026-05-01", long...))
	if _, err := Ingest(t.Context(), path, []Source{one}, Options{Limit: 10_000}); err != nil {
		t.Fatal(err)
	}
	checkStore(t, path)
	if got := ask(t, path, "part99"); len(got) == 0 {
		t.Error("the end of a session that is larger than the limit is not kept")
	}
	if got := ask(t, path, "part0"); got != nil {
		t.Errorf("its beginning: %.80q", got)
	}
}

// While the limit stays, the file does not grow: what is deleted makes room.
func TestSizeFollowsTheLimit(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "transcripts.db")
	const limit = 256 << 10
	for i := range 12 {
		var list []message
		for j := range 200 {
			list = append(list, message{true, fmt.Sprintf("w%d ", i*1000+j) + strings.Repeat("some words of a text ", 40)})
		}
		s := put(t, dir, fmt.Sprint(i, ".jsonl"), transcriptOf(fmt.Sprintf("2026-01-%02d", i+1), list...))
		if _, err := Ingest(t.Context(), path, []Source{s}, Options{Limit: limit}); err != nil {
			t.Fatal(err)
		}
		if info, err := os.Stat(path); err != nil || info.Size() > 5*limit {
			t.Fatalf("%v: %d bytes after %d sessions", err, info.Size(), i+1)
		}
	}
	checkStore(t, path)
}

// Secrets of twenty kinds, in each place of a transcript, must not reach a file.
func TestNoSecretIsKept(t *testing.T) {
	for seed := range uint64(3) {
		plantSecrets(t, seed)
	}
}

func plantSecrets(t *testing.T, seed uint64) {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 7))
	random := func(n int, alphabet string) string {
		b := make([]byte, n)
		for i := range b {
			b[i] = alphabet[r.IntN(len(alphabet))]
		}
		return string(b)
	}
	const upper, lower, hex = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", "abcdefghijklmnopqrstuvwxyz0123456789", "0123456789abcdef"
	const mixed = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
	kinds := map[string]func() (text, secret string){}
	token := func(name, before, prefix string, n int, alphabet, after string) {
		kinds[name] = func() (string, string) {
			s := prefix + random(n, alphabet)
			return before + s + after, s
		}
	}
	token("github-pat", "", "ghp_", 36, mixed, "")
	token("github-oauth", "", "gho_", 36, mixed, "")
	token("github-app", "", "ghs_", 36, mixed, "")
	token("github-fine-grained", "", "github_pat_", 82, mixed, "")
	token("gitlab-pat", "", "glpat-", 20, mixed, "")
	token("aws", "", "AKIA", 16, upper, "")
	token("slack-bot", "", "xoxb-"+random(12, "123456789")+"-"+random(12, "123456789")+"-", 24, mixed, "")
	token("stripe", "", "sk_live_", 24, mixed, "")
	token("npm", "", "npm_", 36, lower, "")
	token("pypi", "", "pypi-AgEIcHlwaS5vcmc", 60, mixed, "")
	token("google", "", "AIza", 35, mixed, "")
	token("digitalocean", "", "dop_v1_", 64, hex, "")
	token("shopify", "", "shpat_", 32, hex, "")
	token("sendgrid", "", "SG.", 66, lower, "")
	token("postman", "", "PMAK-"+random(24, hex)+"-", 34, hex, "")
	token("databricks", "", "dapi", 32, hex, "")
	token("url", "postgres://app:", "", 20, mixed, "@db.example.com/x")
	token("generic", `api_key = "`, "", 40, mixed, `"`)
	token("jwt", "", "eyJ"+random(20, mixed)+".eyJ"+random(40, mixed)+".", 43, mixed, "")
	kinds["private key"] = func() (string, string) {
		var b strings.Builder
		for range 12 {
			b.WriteString(random(64, mixed) + "\n")
		}
		return "-----BEGIN " + "PRIVATE KEY-----\n" + b.String() + "-----END " + "PRIVATE KEY-----\n", b.String()[300:360]
	}
	if len(kinds) < 20 {
		t.Fatalf("%d kinds", len(kinds))
	}
	dir, home := t.TempDir(), filepath.Join(t.TempDir(), "projects", "x")
	path := filepath.Join(home, "transcripts.db")
	var lines strings.Builder
	var planted [][2]string
	plant := func(kind string, form string, place func(text string) any) {
		text, secret := kinds[kind]()
		planted = append(planted, [2]string{kind + ", " + form, secret})
		_ = json.NewEncoder(&lines).Encode(place(text))
	}
	part := func(role string, parts ...map[string]any) any {
		return map[string]any{"type": role, "message": map[string]any{"content": parts}}
	}
	for _, kind := range slices.Sorted(maps.Keys(kinds)) {
		plant(kind, "user", func(s string) any {
			return part("user", map[string]any{"type": "text", "text": "Use " + s + " for it"})
		})
		plant(kind, "agent", func(s string) any {
			return part("assistant", map[string]any{"type": "text", "text": strings.Repeat("padding ", 140) + s + " is set"})
		})
		plant(kind, "command", func(s string) any {
			return part("assistant", map[string]any{"type": "tool_use", "id": "1", "name": "Bash", "input": map[string]any{"command": "deploy " + strings.Repeat("x ", 170) + s}})
		})
		plant(kind, "error", func(s string) any {
			return part("user", map[string]any{"type": "tool_result", "tool_use_id": "1", "is_error": true, "content": "error: " + s + "\nfailed"})
		})
		plant(kind, "edit", func(s string) any {
			return part("assistant", map[string]any{"type": "tool_use", "id": "2", "name": "Edit", "input": map[string]any{"file_path": "/a/b", "new_string": strings.Repeat("y ", 80) + s}})
		})
		plant(kind, "head", func(s string) any {
			return part("user", map[string]any{"type": "tool_result", "tool_use_id": "2", "content": "ok"},
				map[string]any{"type": "text", "text": "\x1b[31mred " + s[:len(s)/2] + "\x1b[0m" + s[len(s)/2:]})
		})
		plant(kind, "allowed", func(s string) any { return part("user", map[string]any{"type": "text", "text": s + " gitleaks:allow"}) })
		if kind != "generic" && kind != "url" {
			plant(kind, "wrapped", func(s string) any {
				at := len(s) - 12
				if at > 70 {
					at = 70
				}
				return part("user", map[string]any{"type": "text", "text": "the token " + s[:at] + "\n  " + s[at:] + "\nok"})
			})
		}
	}
	source := put(t, dir, "a.jsonl", lines.String())
	if _, err := Ingest(t.Context(), path, []Source{source}, Options{Limit: 1 << 30}); err != nil {
		t.Fatal(err)
	}
	checkStore(t, path)
	err := filepath.WalkDir(home, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := os.ReadFile(name)
		for _, p := range planted {
			secret := p[1]
			for at := 0; at+10 <= len(secret); at += 5 { // a part of it must not be there either
				if bytes.Contains(b, []byte(secret[at:at+10])) {
					t.Errorf("%s: %s holds a part of %q", p[0], filepath.Base(name), secret)
					break
				}
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if got := ask(t, path, "padding is set"); len(got) == 0 {
		t.Error("the text around a secret is not found")
	}
}

// Forget must leave no byte of a text in any file.
func TestForget(t *testing.T) {
	dir, home := t.TempDir(), filepath.Join(t.TempDir(), "p")
	path := filepath.Join(home, "transcripts.db")
	if n, err := Forget(t.Context(), path); n != 0 || err != nil {
		t.Fatal(n, err)
	}
	a := put(t, dir, "a.jsonl", transcriptOf("2026-01-18", message{true, "zanzibar question"}, message{false, "zanzibar answer"}))
	ingest(t, path, a)
	contains := func(word string) (found bool) {
		names, _ := filepath.Glob(filepath.Join(home, "*"))
		for _, name := range names {
			b, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			found = found || bytes.Contains(b, []byte(word))
			if info, _ := os.Stat(name); info.Mode().Perm()&0o077 != 0 {
				t.Errorf("%s: %v", name, info.Mode())
			}
		}
		return found
	}
	if !contains("zanzibar") {
		t.Fatal("the search does not find what is there")
	}
	put(t, dir, "a.jsonl", transcriptOf("2026-01-18", message{true, "something else"})) // rewritten
	ingest(t, path, a)
	if contains("zanzibar") {
		t.Error("a text of a rewritten transcript is left in the files")
	}
	// A reader that is open meanwhile keeps the log.
	s, err := open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.db.Close() }()
	if n, err := Forget(t.Context(), path); n == 0 || err != nil {
		t.Fatal(n, err)
	}
	if contains("something") {
		t.Error("a text is left in the files")
	}
	if got := ask(t, path, "something else"); got != nil {
		t.Errorf("found after it was forgotten: %q", got)
	}
}

// If ctx ends, what was read is kept, and the next call goes on where it ended.
func TestInterrupted(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "transcripts.db")
	var sources []Source
	for i := range 30 {
		var list []message
		for j := range 20 {
			list = append(list, message{j%2 == 0, fmt.Sprintf("file%d line%d is said here", i, j)})
		}
		sources = append(sources, put(t, dir, fmt.Sprintf("%02d.jsonl", i), transcriptOf("2026-01-18", list...)))
	}
	stopped := 0
	for range 100 {
		ctx, cancel := context.WithCancel(t.Context())
		calls := 0
		_, err := Ingest(ctx, path, sources, Options{Limit: 1 << 30, Progress: func(int64, int64) {
			if calls++; calls == 3+stopped {
				cancel()
			}
		}})
		cancel()
		checkStore(t, path)
		if err == nil {
			break
		}
		if stopped++; !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
	}
	if r := ingest(t, path, sources...); stopped == 0 || r.Turns != 600 {
		t.Errorf("stopped %d times: %+v", stopped, r)
	}
}

// Of two calls at once one waits for the other, and nothing is kept twice.
func TestTwoAtOnce(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "transcripts.db")
	var sources []Source
	for i := range 20 {
		sources = append(sources, put(t, dir, fmt.Sprintf("%02d.jsonl", i),
			transcriptOf("2026-01-18", message{true, fmt.Sprint("question ", i)}, message{false, "answer"})))
	}
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() {
			if _, err := Ingest(t.Context(), path, sources, Options{Limit: 1 << 30}); err != nil {
				t.Error(err)
			}
			_, err := Find(t.Context(), path, Query{Text: "question answer", Limit: 5})
			if err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	if r := ingest(t, path, sources...); r.Turns != 40 {
		t.Errorf("%+v", r)
	}
}

// Hostile files cost themselves alone.
func TestHostileFiles(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "transcripts.db")
	good := put(t, dir, "good.jsonl", transcriptOf("2026-01-18", message{true, "the good one"}))
	deep := put(t, dir, "deep.jsonl", `{"type":"user","message":{"content":`+strings.Repeat("[", 100_000)+"\n"+
		transcriptOf("2026-01-18", message{true, "after the deep line \xff\x00"}))
	long := put(t, dir, "long.jsonl", `{"type":"user","message":{"content":"`+strings.Repeat("x", maxLine)+"\"}}\n"+
		transcriptOf("2026-01-18", message{true, "after the long line"}))
	link := Source{Path: filepath.Join(dir, "link.jsonl"), Form: transcript.FormClaude}
	if err := os.Symlink(good.Path, link.Path); err != nil {
		t.Fatal(err)
	}
	folder := Source{Path: filepath.Join(dir, "message", "ses_1"), Form: transcript.FormOpenCode}
	for name, text := range map[string]string{
		"message/ses_1/msg_1.json": `{"role":"user"}`, "message/ses_1/msg_2.json": `{`, "message/ses_1/msg_3.json": ``,
		"part/msg_1/prt_1.json": `{"type":"text","text":"said in parts"}`, "part/msg_1/prt_2.json": `[[[`,
	} {
		if err := os.MkdirAll(filepath.Join(dir, filepath.Dir(name)), 0o700); err != nil {
			t.Fatal(err)
		}
		put(t, dir, name, text)
	}
	old := put(t, dir, "session-1.json", `{"messages":[{"id":"1","type":"user","content":"in one object"}]}`)
	old.Form = transcript.FormGemini
	r, err := Ingest(t.Context(), path, []Source{link, deep, long, {Path: filepath.Join(dir, "absent")}, folder, old, good},
		Options{Limit: 1 << 30})
	if err != nil || len(r.Faults) != 2 || r.Long != 1 || r.Broken < 3 {
		t.Errorf("%v: %+v", err, r)
	}
	checkStore(t, path)
	for _, text := range []string{"the good one", "after the deep line", "after the long line", "said in parts", "in one object"} {
		if got := ask(t, path, text); len(got) == 0 || !strings.HasPrefix(got[0], text) {
			t.Errorf("%q: %q", text, got)
		}
	}
}
