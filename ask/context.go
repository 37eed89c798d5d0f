package ask

import (
	"context"
	"errors"
	"slices"
	"time"

	"patina/actors/api"
	"patina/ask/project"
	"patina/code/lookup"
	"patina/memory"
	"patina/memory/recall"
	"patina/store/doc"
	"patina/store/text"
)

// SurveyTime is the shortest timeout of a context. Counting the users of each file takes a second
// or two for ten thousand files.
const SurveyTime = 30 * time.Second

// notTheirs excludes files that others wrote.
var notTheirs = []string{"!vendor/**", "!**/vendor/**", "!third_party/**", "!**/third_party/**", "!**/node_modules/**"}

// topics is the number of documents of each kind for a topic.
const topics = 12

// introduceProject returns an introduction to the project.
func introduceProject(ctx context.Context, c *Call, r Request) (*Answer, error) {
	skip, err := c.Dismissed()
	if err != nil {
		return nil, err
	}
	topic := r.Text
	out := &Answer{Form: Context}
	err = c.read(ctx, r.Packages, true, func(e api.Service) error {
		b, err := e.Brief(ctx, api.BriefRequest{ReadOptions: c.Within(), Topic: topic, Now: time.Now(), Skip: skip})
		isEmpty := errors.Is(err, lookup.ErrNoDocument)
		if isEmpty {
			b, err = &api.BriefAnswer{Index: api.IndexState{Project: c.Place.Name}}, nil
		}
		if err != nil {
			return err
		}
		b.Index = c.State(b.Index)
		i := &Introduction{BriefAnswer: b, IsEmpty: isEmpty, Topic: topic, Now: time.Now()}
		if i.Memories, err = findNotes(ctx, c, topic); err != nil {
			c.Warn("without memories: %v", err)
		}
		if topic != "" && !isEmpty {
			if err := askOnTopic(ctx, c, e, r, i); err != nil {
				return err
			}
			askLinked(ctx, c, e, r, i)
		}
		out.Context = i
		return nil
	})
	return out, err
}

// contextMemories is the maximum number of notes in a context.
const contextMemories = 5

// findNotes returns the notes on a topic, or the pinned notes if topic is empty. It returns nil if
// there are no notes, or if the project does not show them.
func findNotes(ctx context.Context, c *Call, topic string) ([]memory.Found, error) {
	path := c.notesFile()
	if path == "" {
		return nil, nil
	}
	if topic != "" {
		q := memory.Query{
			Text: topic, Filter: memory.Filter{Limit: contextMemories},
			Scoring: recall.Scoring(c.Settings.Scoring), Defined: project.Definitions(c.Place),
		}
		var found []memory.Found
		err := project.WithNotesModel(ctx, c.Place, c.Warn, func(m doc.BatchEmbedder) (err error) {
			q.Model = m
			found, err = memory.Ask(ctx, path, q)
			return err
		})
		return found, err
	}
	var found []memory.Found
	err := memory.Look(ctx, path, func(m *memory.Store) error {
		pinned, err := m.List(ctx, memory.Filter{Pinned: true, Limit: contextMemories})
		found = nil
		for _, p := range pinned {
			found = append(found, memory.Found{Memory: p})
		}
		return err
	})
	return found, err
}

// askOnTopic fills in the documents that answer the topic.
func askOnTopic(ctx context.Context, c *Call, e api.Service, r Request, i *Introduction) (err error) {
	if i.Code, err = searchTopic(ctx, c, e, r, doc.Code, notTheirs); err != nil {
		return err
	}
	if files := i.RuleFiles(); len(files) > 0 {
		if i.Rules, err = searchTopic(ctx, c, e, r, doc.Pattern, files); err != nil {
			return err
		}
	}
	if len(i.Layer.Beliefs)+len(i.Layer.Decisions) > 0 {
		found, err := searchTopic(ctx, c, e, r, doc.Belief, nil)
		if err != nil {
			return err
		}
		i.Beliefs = statingTopic(r.Text, found)
	}
	if !i.IsLayered() {
		i.Commits, err = searchTopic(ctx, c, e, r, doc.Commit, nil)
	}
	return err
}

// Floors of the beliefs on a topic, chosen on 23 topics and the 59 beliefs of one project. Of the
// first five listed 0.71 are about the topic, and of those about it 0.61 are listed. The share
// alone gives 0.42 and 0.77 (bench/history/beliefs.md, "Beliefs on a topic").
const (
	statedPart = 0.5 // of the topic's words that the statement and the id must hold
	nearBest   = 0.6 // of the highest share among beliefs that do
)

// statingTopic drops beliefs that are not about a topic. The text of a belief holds many words of
// its evidence, so the words of its statement and id decide.
func statingTopic(topic string, results []api.Result) []api.Result {
	terms := text.ParseQuestion(topic).Terms
	best := 0.0
	about := slices.DeleteFunc(slices.Clone(results), func(r api.Result) bool {
		if r.Belief == nil {
			return true
		}
		stated, n := text.ParseQuestion(r.Belief.ID+" "+r.Belief.Statement).Terms, 0
		for _, term := range terms {
			if slices.Contains(stated, term) {
				n++
			}
		}
		if float64(n) < statedPart*float64(len(terms)) {
			return true
		}
		best = max(best, r.Share)
		return false
	})
	return slices.DeleteFunc(about, func(r api.Result) bool { return r.Share < nearBest*best })
}

// searchTopic returns the documents of a kind that answer the topic, in some files, or in all if
// files is nil. It returns nil if nothing is relevant.
func searchTopic(
	ctx context.Context, c *Call, e api.Service, r Request, kind doc.Kind, files []string,
) ([]api.Result, error) {
	q, err := c.question(r, r.Text)
	if err != nil {
		return nil, err
	}
	q.Filter.Kinds, q.Filter.Paths, q.Limit, q.Timeout = []doc.Kind{kind}, files, topics, c.remaining()
	a, err := e.Scry(ctx, q)
	if err != nil {
		return nil, err
	}
	return a.Relevant(), nil
}
