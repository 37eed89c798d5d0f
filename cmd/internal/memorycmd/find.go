package memorycmd

import (
	"bufio"
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"patina/cmd/internal/cli"
	"patina/cmd/internal/layout"
	"patina/internal/safeio"
	"patina/memory"
	"patina/memory/transcript"
	"patina/registry"
)

// Bounds of the search for transcripts.
const (
	mostTranscripts = 500     // the newest files read for each client
	firstBytes      = 1 << 20 // of a file, searched for the folder of its session
	mostMessages    = 20_000  // files of an OpenCode session
)

// A foundTranscript is the transcript of a session in the project.
type foundTranscript struct {
	Path string    `json:"path"`
	Form string    `json:"form"`
	Time time.Time `json:"time"`
}

// transcripts lists the transcripts of sessions in the project.
func (r *remembering) transcripts() error {
	p, err := r.app.Here()
	if err != nil {
		return err
	}
	home, err := registry.UserHome()
	if err != nil {
		return err
	}
	all := transcriptsOf(home, p.Root, mostTranscripts)
	if r.asJSON {
		err = writeJSON(r.app.Out, struct {
			Transcripts []foundTranscript `json:"transcripts"`
		}{append([]foundTranscript{}, all...)})
	} else {
		for _, t := range all {
			fmt.Fprintf(r.app.Out, "%s  %-11s  %s\n", t.Time.Format(time.DateOnly), t.Form, layout.Plain(t.Path))
		}
	}
	if err == nil && len(all) == 0 {
		if !r.asJSON {
			fmt.Fprintf(r.app.Out,
				"no transcript of a session in %s: name one, or pass a text to patina memory ingest -\n",
				layout.Plain(p.Root))
		}
		return cli.Exit(cli.ExitNothing)
	}
	if err == nil && !r.asJSON {
		fmt.Fprintln(r.app.Out, "to see what one would add: patina memory ingest PATH")
	}
	return err
}

// Said returns the notes in the transcripts of sessions in a project. faults are the reasons why
// some transcripts could not be read.
func Said(root string) (notes []transcript.Note, faults []error) {
	home, err := registry.UserHome()
	if err != nil {
		return nil, []error{err}
	}
	r := &remembering{app: &app{&cli.App{}}}
	for _, t := range transcriptsOf(home, root, mostTranscripts) {
		m, err := r.marked(t.Path)
		if err != nil {
			faults = append(faults, err)
		}
		kept, _ := r.keepable(m)
		notes = append(notes, kept...)
	}
	return notes, faults
}

// transcriptsOf finds transcripts in the clients' usual folders, the newest first, at most some for
// each client. The environment may name other folders.
func transcriptsOf(home, root string, most int) []foundTranscript {
	all := slices.Concat(claudeTranscripts(home, root, most), codexTranscripts(home, root, most),
		openCodeTranscripts(home, root, most), geminiTranscripts(home, root, most))
	sortNewest(all)
	return all
}

func sortNewest(all []foundTranscript) {
	slices.SortFunc(all, func(a, b foundTranscript) int {
		return cmp.Or(b.Time.Compare(a.Time), strings.Compare(a.Path, b.Path))
	})
}

// claudeTranscripts returns the transcripts in the folder named like the project's, with a dash in
// place of each character but letters and digits, and those of sessions in folders below it. Since
// several folders have one such name, a transcript that names another folder is left out.
func claudeTranscripts(home, root string, most int) []foundTranscript {
	name := strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' {
			return r
		}
		return '-'
	}, root)
	dir := filepath.Join(cmp.Or(os.Getenv("CLAUDE_CONFIG_DIR"), filepath.Join(home, ".claude")), "projects")
	list := slices.Concat(newestTranscripts(transcript.FormClaude, filepath.Join(dir, name, "*.jsonl"), most),
		newestTranscripts(transcript.FormClaude, filepath.Join(dir, name+"-*", "*.jsonl"), most))
	return slices.DeleteFunc(list, func(t foundTranscript) bool {
		folder := namedFolder(t.Path)
		if folder == "" {
			return filepath.Base(filepath.Dir(t.Path)) != name
		}
		return !isInside(root, folder)
	})
}

// namedFolder returns the working folder that the first lines of a transcript name, or "".
func namedFolder(name string) string {
	f, err := safeio.Open(name)
	if err != nil {
		return ""
	}
	defer func() { _ = f.Close() }()
	lines := bufio.NewReader(io.LimitReader(f, firstBytes))
	for {
		line, err := lines.ReadBytes('\n')
		var r struct{ Cwd string }
		if json.Unmarshal(line, &r) == nil && r.Cwd != "" {
			return r.Cwd
		}
		if err != nil {
			return ""
		}
	}
}

// codexTranscripts returns transcripts, which are stored by day. Their first line names the folder.
func codexTranscripts(home, root string, most int) []foundTranscript {
	dir := cmp.Or(os.Getenv("CODEX_HOME"), filepath.Join(home, ".codex"))
	return slices.DeleteFunc(newestTranscripts(transcript.FormCodex,
		filepath.Join(dir, "sessions", "*", "*", "*", "rollout-*.jsonl"), most), func(t foundTranscript) bool {
		var first struct {
			Cwd     string
			Payload struct{ Cwd string }
		}
		line := firstLine(t.Path)
		return json.Unmarshal(line, &first) != nil || !isInside(root, cmp.Or(first.Payload.Cwd, first.Cwd))
	})
}

