package evalcmd

import (
	"cmp"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"patina/registry/querylog"
	"patina/store/doc"
)

// A session is all that one agent was sent, or the command line in one day.
type session struct {
	Session string    `json:"session"`
	Client  string    `json:"client,omitempty"`
	Began   time.Time `json:"began"`
	Ended   time.Time `json:"ended"`
	List    int       `json:"list"` // tokens of tools and instructions
	Answers struct {
		Calls   int `json:"calls"`
		Tokens  int `json:"tokens"`
		Unknown int `json:"unknown"` // calls without a size
	} `json:"answers"`
	First reading `json:"first_files"` // the first of each answer
	Files reading `json:"all_files"`
	Calls []call  `json:"calls,omitempty"`

	calls []call
}

// A reading is the cost of reading files whole, once each.
type reading struct {
	Files  int `json:"files"`
	Tokens int `json:"tokens"`
	Gone   int `json:"gone"` // files that are no longer there
}

// A call is one answer.
type call struct {
	Time    time.Time `json:"time"`
	Tool    string    `json:"tool"`
	Mode    string    `json:"mode,omitempty"`
	Asked   string    `json:"asked,omitempty"`
	Tokens  int       `json:"tokens"`
	Unknown bool      `json:"unknown,omitempty"`
	Failed  bool      `json:"failed,omitempty"`
	First   reading   `json:"first_file"`
	Files   reading   `json:"all_files"`

	named []string // absolute paths of the files, in the order of the answer
}

// spending reads the sessions and their costs from the log, the newest first.
func spending(log querylog.Log, since time.Time) ([]*session, error) {
	queries := map[string]querylog.Query{}
	var sent []querylog.Delivery
	err := log.Each(since,
		func(q querylog.Query) { queries[q.ID] = q },
		func(d querylog.Delivery) { sent = append(sent, d) })
	if err != nil {
		return nil, err
	}
	sessions, sizes := map[string]*session{}, sizes{}
	for _, d := range sent {
		q := queries[d.Query]
		delete(queries, d.Query)
		sizes.add(sessions, d, q, false)
	}
	for _, id := range slices.Sorted(maps.Keys(queries)) { // logged by an older version
		q := queries[id]
		sizes.add(sessions, querylog.Delivery{Time: q.Time, Tool: "scry", Mode: "find", Root: q.Root}, q, true)
	}
	all := slices.AppendSeq([]*session{}, maps.Values(sessions))
	slices.SortFunc(all, func(a, b *session) int {
		return cmp.Or(b.Ended.Compare(a.Ended), cmp.Compare(a.Session, b.Session))
	})
	for _, s := range all {
		s.sum(sizes)
	}
	return all, nil
}

// add adds one call to its session.
func (s sizes) add(sessions map[string]*session, d querylog.Delivery, q querylog.Query, unknown bool) {
	name := cmp.Or(d.Session, "command line, "+d.Time.Local().Format(time.DateOnly))
	in := sessions[name]
	if in == nil {
		in = &session{Session: name, Client: d.Client, Began: d.Time}
		sessions[name] = in
	}
	in.List = max(in.List, tokensOf(int64(d.Listed)))
	c := call{
		Time: d.Time, Tool: d.Tool, Mode: d.Mode, Asked: cmp.Or(q.Text, d.DocID),
		Tokens: tokensOf(int64(d.Bytes)), Unknown: unknown, Failed: d.Failed,
	}
	for _, r := range q.Results {
		c.named = s.naming(c.named, d.Root, r.DocID)
	}
	if d.DocID != "" {
		c.named = s.naming(c.named, d.Root, d.DocID)
	}
	c.First, c.Files = s.reading(c.named[:min(len(c.named), 1)]), s.reading(c.named)
	in.calls = append(in.calls, c)
}

// sum adds up the calls of a session.
func (s *session) sum(known sizes) {
	slices.SortStableFunc(s.calls, func(a, b call) int { return a.Time.Compare(b.Time) })
	s.Began, s.Ended = s.calls[0].Time, s.calls[len(s.calls)-1].Time
	var first, files []string
	for _, c := range s.calls {
		s.Answers.Calls++
		s.Answers.Tokens += c.Tokens
		if c.Unknown {
			s.Answers.Unknown++
		}
		first, files = append(first, c.named[:min(len(c.named), 1)]...), append(files, c.named...)
	}
	s.First, s.Files = known.reading(first), known.reading(files)
}

// tokensOf returns the tokens of a text, counted as everywhere in patina.
func tokensOf(bytes int64) int { return int((bytes + 3) / 4) }

// sizes holds the bytes of files by path, and -1 for a missing file.
type sizes map[string]int64

// reading returns the cost of reading files whole, once each.
func (s sizes) reading(files []string) (r reading) {
	seen := map[string]bool{}
	for _, f := range files {
		switch n := s[f]; {
		case seen[f]:
		case n < 0:
			r.Gone++
		default:
			r.Files++
			r.Tokens += tokensOf(n)
		}
		seen[f] = true
	}
	return r
}

var placeEnd = regexp.MustCompile(`:[0-9]+(-[0-9]+)?$`)

// naming adds the file of a document, unless the document has no file or the file is already there.
func (s sizes) naming(files []string, root, docID string) []string {
	of := doc.KindOf(docID).Traits()
	if of.Separator == "" || of.Named != "" { // its id has no path
		return files
	}
	path, _, _ := strings.Cut(strings.TrimPrefix(docID, of.Prefix), of.Separator)
	path = placeEnd.ReplaceAllString(path, "")
	if !filepath.IsLocal(path) || root == "" {
		return files
	}
	file := filepath.Join(root, path)
	if slices.Contains(files, file) {
		return files
	}
	if _, known := s[file]; !known {
		s[file] = -1
		if info, err := os.Lstat(file); err == nil && info.Mode().IsRegular() {
			s[file] = info.Size()
		}
	}
	return append(files, file)
}

// sessionNamed returns the session whose name begins with name, or nil. "last" is the newest.
func sessionNamed(all []*session, name string) *session {
	for _, s := range all {
		if name == "last" || strings.HasPrefix(s.Session, name) {
			return s
		}
	}
	return nil
}
