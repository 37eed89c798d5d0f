package ab

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"
)

// A Judge is a command of the user that reads pairs as JSON lines and must write one line for each,
// in any order: {"id": …, "first": 0 to 2, "second": 0 to 2}. Further fields are kept in the
// record.
type Judge struct {
	Command string        // for sh -c
	Silence time.Duration // the longest wait for the next answer; 0: two minutes
}

const (
	usualSilence = 2 * time.Minute
	// mostStarts is how often a judge is started at most. Before each further start, the pair that
	// it stopped at is dropped.
	mostStarts = 4
	mostTold   = 20 // faults of answers that are reported
	// mostStray is the number of lines that may belong to no pair, in addition to one for each
	// pair, before a judge is stopped.
	mostStray = 100
	// lastWords is the time that a judge may take to end after its last answer.
	lastWords  = 2 * time.Second
	maxAnswer  = 1 << 20 // bytes of one answer
	maxErrors  = 2000    // bytes of its standard error that are reported
	mostQuoted = 120     // bytes of an answer in a message
)

// A judged is the valid answer of a judge to one pair.
type judged struct{ first, second float64 }

// A hearing collects the answers of one judge, over all its starts.
type hearing struct {
	pairs   map[string]bool // by id
	answers map[string]judged
	spoiled map[string]bool // pairs whose last answer had a fault
	faults  []string
	more    int      // faults of answers beyond mostTold
	ends    []string // how the judge ended too early
	record  *Record
	on      func(done, total int)
}

func (h *hearing) fault(format string, args ...any) {
	said := fmt.Sprintf(format, args...)
	h.record.keep("fault", said)
	if len(h.faults) == mostTold {
		h.more++
		return
	}
	h.faults = append(h.faults, said)
}

// hear reads one line. It returns the id of its pair, or "" if it names no pair.
func (h *hearing) hear(line []byte) string {
	h.record.keep("judged", string(line))
	id, score, err := readAnswer(line)
	before, again := h.answers[id]
	switch {
	case err != nil:
		h.fault("answer %.*q: %v", mostQuoted, line, err)
	case !h.pairs[id]:
		h.fault("answer %.*q: no pair has this id", mostQuoted, line)
	case again && before != score:
		h.fault("answer %.*q: this pair was scored otherwise before", mostQuoted, line)
	default:
		h.answers[id] = score
		delete(h.spoiled, id)
		if h.on != nil {
			h.on(len(h.answers), len(h.pairs))
		}
		return id
	}
	if !h.pairs[id] {
		return ""
	}
	h.spoiled[id] = true
	return id
}

// ask sends the pairs to the judge, and starts it again if it dies or stops answering. It returns
// the answers by id, and all faults. The error is that of ctx, otherwise nil. on may be nil.
func (j *Judge) ask(ctx context.Context, pairs []shownPair, record *Record,
	on func(done, total int),
) (map[string]judged, []string, error) {
	h := &hearing{
		pairs: map[string]bool{}, answers: map[string]judged{}, spoiled: map[string]bool{}, record: record,
		on: on,
	}
	for _, p := range pairs {
		h.pairs[p.ID] = true
	}
	left := pairs
	for starts := 1; len(left) > 0; starts++ {
		heard, err := j.run(ctx, left, h.hear)
		if ctx.Err() != nil {
			return nil, nil, ctx.Err()
		}
		if err == nil {
			break
		}
		left = slices.DeleteFunc(slices.Clone(left), func(p shownPair) bool { return heard[p.ID] })
		h.ends = append(h.ends, fmt.Sprintf("the judge %v, with %d of %d pairs answered", err, len(h.answers),
			len(pairs)))
		record.keep("fault", h.ends[len(h.ends)-1])
		if starts == mostStarts || len(left) == 0 {
			break
		}
		left = left[1:] // this may be the pair that it fails on
	}
	for id := range h.spoiled {
		delete(h.answers, id)
	}
	if h.more > 0 {
		h.faults = append(h.faults, fmt.Sprintf("and %d faults more, which the record has", h.more))
	}
	return h.answers, append(h.faults, h.ends...), nil
}

// readAnswer reads one line. With an error, it still returns the id if there is one.
func readAnswer(line []byte) (id string, score judged, err error) {
	var a struct {
		ID     string   `json:"id"`
		First  *float64 `json:"first"`
		Second *float64 `json:"second"`
	}
	if err := json.Unmarshal(line, &a); err != nil {
		return a.ID, score, errors.New(`not a JSON object with "id", "first" and "second"`)
	}
	if a.First == nil || a.Second == nil {
		return a.ID, score, errors.New(`"first" or "second" is missing`)
	}
	if *a.First < 0 || *a.First > MostScore || *a.Second < 0 || *a.Second > MostScore {
		return a.ID, score, fmt.Errorf("scores are from 0 to %d", MostScore)
	}
	return a.ID, judged{*a.First, *a.Second}, nil
}

