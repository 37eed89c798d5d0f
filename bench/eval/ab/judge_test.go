package ab

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// The judges of these tests are shell scripts: real processes on real pipes.
const (
	// id reads the id of one pair.
	id = `id=$(printf '%s' "$line" | sed 's/.*"id":"\([0-9a-f]*\)".*/\1/')`
	// honest scores an answer with "b" 2, and another one 1.
	honest = `while IFS= read -r line; do ` + id + `
		a=1; b=1
		case "$line" in *'"first":"b\n'*) a=2;; esac
		case "$line" in *'"second":"b\n'*) b=2;; esac
		printf '{"id":"%s","first":%s,"second":%s,"reason":"states it"}\n' "$id" $a $b
	done`
	// eager always prefers the first answer.
	eager = `sed 's/.*"id":"\([0-9a-f]*\)".*/{"id":"\1","first":2,"second":1}/'`
)

// judging runs both tasks of run_test.go with a judge, in a folder of its own.
func judging(t *testing.T, command string, silence time.Duration, specs ...string) (*Verdict, []string) {
	t.Helper()
	record, err := NewRecord(t.TempDir(), time.Now())
	if err != nil {
		t.Fatal(err)
	}
	r, err := Run(t.Context(), &scripted{}, tasks, arms(t, specs...),
		Options{Seed: 1, Print: printed, Record: record, Judge: &Judge{Command: command, Silence: silence}})
	if err != nil {
		t.Fatal(err)
	}
	if err := record.Close(nil); err != nil {
		t.Fatal(err)
	}
	return r.Judge, recorded(t, record.Path())
}

// ample is the patience of tests with a judge that answers. It never passes.
const ample = time.Minute

var both = []string{"annotations", "beliefs-on"}

// By hand: the answers with beliefs begin with b. There are four pairs, because each task is shown
// in both orders. The arm gets 2 for each task, the first arm 1, and both orders agree.
func TestHonestJudge(t *testing.T) {
	v, record := judging(t, honest, ample, both...)
	if v.Pairs != 4 || v.Judged != 4 || len(v.Faults) != 0 || len(v.Comparisons) != 3 {
		t.Fatalf("verdict %+v", v)
	}
	all := v.Comparisons[2]
	if all.Kind != allKinds || all.Tasks != 2 || all.Before != 2 || all.Scored != 4 || all.Delta.Mean != 0.5 ||
		all.AtMost != 0.5 ||
		all.Agreement.Mean != 1 || all.Position.Mean != 0 || all.Better != 2 || all.Equal+all.Worse+all.Same != 0 {
		t.Errorf("comparison %+v", all)
	}
	count := map[string]int{}
	for _, is := range record {
		count[is]++
	}
	if count["pair"] != 4 || count["judged"] != 4 || count["answer"] != 4 || count["report"] != 1 {
		t.Errorf("record %v", count)
	}
}

// A judge that prefers a position agrees with itself nowhere, and the figures show that. Equal
// answers are a control that it fails.
func TestPartialJudge(t *testing.T) {
	v, _ := judging(t, eager, ample, both...)
	c := v.Comparisons[2]
	if c.Agreement.Mean != 0 || c.Position.Mean != 1 || c.Delta.Mean != 0 || c.Equal != 2 {
		t.Errorf("comparison %+v", c)
	}
	v, _ = judging(t, eager, ample, "a:", "b:")
	if c := v.Comparisons[2]; c.Same != 2 || c.SameScores != 0 {
		t.Errorf("equal answers: %+v", c)
	}
	v, _ = judging(t, honest, ample, "a:", "b:")
	if c := v.Comparisons[2]; c.Same != 2 || c.SameScores != 2 || c.Equal != 2 {
		t.Errorf("equal answers, honestly: %+v", c)
	}
}

// Answers may come in any order, and all at the end.
func TestJudgeThatReadsAllFirst(t *testing.T) {
	v, _ := judging(t, `sort | (`+honest+`)`, ample, both...)
	if v.Judged != 4 || len(v.Faults) != 0 || v.Comparisons[2].Delta.Mean != 0.5 {
		t.Errorf("verdict %+v", v)
	}
}

