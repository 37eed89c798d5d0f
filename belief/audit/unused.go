package audit

import (
	"context"
	"errors"
	"strings"

	"patina/belief/knowledge"
	"patina/code/lookup"
	"patina/store"
)

const (
	// maxIdle bounds the unnamed beliefs for which related code is looked up.
	maxIdle = 1000
	// maxRead bounds the bytes of files that are searched for the names of beliefs.
	maxRead = 256 << 20
)

// unusedOf returns findings for the beliefs in idle that nothing names and that are about no code.
func unusedOf(ctx context.Context, r *store.Reader, idle []*Entry, by map[string]*Entry) (found []Finding, err error) {
	alone := map[string]*Entry{} // by id in lower case
	for _, e := range idle {
		alone[strings.ToLower(e.ID)] = e
	}
	for _, e := range by {
		for _, t := range e.Edges { // links need no brackets
			if to := strings.ToLower(t.Name); to != strings.ToLower(e.ID) {
				delete(alone, to)
			}
		}
	}
	if len(alone) == 0 {
		return nil, nil
	}
	if err := dropMentioned(ctx, r, alone); err != nil {
		return nil, err
	}
	finder, err := knowledge.NewReachFinder(ctx, r)
	if err != nil {
		return nil, err
	}
	looked := 0
	for _, e := range idle {
		if alone[strings.ToLower(e.ID)] != e || looked == maxIdle {
			continue
		}
		looked++
		text, err := r.Text(ctx, e.Key)
		if err != nil {
			return nil, store.Damaged(err)
		}
		about, err := finder.Reach(ctx, knowledge.BeliefText{ID: e.ID, Statement: e.Statement, Text: text})
		if err != nil {
			return nil, err
		}
		if len(about) == 0 {
			found = append(found,
				e.finding(Unused, 0, "no belief, session or file names it, and it is about no known file",
					"cite the code that it is about, or archive it"))
		}
	}
	return found, nil
}

// errEnough ends the reading of files.
var errEnough = errors.New("enough was read")

// dropMentioned removes the beliefs that another file names.
func dropMentioned(ctx context.Context, r *store.Reader, alone map[string]*Entry) error {
	read := 0
	err := lookup.Texts(ctx, r, func(t lookup.Text) error {
		eachMention(t.Body, func(id string) {
			if e, ok := alone[strings.ToLower(id)]; ok && e.Path != t.Path {
				delete(alone, strings.ToLower(id))
			}
		})
		if read += len(t.Body); read > maxRead || len(alone) == 0 {
			return errEnough
		}
		return nil
	})
	if errors.Is(err, errEnough) {
		return nil
	}
	return err
}

// eachMention calls f with each word that may name a belief: a word with "-" in it, in brackets,
// after a back-tick or after a prefix.
func eachMention(body string, f func(id string)) {
	for i := 0; i < len(body); {
		if !inID(body[i]) {
			i++
			continue
		}
		end := i
		for end < len(body) && inID(body[end]) {
			end++
		}
		word := strings.Trim(body[i:end], "-_.")
		before := body[max(0, i-2):i]
		if strings.ContainsRune(word, '-') || before == "[[" || strings.HasSuffix(before, "`") ||
			strings.HasSuffix(before, ":") {
			f(word)
		}
		i = end
	}
}

// inID reports whether a byte is part of an id.
func inID(c byte) bool {
	return c == '-' || c == '_' || c == '.' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' ||
		c >= 0x80
}
