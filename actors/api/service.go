package api

import (
	"context"
	"time"

	"patina/belief"
	"patina/belief/audit"
	"patina/belief/mine"
	"patina/belief/standing"
	"patina/belief/verify"
	"patina/code/assay"
	"patina/code/brief"
	"patina/code/describe"
	"patina/code/history"
	"patina/code/lookup"
	"patina/oracles"
	"patina/store/doc"
)

// A Glimpser is a Service that shows an answer as it grows.
type Glimpser interface {
	// Glimpse is Scry. It calls show in the caller's goroutine with the answer of the asker's own
	// project, if other projects or slow channels of it take longer.
	Glimpse(ctx context.Context, r Request, show func(*Glimpse)) (*Answer, error)
}

// A Service answers for projects. An Engine does so in this process. Requests and answers are plain
// data, so that the far end of a socket can do it as well. The error of a look-up is a *Failure.
type Service interface {
	// Scry ranks documents for a question.
	Scry(context.Context, Request) (*Answer, error)
	// Why explains the rank of one document.
	Why(context.Context, WhyRequest) (*Explanation, error)
	// Closest returns the words of a document nearest to the words of a question.
	Closest(context.Context, ClosestRequest) (*ClosestAnswer, error)
	// Resolve returns the document that a name means.
	Resolve(context.Context, ResolveRequest) (*ResolveAnswer, error)
	// Detail returns a whole document.
	Detail(context.Context, DetailRequest) (*DetailAnswer, error)
	// Links returns the commits that touched a file, and the files that change together with it.
	Links(context.Context, LinksRequest) (*LinksAnswer, error)
	// NearNames returns the symbols that a mistyped name may mean.
	NearNames(context.Context, NearNamesRequest) (*NearNamesAnswer, error)
	// Assay answers a question about facts.
	Assay(context.Context, AssayRequest) (*AssayAnswer, error)
	// Recent returns the changes since a time.
	Recent(context.Context, RecentRequest) (*RecentAnswer, error)
	// Overview summarizes a folder.
	Overview(context.Context, OverviewRequest) (*OverviewAnswer, error)
	// Brief introduces a project in its own words.
	Brief(context.Context, BriefRequest) (*BriefAnswer, error)
	// Packages lists the packages of a project.
	Packages(context.Context, PackagesRequest) (*PackagesAnswer, error)
	// Symbols looks up where symbols are defined.
	Symbols(context.Context, SymbolsRequest) (*SymbolsAnswer, error)
	// Lines returns single lines of files.
	Lines(context.Context, LinesRequest) (*LinesAnswer, error)
	// Matches finds lines of files by their text.
	Matches(context.Context, MatchesRequest) (*MatchesAnswer, error)
	// Verify runs the checks in beliefs.
	Verify(context.Context, VerifyRequest) (*VerifyAnswer, error)
	// Beliefs returns beliefs with their standing.
	Beliefs(context.Context, BeliefsRequest) (*BeliefsAnswer, error)
	// Proposals returns sentences that may be beliefs.
	Proposals(context.Context, ProposalsRequest) (*ProposalsAnswer, error)
	// Audit returns problems with the beliefs.
	Audit(context.Context, AuditRequest) (*AuditAnswer, error)
	// Reach returns the code that beliefs are about.
	Reach(context.Context, ReachRequest) (*ReachAnswer, error)
	// Standing explains the standing of a belief.
	Standing(context.Context, StandingRequest) (*StandingAnswer, error)
	// Impact returns what a change of files may reach.
	Impact(context.Context, ImpactRequest) (*ImpactAnswer, error)
	// Tree returns the state of the working tree in an index.
	Tree(context.Context, TreeRequest) (*TreeAnswer, error)
	// Freshness returns how far an index is behind its working tree.
	Freshness(context.Context, FreshnessRequest) (*FreshnessAnswer, error)
}

// DefaultTimeout is the timeout of a request without one.
const DefaultTimeout = 10 * time.Second

// ReadOptions are part of every look-up: the project to ask and the time to wait.
type ReadOptions struct {
	Project string        // name or id; may be empty if there is only one
	Timeout time.Duration // 0 means DefaultTimeout; must not be negative
}

// A DetailRequest asks for a document by its doc_id. It fails with lookup.ErrNoDocument if there is
// no such document.
type DetailRequest struct {
	ReadOptions
	DocID string
	Line  int  // of a file; only the part around it is wanted; 0 means all
	Diff  bool // whether the changes of a commit are wanted too
}

