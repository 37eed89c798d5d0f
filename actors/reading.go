package actors

import (
	"context"
	"slices"
	"strings"
	"time"

	"patina/fusion"
	"patina/fusion/period"
	"patina/oracles"
	"patina/store"
	"patina/store/doc"
	"patina/store/text"
)

// FromWords is what was read from the words of a question instead of searching for them. It narrows
// commits and sessions, and never code. The zero value: nothing.
type FromWords struct {
	period.Span
	Words   []string // the phrases, as written
	Author  string   // a name of the history
	Others  int      // further authors of that name
	Commits int      // that pass, if they were counted
	Counted bool     // a time or an author narrows them
	Newest  bool     // relevant commits are ordered by their age
	Listing bool     // no word is left but those for commits: the newest are listed
}

// Some reports whether anything was read.
func (r FromWords) Some() bool { return len(r.Words) > 0 || r.Newest }

// takeOver takes over what another project has read, if none has yet.
func (r *FromWords) takeOver(other FromWords) {
	if len(r.Words) < len(other.Words) || !r.Some() {
		*r = other
	}
}

// words are a text with what is read from it beside its terms. Equal ones are understood alike.
type words struct {
	text               string
	asWritten          bool
	hasTime, hasAuthor bool // given apart from the words
	now                time.Time
}

func wordsWith(text string, asWritten bool, f doc.Filter, now time.Time) words {
	undated := len(f.Kinds) > 0 && !slices.ContainsFunc(f.Kinds, doc.Kind.Dated)
	return words{text, asWritten, undated || f.When.Span.Set(), undated || f.When.Author != "", now.Truncate(time.Minute)}
}

func wordsOfRequest(r Request) words { return wordsWith(r.Text, r.AsWritten, r.Filter, r.Now) }

func wordsOfAsk(m *Ask) words { return wordsWith(m.Text, m.AsWritten, m.Filter, m.Now) }

// readWords reads the time, the people and the wish for news from a question, and takes their words
// out of its terms.
func (q *understood) readWords(asks string) {
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

// timeWords are the words not to be searched for where a time was read: its own, and those saying
// that something was done.
func (q *understood) timeWords() []string {
	if !q.time.Set() {
		return nil
	}
	return slices.Concat(q.done, period.Words(q.time.Phrase))
}

// listingWords say that commits are wanted, and not about what.
var listingWords = func() map[string]bool {
	m := map[string]bool{}
	for w := range strings.FieldsSeq(`commit commits committed change changes changed happened done made wrote written show
		list history log all new recent recently lately latest newest last`) {
		m[text.Stem(w)] = true
	}
	return m
}()

// readPeople completes the reading of a question by what the history knows: it narrows the filter
// by the time, and by the first author that the question names. A project without commits has
// neither.
func (f *fanout) readPeople(ctx context.Context, r *store.Reader, q *oracles.Question) (FromWords, error) {
	u := f.texts.understand(wordsOfAsk(f.ask))
	if r.Generation().Commits == 0 || u.asked.asWritten || u.parsed.Long {
		return FromWords{}, nil
	}
	snap, err := r.Snapshot(ctx)
	if err != nil {
		return FromWords{}, err
	}
	read := FromWords{Newest: q.Parsed.Newest}
	without := slices.Concat(u.news, u.timeWords())
	if u.time.Set() {
		q.Filter.When.Span, read.Span = u.time.Span, u.time.Span
		read.Words = append(read.Words, u.time.Phrase)
	}
	for _, p := range u.people {
		who, others, err := r.AuthorNamed(ctx, snap, p.Name)
		if err != nil {
			return FromWords{}, err
		}
		if who != "" {
			q.Filter.When.Author, q.Filter.When.Named = p.Name, true
			read.Author, read.Others, read.Words = who, others, append(read.Words, p.Phrase)
			without = slices.Concat(without, u.done, period.Words(p.Phrase), strings.FieldsFunc(p.Name, func(r rune) bool { return strings.ContainsRune(" .-_@", r) }))
			break
		}
	}
	left := q.Parsed.Without(without)
	other := slices.ContainsFunc(q.Parsed.Parts, func(stem string) bool { return !listingWords[stem] })
	if read.Some() && (!left || !other) && slices.ContainsFunc(doc.Timed(), func(k doc.Kind) bool { return doc.Wants(q.Filter, k) }) {
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