// run starts the judge once and reads its lines until it ends, has answered all pairs, or answers
// no pair for too long. It returns the ids of the pairs that were answered, well or not. A judge
// that must be stopped is stopped with its children.
func (j *Judge) run(ctx context.Context, pairs []shownPair,
	hear func(line []byte) string,
) (heard map[string]bool, err error) {
	c := exec.Command("sh", "-c", j.Command)
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // a process group, so that all can be stopped
	c.WaitDelay = lastWords
	said := &tail{most: maxErrors}
	c.Stderr = said
	in, err := c.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := c.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := c.Start(); err != nil {
		return nil, fmt.Errorf("did not start: %w", err)
	}
	go send(in, pairs)
	lines, over, broken := make(chan []byte), make(chan struct{}), make(chan error, 1)
	go func() { broken <- readLines(out, lines, over) }()
	heard, why := j.listen(ctx, lines, len(pairs), hear)
	all := len(heard) == len(pairs)
	if all {
		drain(lines, len(pairs)+mostStray, hear)
	}
	close(over)
	stop := func() { _ = syscall.Kill(-c.Process.Pid, syscall.SIGKILL) }
	if why != nil || all {
		stop()
		_ = out.Close()
	}
	unread := <-broken
	late := time.AfterFunc(lastWords, stop) // it has closed its output but still runs
	ended := c.Wait()
	late.Stop()
	switch {
	case all:
		return heard, nil
	case why != nil:
		return heard, why
	case unread != nil:
		return heard, unread
	case ended != nil:
		return heard, fmt.Errorf("ended (%w)%s", ended, said.text())
	}
	return heard, nil
}

// drain reads further lines of a judge that has answered everything, and gives it time to end.
func drain(lines <-chan []byte, most int, hear func([]byte) string) {
	end := time.After(lastWords)
	for range most {
		select {
		case line, ok := <-lines:
			if !ok {
				return
			}
			hear(line)
		case <-end:
			return
		}
	}
}

// send writes the pairs, one on each line.
func send(in io.WriteCloser, pairs []shownPair) {
	defer func() { _ = in.Close() }()
	e := json.NewEncoder(in)
	e.SetEscapeHTML(false)
	for _, p := range pairs {
		if e.Encode(p.Pair) != nil {
			return // it reads no more
		}
	}
}

// listen reads lines until there are no more, or n pairs are answered. It returns an error if no
// pair is answered for too long. Other lines do not extend the time.
func (j *Judge) listen(ctx context.Context, lines <-chan []byte, n int,
	hear func([]byte) string,
) (map[string]bool, error) {
	silence := j.Silence
	if silence == 0 {
		silence = usualSilence
	}
	heard, stray := map[string]bool{}, 0
	timer := time.NewTimer(silence)
	defer timer.Stop()
	for len(heard) < n {
		select {
		case line, ok := <-lines:
			if !ok {
				return heard, nil
			}
			if id := hear(line); id != "" && !heard[id] {
				heard[id] = true
				timer.Reset(silence)
			} else if stray++; stray == n+mostStray {
				return heard, fmt.Errorf("wrote %d lines that answer no pair", stray)
			}
		case <-timer.C:
			return heard, fmt.Errorf("answered nothing for %s", silence)
		case <-ctx.Done():
			return heard, ctx.Err()
		}
	}
	return heard, nil
}

// readLines sends the lines of a stream, except empty ones, until its end or until over is closed.
func readLines(r io.Reader, lines chan<- []byte, over <-chan struct{}) error {
	defer close(lines)
	s := bufio.NewScanner(r)
	s.Buffer(nil, maxAnswer)
	for s.Scan() {
		line := []byte(strings.TrimSpace(s.Text()))
		if len(line) == 0 {
			continue
		}
		select {
		case lines <- line:
		case <-over:
			return nil
		}
	}
	if errors.Is(s.Err(), bufio.ErrTooLong) {
		return fmt.Errorf("wrote a line of more than %d bytes", maxAnswer)
	}
	return nil // a closed pipe is its end
}

// A tail keeps the last bytes written to it. It may be used concurrently.
type tail struct {
	mu   sync.Mutex
	most int
	b    []byte
}

// Write implements io.Writer.
func (t *tail) Write(b []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.b = append(t.b, b...)
	t.b = t.b[max(0, len(t.b)-t.most):]
	return len(b), nil
}

func (t *tail) text() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	if s := strings.TrimSpace(strings.ToValidUTF8(string(t.b), "")); s != "" {
		return ": " + s
	}
	return ""
}