// Faults of a judge are reported, and the other pairs are judged.
func TestFaultyJudges(t *testing.T) {
	dir := t.TempDir()
	once := func(name, then string) string { // does something else the first time
		mark := filepath.Join(dir, name)
		return fmt.Sprintf("if [ ! -e %[1]s ]; then touch %[1]s; %[2]s; fi; %[3]s", mark, then, honest)
	}
	for name, test := range map[string]struct {
		command string
		silence time.Duration
		judged  int
		want    []string // in the faults
	}{
		"not there": {
			"nosuchjudge", ample, 0,
			[]string{"ended (exit status 127): sh: ", "4 of 4 pairs are not judged"},
		},
		"fails at the start": {"exit 3", ample, 0, []string{"ended (exit status 3)"}},
		"fails once": {
			once("fails", "read -r line; echo no key >&2; exit 3"), ample, 3,
			[]string{
				"the judge ended (exit status 3): no key, with 0 of 4 pairs answered",
				"1 of 4 pairs are not judged",
			},
		},
		"fails at the third": {
			once("third", "head -n 2 | ("+honest+"); exit 9"), ample, 3,
			[]string{"ended (exit status 9), with 2 of 4"},
		},
		"hangs once": {
			once("hangs", "sleep 1000"), 300 * time.Millisecond, 3,
			[]string{"the judge answered nothing for 300ms, with 0 of 4 pairs answered"},
		},
		"says nothing": {"cat >/dev/null", ample, 0, []string{"4 of 4 pairs are not judged"}},
		"skips two":    {"head -n 2 | (" + honest + ")", ample, 2, []string{"2 of 4 pairs are not judged"}},
		"no JSON": {
			"sed 's/.*/the first one/'", ample, 0,
			[]string{`answer "the first one": not a JSON object`},
		},
		"unknown pairs": {
			`sed 's/.*/{"id":"x","first":1,"second":1}/'`, ample, 0,
			[]string{"no pair has this id"},
		},
		"off the scale": {eager + ` | sed 's/"first":2/"first":7/'`, ample, 0, []string{"scores are from 0 to 2"}},
		"one score": {
			eager + ` | sed 's/,"second":1//'`, ample, 0,
			[]string{`"first" or "second" is missing`},
		},
		"says it again": {eager + ` | sed p`, ample, 4, nil},
		"takes it back": {
			eager + ` | sed 'p;s/"first":2/"first":0/'`, ample, 0,
			[]string{"this pair was scored otherwise before"},
		},
		"a flood": {
			"yes 1", ample, 0,
			[]string{
				"not a JSON object", "the judge wrote 104 lines that answer no pair",
				"faults more, which the record has",
			},
		},
		"an endless line":    {"yes | tr -d '\\n'", ample, 0, []string{"wrote a line of more than 1048576 bytes"}},
		"closes its output":  {"exec 1>&-; sleep 1000", ample, 0, []string{"ended (signal: killed)"}},
		"control characters": {`printf '\033[2J\n'`, ample, 0, []string{"not a JSON object"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			v, record := judging(t, test.command, test.silence, both...)
			faults := strings.Join(v.Faults, "\n")
			if v.Judged != test.judged || (len(v.Faults) > 0) != (test.want != nil) {
				t.Errorf("judged %d, want %d; faults:\n%s", v.Judged, test.judged, faults)
			}
			for _, want := range test.want {
				if !strings.Contains(faults, want) {
					t.Errorf("faults %q, want %q", faults, want)
				}
			}
			if len(v.Faults) > mostTold+mostStarts+2 || !slices.Contains(record, "report") {
				t.Errorf("%d faults; the record has %d lines", len(v.Faults), len(record))
			}
			var text strings.Builder
			if err := (&Report{Judge: v}).Text(&text); err != nil || strings.ContainsAny(text.String(), "\x1b\x07") ||
				!strings.Contains(text.String(), "judged by ") {
				t.Errorf("%v\n%q", err, text.String())
			}
		})
	}
}

// An interrupt stops a judge and its children at once. The pairs stay in the record.
func TestJudgeIsStopped(t *testing.T) {
	dir := t.TempDir()
	pids := filepath.Join(dir, "pids")
	record, err := NewRecord(dir, time.Now())
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	command := fmt.Sprintf(`sleep 1000 & echo $! $$ > %[1]s.new; mv %[1]s.new %[1]s; wait`, pids)
	done := make(chan error, 1)
	go func() {
		_, err := Run(ctx, &scripted{}, tasks, arms(t, both...),
			Options{Print: printed, Record: record, Judge: &Judge{Command: command}})
		done <- err
	}()
	var started []byte
	for started == nil {
		if started, err = os.ReadFile(pids); err != nil && !errors.Is(err, os.ErrNotExist) {
			t.Fatal(err)
		}
	}
	cancel()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Errorf("run: %v", err)
	}
	for _, field := range strings.Fields(string(started)) {
		pid, err := strconv.Atoi(field)
		if err != nil {
			t.Fatal(err)
		}
		for alive(pid) {
		}
	}
	if err := record.Close(context.Canceled); err != nil {
		t.Fatal(err)
	}
	if got := recorded(t, record.Path()); !slices.Contains(got, "pair") || slices.Contains(got, "report") ||
		got[len(got)-1] != "end" {
		t.Errorf("record %q", got)
	}
}

// alive reports whether a process runs. A zombie does not run.
func alive(pid int) bool {
	if syscall.Kill(pid, 0) != nil {
		return false
	}
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	return err == nil && !strings.Contains(string(b), ") Z ")
}

// No pair reveals its arms: each task has both orders, and a pair has no id, time or name of an arm
// or query.
func TestPairsAreBlind(t *testing.T) {
	build := func(seed uint64) []shownPair {
		x := &experiment{
			engine: &scripted{}, arms: arms(t, "one-arm:annotations", "other-arm:"), tasks: tasks,
			options: Options{K: 10, Seed: seed, Print: printed},
		}
		for _, task := range tasks {
			for i := range x.arms {
				row, err := x.ask(t.Context(), task, &x.arms[i])
				if err != nil {
					t.Fatal(err)
				}
				x.rows = append(x.rows, row)
			}
		}
		return x.pairs()
	}
	pairs := build(1)
	orders := map[string]int{}
	for _, p := range pairs {
		b, err := json.Marshal(p.Pair)
		if err != nil {
			t.Fatal(err)
		}
		for _, tell := range []string{"-arm", "q_26112", " ms", "swapped", "annotations", p.Of + `"`} {
			if strings.Contains(string(b), tell) {
				t.Errorf("pair %s tells %q", b, tell)
			}
		}
		if p.Swapped == strings.HasPrefix(p.Second, "b\n") {
			t.Errorf("swapped %v, second %q", p.Swapped, p.Second)
		}
		if p.same() {
			t.Errorf("equal answers: %s", b)
		}
		orders[fmt.Sprint(p.Of, p.Swapped)]++
	}
	if len(orders) != 4 || len(pairs) != 4 {
		t.Errorf("orders %v", orders)
	}
	if again := build(1); !slices.Equal(again, pairs) {
		t.Error("one seed, two orders")
	}
	if slices.Equal(build(2), pairs) {
		t.Error("two seeds, one order")
	}
	if got := blind("no id\nat all", ""); got != "no id\nat all" {
		t.Errorf("blinded %q", got)
	}
}
