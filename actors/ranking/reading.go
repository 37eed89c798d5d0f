package ranking

import (
	"context"
	"slices"
	"strings"
	"time"

	"patina/actors/api"
	"patina/fusion"
	"patina/fusion/period"
	"patina/oracles"
	"patina/store"
	"patina/store/doc"
	"patina/store/text"
)

// words are a text and all else on which its Reading depends.
type words struct {
	text               string
	asWritten          bool
	hasTime, hasAuthor bool // whether the filter has them
	now                time.Time
}

func wordsWith(text string, asWritten bool, f doc.Filter, now time.Time) words {
	undated := len(f.Kinds) > 0 && !slices.ContainsFunc(f.Kinds, doc.Kind.Dated)
	return words{
		text, asWritten,
		undated || f.When.Span.Set(), undated || f.When.Author != "", now.Truncate(time.Minute),
	}
}

func wordsOfRequest(r api.Request) words { return wordsWith(r.Text, r.AsWritten, r.Filter, r.Now) }

func wordsOfAsk(m *api.Ask) words { return wordsWith(m.Text, m.AsWritten, m.Filter, m.Now) }

// readWords interprets the time, the people and the wish for news in a question, and removes their
// words from its terms.
func (q *Reading) readWords(asks string) {
	q.news = fusion.NewsWords(asks)
	if q.parsed.Long {
		q.news = nil
		return
	}
	q.parsed.Newest = len(q.news) > 0
	if !q.asked.hasTime {
		q.time = period.Read(asks, q.asked.now)
	}
	if !q.asked.hasAuthor {
		q.people = period.People(asks)
	}
	q.done = fusion.ChangeWords(asks)
	q.parsed.Without(slices.Concat(q.news, q.timeWords()))
}

// timeWords returns the words that are not searched for if there is a time: those of the time, and
// those for changes.
func (q *Reading) timeWords() []string {
	if !q.time.Set() {
		return nil
	}
	return slices.Concat(q.done, period.Words(q.time.Phrase))
}

// listingWords are words for commits that say nothing about their content.
var listingWords = func() map[string]bool {
	m := map[string]bool{}
	for w := range strings.FieldsSeq(`commit commits committed change changes changed happened done made wrote
		written show
		list history log all new recent recently lately latest newest last`) {
		m[text.Stem(w)] = true
	}
	return m
}()

// Narrow narrows the filter of q by the time and the first author in the text, and removes their
// words from its terms, and the name of the project's own language. It returns what it interpreted,
// which is empty for a project without commits. The error is that of reading the index.
func (u Reading) Narrow(ctx context.Context, r *store.Reader, q *oracles.Question) (api.FromWords, error) {
	read, err := u.narrowByTime(ctx, r, q)
	if err != nil || u.asked.asWritten || read.Listing {
		return read, err
	}
	return read, oracles.WithoutLanguage(ctx, r, &q.Parsed)
}

// narrowByTime is Narrow without the language.
func (u Reading) narrowByTime(ctx context.Context, r *store.Reader, q *oracles.Question) (api.FromWords, error) {
	if r.Generation().Commits == 0 || u.asked.asWritten || u.parsed.Long {
		return api.FromWords{}, nil
	}
	snap, err := r.Snapshot(ctx)
	if err != nil {
		return api.FromWords{}, err
	}
	read := api.FromWords{Newest: q.Parsed.Newest}
	without := slices.Concat(u.news, u.timeWords())
	if u.time.Set() {
		q.Filter.When.Span, read.Span = u.time.Span, u.time.Span
		read.Words = append(read.Words, u.time.Phrase)
	}
	for _, p := range u.people {
		who, others, err := r.AuthorNamed(ctx, snap, p.Name)
		if err != nil {
			return api.FromWords{}, err
		}
		if who != "" {
			q.Filter.When.Author, q.Filter.When.Named = p.Name, true
			read.Author, read.Others, read.Words = who, others, append(read.Words, p.Phrase)
			isBetween := func(r rune) bool { return strings.ContainsRune(" .-_@", r) }
			without = slices.Concat(without, u.done, period.Words(p.Phrase), strings.FieldsFunc(p.Name, isBetween))
			break
		}
	}
	left := q.Parsed.Without(without)
	other := slices.ContainsFunc(q.Parsed.Parts, func(stem string) bool { return !listingWords[stem] })
	wantsTimed := func() bool {
		return slices.ContainsFunc(doc.Timed(), func(k doc.Kind) bool { return doc.Wants(q.Filter, k) })
	}
	if read.Some() && (!left || !other) && wantsTimed() {
		q.Parsed.Listing, q.Parsed.Newest = true, true
		q.Filter.Kinds = doc.Timed()
		read.Listing, read.Newest = true, true
	}
	if q.Filter.When.Set() {
		read.Counted = true
		read.Commits, err = r.Commits(ctx, snap, q.Filter.When)
	}
	return read, err
}
