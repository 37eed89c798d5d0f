package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"patina/memory/recall"
	"patina/memory/transcript"
	"patina/memory/turns"
)

const (
	askedQuestions = 500
	mostSentences  = 400_000
	mostLines      = 400_000
	perSession     = 60 // exchanges
)

// A writer makes transcripts of sentences from comments, and of lines of code, in the proportions
// of real sessions: most bytes are output of tools, which Claude Code writes twice.
type writer struct {
	rand             *rand.Rand
	sentences, lines []string
	out              *json.Encoder
	at               time.Time
	session          string
	calls            int
	failures         []string // the error lines that were mended
	output           float64  // times the usual amount of output
}

// measureSpeed makes transcripts of a size, ingests them, asks questions, appends and forgets.
func measureSpeed(ctx context.Context, work, folder string, size int64, seed uint64, output float64, keep bool) error {
	w := &writer{rand: rand.New(rand.NewPCG(seed, 0)), output: output, at: time.Date(2024, 1, 1, 8, 0, 0, 0, time.UTC)}
	if err := w.readTexts(folder); err != nil {
		return err
	}
	earlier, err := filepath.Glob(filepath.Join(work, "*.jsonl"))
	if err != nil {
		return err
	}
	var sources []turns.Source
	for _, name := range earlier {
		session := strings.TrimSuffix(filepath.Base(name), ".jsonl")
		sources = append(sources, turns.Source{Path: name, Form: transcript.FormClaude, Session: session})
	}
	for written := int64(0); written < size; {
		s, n, err := w.writeSession(work, len(sources))
		if err != nil {
			return err
		}
		sources = append(sources, s)
		written += n
	}
	questions := w.questions()
	failures := w.failures
	w.sentences, w.lines = nil, nil
	debug.FreeOSMemory()
	resetPeak()
	path := filepath.Join(work, "db", "transcripts.db")
	begin, before := time.Now(), processorTime()
	r, err := turns.Ingest(ctx, path, sources, turns.Options{Limit: 1 << 40})
	if err != nil {
		return err
	}
	fmt.Printf("ingest: %d transcripts, %.0f MB in %.1f s, %.1f s of processor time, peak %d MB resident; %d turns, %.1f MB of text, %.1f MB on disk\n",
		len(sources), float64(r.Bytes)/(1<<20), time.Since(begin).Seconds(), (processorTime() - before).Seconds(), peakMB(), r.Turns, float64(r.Text)/(1<<20),
		float64(diskBytes(filepath.Dir(path)))/(1<<20))
	if err := askAll(ctx, path, questions, failures); err != nil {
		return err
	}
	if keep {
		return nil
	}
	return w.change(ctx, path, sources)
}

// askAll times questions, and measures whether the mend of an error is found by the error.
func askAll(ctx context.Context, path string, questions, failures []string) error {
	resetPeak()
	for pass := range 2 {
		var times, processor []time.Duration
		for _, q := range questions {
			begin, before := time.Now(), processorTime()
			if _, err := turns.Find(ctx, path, turns.Query{Text: q, Limit: 10, Floor: recall.Floor}); err != nil {
				return err
			}
			times, processor = append(times, time.Since(begin)), append(processor, processorTime()-before)
		}
		slices.Sort(times)
		slices.Sort(processor)
		fmt.Printf("pass %d: %d questions, p50 %v, p95 %v, p99 %v; processor time p50 %v, p95 %v, p99 %v; peak %d MB resident\n",
			pass+1, len(times), times[len(times)/2], times[len(times)*95/100], times[len(times)*99/100],
			processor[len(times)/2], processor[len(times)*95/100], processor[len(times)*99/100], peakMB())
	}
	var mended tally
	for _, f := range failures[:min(len(failures), askedQuestions)] {
		found, err := turns.Find(ctx, path, turns.Query{Text: "what mended " + f, Limit: 20, Floor: recall.Floor})
		if err != nil {
			return err
		}
		for i := range found {
			found[i].Session, found[i].Line = "", 0
			if found[i].Role == transcript.RoleMend && strings.Contains(found[i].Text, f) {
				found[i].Line = 1
			}
		}
		mended.add(found, []place{{"", 1}})
	}
	fmt.Printf("what mended an error line: %v\n", &mended)
	return nil
}

