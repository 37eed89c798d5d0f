// Turns measures the recall of turns of conversations with agents, through the reading of
// transcripts as users have it.
//
//	go run ./bench/turns -locomo DIR      recall on LoCoMo, which you fetch yourself
//	go run ./bench/turns -sessions DIR -log FILE
//	                                      recall on the records of a project's sessions
//	go run ./bench/turns -generate BYTES -text DIR
//	                                      time, memory and disk for transcripts made of sentences
//
// It makes transcripts in the form of Claude Code in a temporary folder, and removes them.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"patina/memory/transcript"
	"patina/memory/turns"
)

func main() {
	locomo := flag.String("locomo", "", "measure recall on the conversations in this `folder`")
	sessions := flag.String("sessions", "", "measure recall on the session records in this `folder`")
	log := flag.String("log", "", "a `file` with the lines of git log --format='%H %s' of that project")
	size := flag.Int64("generate", 0, "measure speed on this number of `bytes` of transcripts")
	seed := flag.Uint64("seed", 1, "of the generated transcripts")
	keep := flag.String("keep", "", "write to this `folder` and keep it, so that a later call adds to its transcripts")
	output := flag.Float64("output", 1, "times the usual amount of output of tools")
	text := flag.String("text", "", "take sentences from the files below this `folder`")
	flag.Parse()
	ctx := context.Background()
	work, err := *keep, error(nil)
	if work == "" {
		work, err = os.MkdirTemp("", "patina-turns-")
	}
	if err == nil {
		switch {
		case *locomo != "":
			err = measureLoCoMo(ctx, work, *locomo)
		case *sessions != "":
			err = measureSessions(ctx, work, *sessions, *log)
		case *size > 0:
			err = measureSpeed(ctx, work, *text, *size, *seed, *output, *keep != "")
		default:
			err = errors.New("want -locomo, -sessions or -generate")
		}
		if *keep == "" {
			err = errors.Join(err, os.RemoveAll(work))
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "turns:", err)
		os.Exit(1)
	}
}

// A spoken is a message in a made transcript.
type spoken struct {
	user bool
	text string
	at   time.Time
}

// writeTranscript writes a session in the form of Claude Code, a message a line.
func writeTranscript(dir, session string, messages []spoken) (turns.Source, error) {
	path := filepath.Join(dir, session+".jsonl")
	f, err := os.Create(path)
	if err != nil {
		return turns.Source{}, err
	}
	out := json.NewEncoder(f)
	for _, m := range messages {
		role := "assistant"
		if m.user {
			role = "user"
		}
		err = errors.Join(err, out.Encode(map[string]any{
			"type": role, "sessionId": session, "timestamp": m.at.Format(time.RFC3339),
			"message": map[string]any{"role": role, "content": []any{map[string]string{"type": "text", "text": m.text}}},
		}))
	}
	return turns.Source{Path: path, Form: transcript.FormClaude, Session: session}, errors.Join(err, f.Close())
}

// A place is a message of a session, by its line.
type place struct {
	session string
	line    int
}

// A tally counts answers by category.
type tally struct {
	questions int
	at        map[int]float64 // recall, by depth
}

// depths are the numbers of turns at which recall is measured.
var depths = []int{1, 5, 10, 20}

// add counts a question whose evidence is at some places.
func (t *tally) add(found []turns.Found, evidence []place) {
	if t.at == nil {
		t.at = map[int]float64{}
	}
	t.questions++
	for _, depth := range depths {
		seen := map[place]bool{}
		for _, f := range found[:min(depth, len(found))] {
			seen[place{f.Session, f.Line}] = true
		}
		n := 0
		for _, e := range evidence {
			if seen[e] {
				n++
			}
		}
		t.at[depth] += float64(n) / float64(len(evidence))
	}
}

func (t *tally) String() string {
	s := fmt.Sprintf("%5d questions", t.questions)
	for _, depth := range depths {
		s += fmt.Sprintf("  R@%d %.1f", depth, 100*t.at[depth]/float64(max(1, t.questions)))
	}
	return s
}