// openCodeTranscripts returns transcripts, which are folders of messages. A file beside them names
// the folder of each session.
func openCodeTranscripts(home, root string, most int) []foundTranscript {
	data := cmp.Or(os.Getenv("XDG_DATA_HOME"), filepath.Join(home, ".local", "share"))
	storage := filepath.Join(data, "opencode", "storage")
	var out []foundTranscript
	for _, t := range newestTranscripts(transcript.FormOpenCode,
		filepath.Join(storage, "session", "*", "ses_*.json"), most) {
		var session struct{ Directory string }
		text, err := safeio.ReadFile(t.Path, firstBytes)
		if err != nil || json.Unmarshal(text, &session) != nil || !isInside(root, session.Directory) {
			continue
		}
		t.Path = filepath.Join(storage, "message", strings.TrimSuffix(filepath.Base(t.Path), ".json"))
		if info, err := os.Lstat(t.Path); err == nil && info.IsDir() {
			out = append(out, t)
		}
	}
	return out
}

// geminiTranscripts returns transcripts whose beginning has the SHA-256 of the project's folder. Of
// a transcript in both forms, an object and lines, the lines are newer.
func geminiTranscripts(home, root string, most int) []foundTranscript {
	dir := filepath.Join(cmp.Or(os.Getenv("GEMINI_CLI_HOME"), home), ".gemini", "tmp", "*", "chats")
	sum := sha256.Sum256([]byte(root))
	hash := []byte(hex.EncodeToString(sum[:]))
	list := slices.Concat(newestTranscripts(transcript.FormGemini, filepath.Join(dir, "session-*.jsonl"), most),
		newestTranscripts(transcript.FormGemini, filepath.Join(dir, "session-*.json"), most))
	return slices.DeleteFunc(list, func(t foundTranscript) bool {
		if _, err := os.Lstat(t.Path + "l"); err == nil {
			return true
		}
		f, err := safeio.Open(t.Path)
		if err != nil {
			return true
		}
		defer func() { _ = f.Close() }()
		head, err := io.ReadAll(io.LimitReader(f, hashWithin))
		return err != nil || !bytes.Contains(head, hash)
	})
}

// hashWithin is the number of bytes at the beginning of a transcript by Gemini CLI that have its
// session's id and its project's hash.
const hashWithin = 4 << 10

// newestTranscripts returns the files that match a pattern, newest first, at most some.
func newestTranscripts(form, pattern string, most int) []foundTranscript {
	names, _ := filepath.Glob(pattern)
	var all []foundTranscript
	for _, name := range names {
		if info, err := os.Lstat(name); err == nil && info.Mode().IsRegular() {
			all = append(all, foundTranscript{name, form, info.ModTime()})
		}
	}
	sortNewest(all)
	return all[:min(len(all), most)]
}

// firstLine returns the first line of a file, or nil if it cannot be read.
func firstLine(name string) []byte {
	f, err := safeio.Open(name)
	if err != nil {
		return nil
	}
	defer func() { _ = f.Close() }()
	line, _ := bufio.NewReader(io.LimitReader(f, firstBytes)).ReadBytes('\n')
	return line
}

// isInside reports whether a folder is the project's or inside it.
func isInside(root, folder string) bool {
	rel, err := filepath.Rel(root, folder)
	return folder != "" && err == nil && filepath.IsLocal(rel)
}

// markedInFolder reads the messages of an OpenCode session: message/SESSION/*.json, and
// part/MESSAGE/*.json beside them.
func markedInFolder(dir string) (marked, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return marked{}, err
	}
	session, storage := filepath.Base(abs), filepath.Dir(filepath.Dir(abs))
	names, _ := filepath.Glob(filepath.Join(globEscaped(abs), "msg_*.json"))
	if filepath.Base(filepath.Dir(abs)) != "message" || len(names) == 0 {
		return marked{}, cli.Hint(fmt.Errorf("%q is no folder of messages by OpenCode", dir),
			"such as ~/.local/share/opencode/storage/message/ses_…; or name a file")
	}
	left, size := mostMessages, int64(maxTranscript)
	read := func(name string) ([]byte, error) {
		b, err := safeio.ReadFile(name, size)
		if left, size = left-1, size-int64(len(b)); left < 0 || errors.Is(err, safeio.ErrTooLarge) {
			err = fmt.Errorf("%q has more than %d files, or more than %d bytes", dir, mostMessages, maxTranscript)
		}
		return b, err
	}
	var all []transcript.Message
	for _, name := range names {
		var m transcript.Message
		if m.Info, err = read(name); err != nil {
			return marked{}, err
		}
		parts, _ := filepath.Glob(filepath.Join(globEscaped(filepath.Join(storage, "part",
			strings.TrimSuffix(filepath.Base(name), ".json"))), "*.json"))
		for _, p := range parts {
			text, err := read(p)
			if err != nil {
				return marked{}, err
			}
			m.Parts = append(m.Parts, text)
		}
		all = append(all, m)
	}
	t := transcript.ReadMessages(session, all, memory.Types)
	return marked{t.Form, t.Broken, t.Notes, t.Faults}, nil
}

// globEscaped returns a pattern that matches only path.
func globEscaped(path string) string {
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(path)
}
