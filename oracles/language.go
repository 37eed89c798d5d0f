package oracles

import (
	"context"
	"slices"

	"patina/code/lang"
	"patina/store"
	"patina/store/text"
)

// ownLanguage is the share of the files of code from which their language is the project's own.
const ownLanguage = 0.9

// WithoutLanguage removes the name of the project's own language from the terms of a short
// question, as in "python read a file backwards". It says nothing there, but few texts have it, so
// it would count more than the other words. Only the first word, the last one and one after "in"
// are removed, because elsewhere the language itself may be meant ("which python starts the
// worker"). It removes nothing if no other term is left.
func WithoutLanguage(ctx context.Context, r *store.Reader, q *text.Question) error {
	if q.Long {
		return nil
	}
	var asides []string
	for i, w := range q.Words {
		if i > 0 && i < len(q.Words)-1 && q.Words[i-1] != "in" || slices.Contains(asides, w) {
			continue
		}
		if l, ok := lang.Find(w); ok && l.Code {
			asides = append(asides, w)
		}
	}
	if len(asides) == 0 {
		return nil
	}
	own, err := languageOf(ctx, r)
	if err != nil || own == "" {
		return err
	}
	asides = slices.DeleteFunc(asides, func(w string) bool {
		l, _ := lang.Find(w)
		return l.Name != own
	})
	q.Without(asides)
	return nil
}

// languageOf returns the language of nearly all code in the reader's view, or "" if there is none.
func languageOf(ctx context.Context, r *store.Reader) (string, error) {
	snap, err := r.Snapshot(ctx)
	if err != nil {
		return "", err
	}
	files, err := r.Files(ctx, snap)
	if err != nil {
		return "", err
	}
	in, all := map[string]int{}, 0
	for i := range files {
		if name := files[i].Language; lang.Named(name).Code {
			in[name]++
			all++
		}
	}
	for name, n := range in {
		if float64(n) >= ownLanguage*float64(all) {
			return name, nil
		}
	}
	return "", nil
}
