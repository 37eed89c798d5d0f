package actors

import (
	"context"
	"time"

	"patina/oracles"
	"patina/store"
	"patina/store/lookup"
)

// A Service answers for projects. An Engine does in this process; as requests and answers are plain
// data, the far end of a socket can do it as well. What goes wrong with a look-up is a *Failure,
// which is plain data too.
type Service interface {
	// Scry ranks documents for a question.
	Scry(context.Context, Request) (*Answer, error)
	// Why explains the place of one document in a ranking.
	Why(context.Context, WhyRequest) (*Explanation, error)
	// Closest explains a meaning: which words of a document lie nearest to those of a question.
	Closest(context.Context, ClosestRequest) (*ClosestAnswer, error)
	// Resolve finds the document that a name stands for.
	Resolve(context.Context, ResolveRequest) (*ResolveAnswer, error)
	// Detail returns a document whole.
	Detail(context.Context, DetailRequest) (*DetailAnswer, error)
	// Links returns the commits that touched a file, and the files that change together with it.
	Links(context.Context, LinksRequest) (*LinksAnswer, error)
	// NearNames returns the symbols that a mistyped name may stand for.
	NearNames(context.Context, NearNamesRequest) (*NearNamesAnswer, error)
	// Assay answers a question about facts.
	Assay(context.Context, AssayRequest) (*AssayAnswer, error)
	// Recent returns what happened since a time.
	Recent(context.Context, RecentRequest) (*RecentAnswer, error)
	// Overview says what a folder holds.
	Overview(context.Context, OverviewRequest) (*OverviewAnswer, error)
	// Packages lists the packages of a project.
	Packages(context.Context, PackagesRequest) (*PackagesAnswer, error)
	// Symbols looks up where symbols are defined.
	Symbols(context.Context, SymbolsRequest) (*SymbolsAnswer, error)
	// Lines returns single lines of files.
	Lines(context.Context, LinesRequest) (*LinesAnswer, error)
	// Freshness says how far an index is behind its working tree.
	Freshness(context.Context, FreshnessRequest) (*FreshnessAnswer, error)
}

var _ Service = (*Engine)(nil)

// ReadOptions are a part of every request but a question: whom to ask, and how long to wait.
type ReadOptions struct {
	Project string        // name or id; may be empty if there is only one
	Timeout time.Duration // 1500 ms if 0
}

// A DetailRequest asks for a document by its doc_id. lookup.ErrNoDocument says that there is none.
type DetailRequest struct {
	ReadOptions
	DocID string
}

// A DetailAnswer is a document's description and its whole text.
type DetailAnswer struct {
	Index IndexState
	store.Description
	Body string
}

// A ResolveRequest asks which document a name stands for. lookup.ErrNoDocument says that it is
// none's.
type ResolveRequest struct {
	ReadOptions
	Names   []string // the first that fits counts
	Symbols bool     // a name without a path may be that of a symbol which one place defines
}

// A ResolveAnswer is the doc_id of the document.
type ResolveAnswer struct {
	Index IndexState
	DocID string
}

// A LinksRequest asks for what belongs to a file.
type LinksRequest struct {
	ReadOptions
	Path       string
	Commits    int // most commits wanted, newest first
	Neighbours int // most files wanted, most often changed first
}

// A LinksAnswer holds commits first, then files. A path that no commit knows has none.
type LinksAnswer struct {
	Index   IndexState
	Links   []store.Link
	Commits int // that touched the file, in all
}

// A NearNamesRequest asks what a mistyped name may stand for.
type NearNamesRequest struct {
	ReadOptions
	Name  string
	Limit int  // of each kind
	Paths bool // files and folders are wanted too
}

// A NearNamesAnswer holds what is spelled much like the name, nearest first.
type NearNamesAnswer struct {
	Index IndexState
	Names []string // of symbols
	Paths []string // of files and, with "/" behind, of folders
}

// An AssayRequest asks for facts.
type AssayRequest struct {
	ReadOptions
	lookup.AssayQuery
}

// An AssayAnswer holds them. Of the files that it names, Index counts those that changed since the
// scrape.
type AssayAnswer struct {
	Index IndexState
	lookup.Facts
}

// A RecentRequest asks for what happened since a time.
type RecentRequest struct {
	ReadOptions
	Since  time.Time
	Filter store.Filter
	Limit  int // of commits, and of files
}

// A RecentAnswer is what happened.
type RecentAnswer struct {
	Index IndexState
	lookup.Period
}

// An OverviewRequest asks what a folder holds. lookup.ErrNoDocument says that nothing indexed lies
// there.
type OverviewRequest struct {
	ReadOptions
	Folder string // relative to the root; empty for the whole project
	Filter store.Filter
}

// An OverviewAnswer says it.
type OverviewAnswer struct {
	Index IndexState
	lookup.Overview
}

// A PackagesRequest asks for the packages of a project.
type PackagesRequest struct{ ReadOptions }

// A PackagesAnswer names them, in order.
type PackagesAnswer struct {
	Index    IndexState
	Packages []string
}

// A SymbolsRequest asks where symbols are defined; of each it names path and name.
type SymbolsRequest struct {
	ReadOptions
	Symbols []lookup.Symbol
}

// A SymbolsAnswer holds them in the order of the request. Symbols that the index does not have are
// left out.
type SymbolsAnswer struct {
	Index   IndexState
	Symbols []lookup.Symbol
}

// A Line is the place of one line.
type Line struct {
	Path   string
	Number int // from 1
}

// A LinesRequest asks for lines of files as they were indexed.
type LinesRequest struct {
	ReadOptions
	Lines []Line
}

// A LinesAnswer holds a text for each of them; it is empty where there is no such line.
type LinesAnswer struct {
	Index IndexState
	Texts []string
}

// A ClosestRequest asks why the meaning of a document is near to a question.
type ClosestRequest struct {
	ReadOptions
	Question string
	DocID    string
	Limit    int // of pairs
}

// A ClosestAnswer holds the nearest pairs of words. There are none where the model is not of word
// vectors.
type ClosestAnswer struct {
	Index IndexState
	Pairs []WordPair
}

// A WordPair is a word of a question, the word of a document that lies nearest to it, and the
// cosine of the two.
type WordPair struct {
	Question string
	Passage  string
	Cosine   float64
}

// A FreshnessRequest asks how far an index is behind.
type FreshnessRequest struct{ ReadOptions }

// A FreshnessAnswer says it in its Index.
type FreshnessAnswer struct {
	Index IndexState
	Note  string // to show; may be empty
}

// Channels names the channels that an engine asks, in the order in which they are printed.
func Channels() []string {
	var names []string
	for _, o := range oracles.Default() {
		names = append(names, o.Name())
	}
	return names
}
