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

// A Service answers for projects. An Engine does in this process. Requests and answers are plain
// data, so the far end of a socket can do it as well. The error of a look-up is a *Failure, which
// is plain data too.
type Service interface {
	// Scry ranks documents for a question.
	Scry(context.Context, Request) (*Answer, error)
	// Why explains the place of one document in a ranking.
	Why(context.Context, WhyRequest) (*Explanation, error)
	// Closest explains a meaning: the words of a document nearest to those of a question.
	Closest(context.Context, ClosestRequest) (*ClosestAnswer, error)
	// Resolve finds the document meant by a name.
	Resolve(context.Context, ResolveRequest) (*ResolveAnswer, error)
	// Detail returns a document whole.
	Detail(context.Context, DetailRequest) (*DetailAnswer, error)
	// Links returns the commits that touched a file, and the files changed together with it.
	Links(context.Context, LinksRequest) (*LinksAnswer, error)
	// NearNames returns the symbols a mistyped name may mean.
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
	// Verify runs the checks that beliefs bring along.
	Verify(context.Context, VerifyRequest) (*VerifyAnswer, error)
	// Beliefs returns beliefs with what speaks for them.
	Beliefs(context.Context, BeliefsRequest) (*BeliefsAnswer, error)
	// Proposals returns sentences that may be beliefs.
	Proposals(context.Context, ProposalsRequest) (*ProposalsAnswer, error)
	// Audit returns what is wrong with the beliefs.
	Audit(context.Context, AuditRequest) (*AuditAnswer, error)
	// Reach returns which code beliefs are about.
	Reach(context.Context, ReachRequest) (*ReachAnswer, error)
	// Standing accounts for how well a belief holds up.
	Standing(context.Context, StandingRequest) (*StandingAnswer, error)
	// Tree returns what an index knows of its working tree.
	Tree(context.Context, TreeRequest) (*TreeAnswer, error)
	// Freshness says how far an index is behind its working tree.
	Freshness(context.Context, FreshnessRequest) (*FreshnessAnswer, error)
}

// DefaultTimeout is the time to wait of a request without one.
const DefaultTimeout = 10 * time.Second

// ReadOptions are a part of every request but a question: the project to ask, and the time to wait.
type ReadOptions struct {
	Project string        // name or id; may be empty if there is only one
	Timeout time.Duration // 10 s if 0
}

// A DetailRequest asks for a document by its doc_id. It fails with lookup.ErrNoDocument if there is
// none.
type DetailRequest struct {
	ReadOptions
	DocID string
	Line  int  // of a file: only the part around this line; 0: all of it
	Diff  bool // of a commit: what it changed, too
}

// A DetailAnswer is a document's description and its whole text.
type DetailAnswer struct {
	Index IndexState
	doc.Description
	Body string
	Diff string // of a commit, where it was asked for
	Note string // why there is no Diff, or not all of it
}

// A ResolveRequest asks for the document meant by a name. It fails with lookup.ErrNoDocument if
// there is none.
type ResolveRequest struct {
	ReadOptions
	Names   []string // the first that fits counts
	Symbols bool     // a name without a path may mean a symbol with one definition
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
	Symbol     string // reasons are wanted for this one in the file; empty for all of it
	Follow     bool   // commits that changed the symbol's lines, not the file
	Reasons    int    // most sentences wanted that say why
	Commits    int    // most commits wanted, newest first
	Neighbours int    // most files wanted, most often changed first
}

// A LinksAnswer holds commits first, then files. A path without commits has none.
type LinksAnswer struct {
	Index   IndexState
	Reasons []describe.Reason
	Links   []doc.Link
	Commits int    // how many touched the file, or the symbol
	Symbol  bool   // the commits are the symbol's
	Note    string // why they are the file's, or not all; empty: they are as asked
}

// A FollowedSymbol is a symbol of a file, as indexed.
type FollowedSymbol struct {
	Path, Name  string
	First, Last int    // its lines in Text, from 1
	Text        string // the whole file
}

// A NearNamesRequest asks for the names a mistyped one may mean.
type NearNamesRequest struct {
	ReadOptions
	Name  string
	Limit int  // for each kind
	Paths bool // files and folders are wanted too
}

// A NearNamesAnswer holds names spelled much like it, nearest first.
type NearNamesAnswer struct {
	Index IndexState
	Names []string // symbols
	Paths []string // files and, with "/" behind, folders
}

// An AssayRequest asks for facts.
type AssayRequest struct {
	ReadOptions
	assay.Query
}

// An AssayAnswer holds facts. Its Index counts the named files that changed since the scrape.
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

// A RecentAnswer holds the changes since the time asked for.
type RecentAnswer struct {
	Index IndexState
	history.Period
}

// An OverviewRequest asks for the contents of a folder. It fails with lookup.ErrNoDocument if
// nothing indexed lies there.
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

