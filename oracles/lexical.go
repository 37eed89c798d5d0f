package oracles

import (
	"context"

	"patina/store"
	"patina/store/doc"
)

// Lexical ranks by words: code by file, commits and document sections one by one.
//
// Most of the quality on code comes from it, and it needs only the index. It scores every chunk by
// BM25F over four fields, and a file by the p-norm of its chunks. So a file with many relevant
// places comes before one with a single place.
type Lexical struct{}

// Name implements Oracle.
func (Lexical) Name() string { return "lexical" }

// Open implements Oracle. It never fails: everything it needs is in the index.
func (l Lexical) Open(Project) (Channel, error) { return l, nil }

// Close implements Channel.
func (Lexical) Close() error { return nil }

// Query implements Channel.
func (Lexical) Query(ctx context.Context, r *store.Reader, q Question) ([]List, error) {
	ranked, err := BM25(ctx, r, q.Parsed, q.Filter, q.Limit)
	if err != nil {
		return nil, err
	}
	detail, err := Translations(ctx, r, q.Parsed)
	if err != nil {
		return nil, err
	}
	var lists []List
	for _, k := range doc.Kinds() {
		if hits, ok := ranked[k]; ok && k.Traits().Channel == "" {
			lists = append(lists, List{
				Channel: "lexical", Kind: k, Generation: r.Generation().Number, Hits: hits, Detail: detail,
			})
		}
	}
	return lists, nil
}