// A DetailAnswer is a document's description and its whole text.
type DetailAnswer struct {
	Index IndexState
	doc.Description
	Body string
	Diff string // of a commit, if requested
	Note string // why Diff is empty or incomplete
}

// A ResolveRequest asks for the document that a name means. It fails with lookup.ErrNoDocument if
// there is no such document.
type ResolveRequest struct {
	ReadOptions
	Names   []string // the first that matches counts
	Symbols bool     // whether a name without a path may mean a symbol with one definition
}

// A ResolveAnswer is the doc_id of the document.
type ResolveAnswer struct {
	Index IndexState
	DocID string
}

// A LinksRequest asks for the commits and neighbours of a file.
type LinksRequest struct {
	ReadOptions
	Path       string
	Symbol     string // the symbol whose reasons are wanted; empty for the whole file
	Follow     bool   // whether to return commits that changed the symbol's lines
	Reasons    int    // most sentences that state a reason
	Commits    int    // most commits, newest first
	Neighbours int    // most files, most often changed first
}

// A LinksAnswer holds commits first, then files. Links is nil for a path without commits.
type LinksAnswer struct {
	Index   IndexState
	Reasons []describe.Reason
	Links   []doc.Link
	Commits int    // number of commits that touched the file, or the symbol
	Symbol  bool   // whether the commits are those of the symbol
	Note    string // why commits are those of the file, or incomplete; empty if neither
}

// A FollowedSymbol is a symbol of a file, as indexed.
type FollowedSymbol struct {
	Path, Name  string
	First, Last int    // its lines in Text, from 1
	Text        string // the whole file
}

// A NearNamesRequest asks for names that a mistyped one may mean.
type NearNamesRequest struct {
	ReadOptions
	Name  string
	Limit int  // for symbols, and for paths
	Paths bool // whether files and folders are wanted too
}

// A NearNamesAnswer holds similar names, nearest first.
type NearNamesAnswer struct {
	Index IndexState
	Names []string // symbols
	Paths []string // files, and folders, which end in "/"
}

// An AssayRequest asks for facts.
type AssayRequest struct {
	ReadOptions
	assay.Query
}

// An AssayAnswer holds facts. Its Index counts the files in them that changed since the scrape.
type AssayAnswer struct {
	Index IndexState
	assay.Facts
}

// A RecentRequest asks for the changes since a time.
type RecentRequest struct {
	ReadOptions
	Since  time.Time
	Filter doc.Filter
	Limit  int // for commits, and for files
}

// A RecentAnswer holds the changes since the requested time.
type RecentAnswer struct {
	Index IndexState
	history.Period
}

// An OverviewRequest asks for the contents of a folder. It fails with lookup.ErrNoDocument if no
// indexed file is in it.
type OverviewRequest struct {
	ReadOptions
	Folder string // relative to the root; empty for the whole project
	Filter doc.Filter
}

// An OverviewAnswer holds the summary of a folder.
type OverviewAnswer struct {
	Index IndexState
	describe.Overview
}

// A BriefRequest asks for the introduction to a project. Pieces on the topic come first.
type BriefRequest struct {
	ReadOptions
	Topic string // may be empty
	Now   time.Time
	Skip  []string // keys of dismissed sentences (mine.SentenceKey)
}

// A BriefAnswer holds the introduction to a project.
type BriefAnswer struct {
	Index IndexState
	brief.Brief
	Sentences int // possible beliefs, at most MaxProposals; 0 if there are beliefs
}

// A PackagesRequest asks for the packages of a project.
type PackagesRequest struct{ ReadOptions }

// A PackagesAnswer holds the names of the packages, sorted.
type PackagesAnswer struct {
	Index    IndexState
	Packages []string
}

// A SymbolsRequest asks where symbols are defined. Each must have a path and a name.
type SymbolsRequest struct {
	ReadOptions
	Symbols []lookup.Symbol
}

// A SymbolsAnswer holds definitions in the order of the request. Symbols that are not in the index
// are left out.
type SymbolsAnswer struct {
	Index   IndexState
	Symbols []lookup.Symbol
}

// A Line is one line of a file.
type Line struct {
	Path   string
	Number int // from 1
}

// A LinesRequest asks for lines of files as indexed.
type LinesRequest struct {
	ReadOptions
	Lines []Line
}

// A LinesAnswer holds a text for each requested line. It is empty if there is no such line.
type LinesAnswer struct {
	Index IndexState
	Texts []string
}