// A BriefRequest asks for what a newcomer to a project needs first. Pieces on the topic come first.
type BriefRequest struct {
	ReadOptions
	Topic string // empty for none
	Now   time.Time
	Skip  []string // keys of sentences that nobody wants as beliefs (mine.SentenceKey)
}

// A BriefAnswer holds the introduction to a project.
type BriefAnswer struct {
	Index IndexState
	brief.Brief
	Sentences int // that may be beliefs, MaxProposals at most; not counted where there are beliefs
}

// A PackagesRequest asks for the packages of a project.
type PackagesRequest struct{ ReadOptions }

// A PackagesAnswer names the packages, in order.
type PackagesAnswer struct {
	Index    IndexState
	Packages []string
}

// A SymbolsRequest asks where symbols are defined. Each is named by path and name.
type SymbolsRequest struct {
	ReadOptions
	Symbols []lookup.Symbol
}

// A SymbolsAnswer holds definitions in the order of the request, without symbols missing from the
// index.
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

// A LinesAnswer holds a text for each line asked for, empty where there is no such line.
type LinesAnswer struct {
	Index IndexState
	Texts []string
}

// A ClosestRequest asks why a document's meaning is near to a question.
type ClosestRequest struct {
	ReadOptions
	Question string
	DocID    string
	Limit    int // word pairs wanted
}

// A ClosestAnswer holds the nearest pairs of words. It has none if the model has no word vectors.
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

// A FreshnessRequest asks how far an index is behind.
type FreshnessRequest struct{ ReadOptions }

// A FreshnessAnswer holds the distance in its Index.
type FreshnessAnswer struct {
	Index IndexState
	Note  string // to show; may be empty
}

// Channels names the engine's channels, in the order in which they are printed.
func Channels() []string {
	var names []string
	for _, o := range append(oracles.Default(), oracles.AtHome("", "", "")...) {
		names = append(names, o.Name())
	}
	return names
}

// A TreeRequest asks for the files of an index, as they lay in the tree when they were read.
type TreeRequest struct {
	ReadOptions
	Limit int // most files wanted
}

// A TreeAnswer holds these files.
type TreeAnswer struct {
	Index IndexState
	lookup.Tree
}

// A VerifyRequest asks to run the checks of beliefs: of those named, or of all. Its Timeout bounds
// all checks together. Nine tenths of it are for the checks, so that an answer comes in any case.
type VerifyRequest struct {
	ReadOptions
	IDs []string
}

// A VerifyAnswer holds the outcomes, by belief.
type VerifyAnswer struct {
	Index   IndexState
	Beliefs []verify.Verified
	Missing []string // ids without a belief
}

// A StandingRequest asks how well a belief holds up against the others. It fails with
// lookup.ErrNoDocument if there is none.
type StandingRequest struct {
	ReadOptions
	ID string
}

// A StandingAnswer is a belief with the account of its standing.
type StandingAnswer struct {
	Index  IndexState
	Belief belief.Belief
	standing.Explanation
	Settled bool // the iteration came to rest
}

// A ReachRequest asks which code beliefs are about: those named, or all. It fails with
// lookup.ErrNoDocument if there is no such belief.
type ReachRequest struct {
	ReadOptions
	IDs  []string
	Path string // only this file; empty: all
}

// A ReachAnswer holds the files by belief, best first. Beliefs without any are left out.
type ReachAnswer struct {
	Index   IndexState
	Beliefs []verify.BeliefReach
}

// A BeliefsRequest asks for the beliefs with these ids, or for all. It fails with
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

// An AuditRequest asks what is wrong with the beliefs of a project.
type AuditRequest struct{ ReadOptions }

// An AuditAnswer holds the findings, the gravest first.
type AuditAnswer struct {
	Index    IndexState
	Findings []audit.Finding
	Beliefs  int // that were examined
}

// MaxProposals is how many sentences are proposed as beliefs: more are not read.
const MaxProposals = 20

// A ProposalsRequest asks for sentences of commits and comments that may be beliefs. With a Source
// it asks for the one that stands there, and fails with lookup.ErrNoDocument if none does.
type ProposalsRequest struct {
	ReadOptions
	Limit  int
	Skip   []string // keys of sentences that nobody wants (mine.SentenceKey)
	Source string   // "commit:<sha>", "commit:<sha>#2" or "path:line"
}

// A ProposalsAnswer holds the proposals, best first. Sentences that a belief quotes are left out.
type ProposalsAnswer struct {
	Index     IndexState
	Proposals []mine.Proposal
}

// A MatchesRequest asks for the lines of files with a literal, or that match a regular expression.
// It gives one of the two.
type MatchesRequest struct {
	ReadOptions
	Literal string
	Regex   string // in the syntax of Go's regexp, for single lines
	Filter  doc.Filter
	Limit   int // lines wanted; all are counted
}

// A MatchesAnswer holds the lines found. It is partial if the time was over before all files were
// read.
type MatchesAnswer struct {
	Index IndexState
	lookup.TextMatches
}