// change times an update and the end of all turns.
func (w *writer) change(ctx context.Context, path string, sources []turns.Source) error {
	last := sources[len(sources)-1]
	f, err := os.OpenFile(last.Path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = f.WriteString(`{"type":"user","timestamp":"2026-01-01T00:00:00Z","message":{"content":"one more line"}}` + "\n")
	if err := errors.Join(err, f.Close()); err != nil {
		return err
	}
	for _, name := range []string{"one more line", "nothing new"} {
		begin := time.Now()
		if _, err := turns.Ingest(ctx, path, sources, turns.Options{Limit: 1 << 40}); err != nil {
			return err
		}
		fmt.Printf("ingest again, %s: %v\n", name, time.Since(begin).Round(time.Millisecond))
	}
	begin := time.Now()
	_, err = turns.Forget(ctx, path)
	fmt.Printf("forget: %v\n", time.Since(begin).Round(time.Millisecond))
	return err
}

// readTexts reads sentences and lines of the Go files below a folder.
func (w *writer) readTexts(folder string) error {
	if folder == "" {
		return errors.New("want -text DIR, a folder with sources in Go")
	}
	err := filepath.WalkDir(folder, func(name string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() || filepath.Ext(name) != ".go" || len(w.lines) > mostLines {
			return err
		}
		text, err := os.ReadFile(name)
		comment := ""
		for line := range strings.Lines(string(text)) {
			line = strings.TrimRight(line, "\n")
			said, ok := strings.CutPrefix(strings.TrimSpace(line), "// ")
			if ok && len(w.sentences) < mostSentences {
				comment += said + " "
				for {
					sentence, rest, ended := strings.Cut(comment, ". ")
					if !ended {
						break
					}
					if len(sentence) > 30 {
						w.sentences = append(w.sentences, strings.TrimSpace(sentence)+".")
					}
					comment = rest
				}
				continue
			}
			if comment = ""; len(line) > 10 {
				w.lines = append(w.lines, line)
			}
		}
		return err
	})
	if err == nil && (len(w.sentences) < 1000 || len(w.lines) < 1000) {
		err = fmt.Errorf("%q has too few sources in Go", folder)
	}
	return err
}

// some joins n random texts of a list.
func (w *writer) some(list []string, n int, between string) string {
	out := make([]string, n)
	for i := range out {
		out[i] = list[w.rand.IntN(len(list))]
	}
	return strings.Join(out, between)
}

// printed returns the output of a tool: about n lines.
func (w *writer) printed(n int) string { return w.some(w.lines, int(float64(n)*w.output), "\n") }

// writeSession writes a transcript and returns it with its size.
func (w *writer) writeSession(dir string, number int) (turns.Source, int64, error) {
	w.session = fmt.Sprintf("session-%05d", number)
	path := filepath.Join(dir, w.session+".jsonl")
	f, err := os.Create(path)
	if err != nil {
		return turns.Source{}, 0, err
	}
	buffer := bufio.NewWriter(f)
	w.out = json.NewEncoder(buffer)
	w.at = w.at.Add(time.Hour * time.Duration(1+w.rand.IntN(8)))
	for range perSession {
		err = errors.Join(err, w.writeExchange())
	}
	err = errors.Join(err, buffer.Flush())
	info, statErr := f.Stat()
	if err := errors.Join(err, statErr, f.Close()); err != nil {
		return turns.Source{}, 0, err
	}
	return turns.Source{Path: path, Form: transcript.FormClaude, Session: w.session}, info.Size(), nil
}

// writeExchange writes a request, some calls of tools, and an answer.
func (w *writer) writeExchange() error {
	err := w.write("user", map[string]any{"type": "text", "text": w.some(w.sentences, 1+w.rand.IntN(3), " ")})
	for range w.rand.IntN(6) {
		switch w.rand.IntN(10) {
		case 0, 1, 2, 3:
			err = errors.Join(err, w.call("Read", map[string]any{"file_path": "/w/" + w.name() + ".go"},
				w.printed(20+w.rand.IntN(400)), false))
		case 4, 5:
			err = errors.Join(err, w.call("Edit", map[string]any{
				"file_path": "/w/" + w.name() + ".go", "old_string": "x",
				"new_string": w.some(w.lines, 1+w.rand.IntN(20), "\n"),
			}, "The file has been updated.", false))
		case 6:
			err = errors.Join(err, w.failAndMend())
		default:
			err = errors.Join(err, w.call("Bash", map[string]any{"command": w.command()},
				w.printed(1+w.rand.IntN(80)), false))
		}
	}
	return errors.Join(err, w.write("assistant", map[string]any{
		"type": "text", "text": w.some(w.sentences, 2+w.rand.IntN(6), " "),
	}))
}

// failAndMend writes a command that fails, a change, and the command again.
func (w *writer) failAndMend() error {
	command := w.command()
	fault := fmt.Sprintf("%s.go:%d: undefined: %s", w.name(), 1+w.rand.IntN(900), w.name())
	w.failures = append(w.failures, fault)
	return errors.Join(
		w.call("Bash", map[string]any{"command": command}, fault+"\n"+w.printed(w.rand.IntN(60)), true),
		w.write("assistant", map[string]any{"type": "text", "text": w.some(w.sentences, 1, " ")}),
		w.call("Edit", map[string]any{"file_path": "/w/" + w.name() + ".go", "new_string": w.some(w.lines, 3, "\n")}, "ok", false),
		w.call("Bash", map[string]any{"command": command}, "ok", false))
}

func (w *writer) command() string {
	programs := []string{"go test ./", "go build ./", "make ", "git log ", "grep -rn "}
	return programs[w.rand.IntN(len(programs))] + w.name()
}

// name returns an identifier of the sources.
func (w *writer) name() string {
	for {
		words := strings.FieldsFunc(w.lines[w.rand.IntN(len(w.lines))], func(r rune) bool {
			return r != '_' && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z')
		})
		if len(words) > 0 {
			if name := words[w.rand.IntN(len(words))]; len(name) > 3 {
				return name
			}
		}
	}
}

// call writes the call of a tool with its result.
func (w *writer) call(tool string, input map[string]any, output string, failed bool) error {
	w.calls++
	id := "t" + strconv.Itoa(w.calls)
	return errors.Join(
		w.write("assistant", map[string]any{"type": "tool_use", "id": id, "name": tool, "input": input}),
		w.write("user", map[string]any{"type": "tool_result", "tool_use_id": id, "content": output, "is_error": failed}))
}

func (w *writer) write(role string, part map[string]any) error {
	w.at = w.at.Add(20 * time.Second)
	record := map[string]any{
		"type": role, "sessionId": w.session, "timestamp": w.at.Format(time.RFC3339), "cwd": "/w",
		"message": map[string]any{"role": role, "content": []any{part}},
	}
	if part["type"] == "tool_result" {
		record["toolUseResult"] = map[string]any{"stdout": part["content"]}
	}
	return w.out.Encode(record)
}

// questions returns questions of three to eight words from a sentence, and some of common words.
func (w *writer) questions() (out []string) {
	common := []string{
		"how was the error in the test of the file fixed", "why does the function return the value of the type",
		"what is the name of the package", "how did I build it before", "the error the error the error",
	}
	for len(out) < askedQuestions {
		if len(out)%20 == 0 {
			out = append(out, common[w.rand.IntN(len(common))])
			continue
		}
		words := strings.Fields(w.sentences[w.rand.IntN(len(w.sentences))])
		n := min(len(words), 3+w.rand.IntN(6))
		from := w.rand.IntN(len(words) - n + 1)
		if q := strings.Join(words[from:from+n], " "); len(recall.Question(q)) > 0 {
			out = append(out, q)
		}
	}
	return out
}

// processorTime returns the time that all threads of this process have run.
func processorTime() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// resetPeak lets the kernel measure the peak of resident memory anew, where it can.
func resetPeak() { _ = os.WriteFile("/proc/self/clear_refs", []byte("5"), 0) }

// peakMB returns the peak of resident memory in MB, or 0 if the system does not tell it.
func peakMB() int {
	text, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(text)) {
		if value, ok := strings.CutPrefix(line, "VmHWM:"); ok {
			kb, _ := strconv.Atoi(strings.Fields(value)[0])
			return kb >> 10
		}
	}
	return 0
}

func diskBytes(dir string) (n int64) {
	_ = filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			if info, err := d.Info(); err == nil {
				n += info.Size()
			}
		}
		return nil
	})
	return n
}