// A ClosestRequest asks why the meaning of a document is near to that of a question.
type ClosestRequest struct {
	ReadOptions
	Question string
	DocID    string
	Limit    int // most pairs
}

// A ClosestAnswer holds the nearest pairs of words. It is empty if the model has no word vectors.
type ClosestAnswer struct {
	Index IndexState
	Pairs []WordPair
}

// A WordPair is a question's word, the nearest word in a document, and the cosine of the two.
type WordPair struct {
	Question string
	Passage  string
	Cosine   float64
}

// A FreshnessRequest asks how far an index is behind its working tree.
type FreshnessRequest struct{ ReadOptions }

// A FreshnessAnswer has the distance in its Index.
type FreshnessAnswer struct {
	Index IndexState
	Note  string // should be shown; may be empty
}

// Channels returns the names of the engine's channels, in the order in which they are printed.
func Channels() []string {
	var names []string
	for _, o := range append(oracles.Default(), oracles.AtHome("", "", "", nil)...) {
		names = append(names, o.Name())
	}
	return names
}

// A TreeRequest asks for the files of an index, as they were in the tree when they were read.
type TreeRequest struct {
	ReadOptions
	Limit int // most files
}

// A TreeAnswer holds the files.
type TreeAnswer struct {
	Index IndexState
	lookup.Tree
}

// A VerifyRequest asks to run the checks of the named beliefs, or of all if IDs is nil. Its Timeout
// bounds all checks together. They get nine tenths of it, so that there is time to answer.
type VerifyRequest struct {
	ReadOptions
	IDs []string
}

// A VerifyAnswer holds the results, by belief.
type VerifyAnswer struct {
	Index   IndexState
	Beliefs []verify.Verified
	Missing []string // ids without a belief
}

// A StandingRequest asks how well a belief holds up against the others. It fails with
// lookup.ErrNoDocument if there is no such belief.
type StandingRequest struct {
	ReadOptions
	ID string
}

// A StandingAnswer is a belief and the explanation of its standing.
type StandingAnswer struct {
	Index  IndexState
	Belief belief.Belief
	standing.Explanation
	Settled bool // whether the iteration converged
}

// A ReachRequest asks which code the named beliefs are about, or all beliefs if IDs is nil. It
// fails with lookup.ErrNoDocument if there is no such belief.
type ReachRequest struct {
	ReadOptions
	IDs  []string
	Path string // the only file wanted; if empty, all are
}

// A ReachAnswer holds the files by belief, best first. Beliefs without files are left out.
type ReachAnswer struct {
	Index   IndexState
	Beliefs []verify.BeliefReach
}

// A BeliefsRequest asks for the named beliefs, or for all if IDs is nil. It fails with
// lookup.ErrNoDocument if there is no such belief.
type BeliefsRequest struct {
	ReadOptions
	IDs []string
}

// A BeliefsAnswer holds beliefs and decision records, by id.
type BeliefsAnswer struct {
	Index   IndexState
	Beliefs []audit.Entry
}

// An AuditRequest asks for problems with the beliefs of a project.
type AuditRequest struct{ ReadOptions }

// An AuditAnswer holds the findings, the most serious first.
type AuditAnswer struct {
	Index    IndexState
	Findings []audit.Finding
	Beliefs  int // number of examined beliefs
}

// MaxProposals bounds the sentences that are proposed as beliefs, because more are not read.
const MaxProposals = 20

// A ProposalsRequest asks for sentences of commits and comments that may be beliefs. With a Source
// it asks for the sentence at that place, and fails with lookup.ErrNoDocument if there is no such
// sentence.
type ProposalsRequest struct {
	ReadOptions
	Limit  int
	Skip   []string // keys of dismissed sentences (mine.SentenceKey)
	Source string   // "commit:<sha>", "commit:<sha>#2" or "path:line"
}

// A ProposalsAnswer holds the proposals, best first. Sentences quoted by a belief are left out.
type ProposalsAnswer struct {
	Index     IndexState
	Proposals []mine.Proposal
}

// A MatchesRequest asks for the lines of files that contain a literal or match a regular
// expression. Exactly one of the two must be set.
type MatchesRequest struct {
	ReadOptions
	Literal string
	Regex   string // in the syntax of Go's regexp, for single lines
	Filter  doc.Filter
	Limit   int // most lines to return; all are counted
}

// A MatchesAnswer holds the lines found. It is partial if the deadline passed before all files were
// read.
type MatchesAnswer struct {
	Index IndexState
	lookup.TextMatches
}
