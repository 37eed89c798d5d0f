package belief

import (
	"cmp"
	_ "embed"
	"strings"

	"patina/store/text"
)

// Tables are the SQL statements that create the tables of beliefs and sessions.
//
//go:embed belief.sql
var Tables string

// A Session is the header of a session's file.
type Session struct {
	ID      string // the file's base name
	Title   string
	Started string // as written
	Branch  string
	Head    string // the first commit, as written
}

// The marks before symbols and commits in citations. Paths and ids have no mark.
const (
	SymbolMark = "::"
	CommitMark = "commit-"
)

// Rows are the rows of one file. Belief and Session may be nil.
type Rows struct {
	Belief  *Belief
	Session *Session
	Cited   []string
}

// An Exec runs one statement.
type Exec func(query string, values ...any) error

// Insert writes a file's rows under its key.
func Insert(exec Exec, key int64, r *Rows) error {
	for _, name := range r.Cited {
		if err := exec(`INSERT OR IGNORE INTO citation(target, file) VALUES(?, ?)`, name, key); err != nil {
			return err
		}
	}
	if s := r.Session; s != nil {
		err := exec(`INSERT INTO session(key, id, title, started, branch, head) VALUES(?, ?, ?, ?, ?, ?)`, key, s.ID,
			s.Title, s.Started, s.Branch, s.Head)
		if err != nil {
			return err
		}
	}
	if r.Belief == nil {
		return nil
	}
	return r.Belief.insertInto(exec, key)
}

func (b *Belief) insertInto(exec Exec, key int64) error {
	facets := strings.Join(b.Facets, " ")
	var endorsed any
	if b.Endorsed != nil {
		endorsed = *b.Endorsed
	}
	err := exec(`INSERT INTO belief(key, id, number, statement, status, entrenchment, endorsed, facets, extracted, revised, revisions, source, line, last)
		VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		key, b.ID, b.Number, b.Statement, b.Status, b.Entrenchment, endorsed, facets, b.Extracted, b.Revised,
		b.Revisions, string(b.Source), b.Line, b.End)
	if err != nil {
		return err
	}
	err = exec(`INSERT INTO belief_fts(rowid, id, statement, facets, content) VALUES(?, ?, ?, ?, ?)`,
		key, b.ID, b.Statement, facets, searchText(b.Text))
	if err != nil {
		return err
	}
	if err := b.insertEdges(exec, key); err != nil {
		return err
	}
	ordinal := 0
	links := func(section string, of []Link) error {
		for _, l := range of {
			err := exec(`INSERT INTO belief_evidence(belief, ordinal, section, target, weight, line)
				VALUES(?, ?, ?, ?, ?, ?)`,
				key, ordinal, section, l.Target, l.Weight, l.Line)
			if err != nil {
				return err
			}
			ordinal++
		}
		return nil
	}
	return cmp.Or(links("evidence", b.Evidence), links("applied", b.Applied))
}

func (b *Belief) insertEdges(exec Exec, key int64) error {
	ordinal := 0
	edges := func(relation string, of []Edge) error {
		for _, e := range of {
			err := exec(`INSERT INTO belief_edge(belief, ordinal, relation, target, status, reason, scope, confidence, line) VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?)`,
				key, ordinal, relation, e.Target, e.Status, e.Reason, e.Scope, e.Confidence, e.Line)
			if err != nil {
				return err
			}
			ordinal++
		}
		return nil
	}
	return cmp.Or(edges("supports", b.Supports), edges("attacks", b.Attacks), edges("attacked-by", b.AttackedBy))
}

// searchText returns a text followed by the parts of its camel-case names, so that "query engine"
// finds QueryEngine.
func searchText(s string) string {
	var b strings.Builder
	b.WriteString(s)
	text.Runs(s, func(run string) {
		var parts []string
		text.Parts(run, func(part string) { parts = append(parts, part) })
		if len(parts) > 1 {
			b.WriteByte(' ')
			b.WriteString(strings.Join(parts, " "))
		}
	})
	return b.String()
}

// Erase deletes a file's rows.
func Erase(exec Exec, key int64) error {
	for _, query := range []string{
		`DELETE FROM belief WHERE key = ?`, `DELETE FROM belief_fts WHERE rowid = ?`,
		`DELETE FROM belief_edge WHERE belief = ?`,
		`DELETE FROM belief_evidence WHERE belief = ?`, `DELETE FROM session WHERE key = ?`,
		`DELETE FROM citation WHERE file = ?`,
	} {
		if err := exec(query, key); err != nil {
			return err
		}
	}
	return nil
}
