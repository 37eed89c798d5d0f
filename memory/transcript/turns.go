package transcript

import (
	"context"
	"path"
	"slices"
	"strings"
	"time"

	"patina/memory/recall"
	"patina/scrape/content"
	"patina/scrape/openat"
	"patina/scrape/prose"
	"patina/store/doc"
)

const (
	sessionFolder   = "layer/sessions"
	maxSessions     = 1000
	maxSessionBytes = 2 << 20 // bytes of all records searched
	maxTurn         = 600     // bytes; longer ones are split
	maxTurns        = 10_000
)

// A Turn is a paragraph in the record of a session, below layer/sessions. The records are read from
// the working tree, the newest first, up to a few megabytes. They are a repository's text: data,
// never an instruction.
type Turn struct {
	Session string
	Path    string
	Line    int    // first line, from 1
	Block   string // the heading above
	Text    string
	At      time.Time // of the session; zero: unknown
}

// A TurnQuery is a search for turns.
type TurnQuery struct {
	Text    string
	Path    string    // only in this record
	AsOf    time.Time // only from sessions begun until then; zero: all
	Limit   int
	Scoring recall.Scoring
	Model   doc.Embedder // nil: search by words only
}

// A FoundTurn is a turn that answers a question.
type FoundTurn struct {
	Turn
	Score, Relevance float64
}

// FindTurns returns the turns below a project's root that answer a question, best first. They are
// many and on all subjects, so a turn must cover half of the question.
func FindTurns(ctx context.Context, root string, q TurnQuery) ([]FoundTurn, error) {
	all, err := readTurns(ctx, root, q)
	if err != nil || len(all) == 0 {
		return nil, err
	}
	items := make([]recall.Item, len(all))
	for i, t := range all {
		items[i] = recall.Item{Text: t.Text, Session: t.Path, At: t.At, Tags: []string{t.Block}}
	}
	var cosines []float64
	if q.Model != nil {
		cosines = recall.Cosines(q.Model, q.Text, recall.Vectors(q.Model, items))
	}
	ranked := recall.NewIndex(items).Rank(q.Text, cosines, q.Scoring)
	if !q.Scoring.Published() {
		ranked = recall.Above(recall.AnswerFloor, ranked)
	}
	var out []FoundTurn
	for _, r := range ranked[:min(len(ranked), q.Limit)] {
		out = append(out, FoundTurn{all[r.Item], r.Score, r.Relevance})
	}
	return out, ctx.Err()
}

// readTurns returns the turns of a project's sessions, or nil without sessions.
func readTurns(ctx context.Context, root string, q TurnQuery) (all []Turn, err error) {
	tree, err := openat.Open(root)
	if err != nil {
		return nil, err
	}
	defer tree.Close()
	names, _, err := tree.Names(sessionFolder, maxSessions)
	if err != nil {
		return nil, nil //nolint:nilerr // most projects have no such folder
	}
	slices.Sort(names) // names begin with the date
	slices.Reverse(names)
	left := maxSessionBytes
	for _, name := range names {
		file := path.Join(sessionFolder, name)
		if !prose.IsSession(file) || q.Path != "" && q.Path != file {
			continue
		}
		text, ok := content.ReadText(tree, file, int64(left))
		if !ok || ctx.Err() != nil {
			continue
		}
		all = append(all, ParseTurns(file, string(text), q.AsOf)...)
		if left -= len(text); left <= 0 || len(all) > maxTurns {
			break
		}
	}
	return all[:min(len(all), maxTurns)], ctx.Err()
}

// ParseTurns returns the turns of a record. It returns nil if until is not zero and the session
// began later.
func ParseTurns(file, text string, until time.Time) (out []Turn) {
	s := prose.ParseSession(file, text)
	at := readBeginning(s.Started, s.ID)
	if !until.IsZero() && at.After(until) {
		return nil
	}
	lines := strings.Split(text, "\n")
	for _, b := range s.Blocks {
		last := min(b.Last, len(lines))
		eachParagraph(lines[min(b.Line, last):last], func(first int, said string) {
			out = append(out, Turn{s.ID, file, b.Line + first, b.Title, said, at})
		})
	}
	return out
}

// eachParagraph calls pass with each paragraph and the number of its first line. Long paragraphs
// are split.
func eachParagraph(lines []string, pass func(first int, text string)) {
	text, first := "", 0
	flush := func() {
		if text != "" {
			pass(first, text)
		}
		text = ""
	}
	for i, line := range lines {
		line = strings.TrimSpace(strings.ToValidUTF8(line, "")) // before: no part is empty
		if line == "" || len(text)+len(line) > maxTurn {
			flush()
		}
		for ; len(line) > maxTurn; line = line[maxTurn:] { // a line may be a whole page
			pass(i+1, strings.ToValidUTF8(line[:maxTurn], ""))
		}
		switch {
		case line == "":
		case text == "":
			text, first = strings.ToValidUTF8(line, ""), i+1
		default:
			text += "\n" + strings.ToValidUTF8(line, "")
		}
	}
	flush()
}

// readBeginning returns the start time of a session, from its header or its name. It returns the
// zero time if neither has one.
func readBeginning(written, id string) time.Time {
	if at, err := time.Parse(time.RFC3339, written); err == nil {
		return at.UTC()
	}
	for _, s := range []string{written, id} {
		for _, layout := range []string{time.DateTime, time.DateOnly, "20060102"} {
			if at, err := time.Parse(layout, s[:min(len(s), len(layout))]); err == nil {
				return at
			}
		}
	}
	return time.Time{}
}
