package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"

	sqlite3 "github.com/mattn/go-sqlite3"
)

// Copy writes the rows of a database into another file, which must be empty. Both have the schema
// s; the caller must have checked that of the first. Free pages and deleted rows are not in the
// copy, and equal rows give equal bytes. A table in selects gets the rows of that query instead, in
// which the first database is named source.
func Copy(ctx context.Context, from, into string, s *Schema, selects map[string]string) (err error) {
	db := Open(into, Fresh())
	defer func() { err = errors.Join(err, db.Close()) }()
	conn, err := db.Conn(ctx)
	if err != nil {
		return Explain(err)
	}
	defer func() { _ = conn.Close() }()
	if _, err := conn.ExecContext(ctx, s.Statements); err != nil {
		return Explain(err)
	}
	// The guard forbids attached databases to everybody else.
	err = conn.Raw(func(c any) error {
		own, ok := c.(*connection)
		if !ok {
			return fmt.Errorf("copy %s: a connection of another driver", from)
		}
		own.SetLimit(sqlite3.SQLITE_LIMIT_ATTACHED, 1)
		return nil
	})
	if err != nil {
		return err
	}
	name := url.URL{Scheme: "file", Opaque: (&url.URL{Path: from}).EscapedPath(), RawQuery: "mode=rw"}
	for _, statement := range []string{`ATTACH '` + name.String() + `' AS source`, `BEGIN`} {
		if _, err := conn.ExecContext(ctx, statement); err != nil {
			return Explain(err)
		}
	}
	tables, err := listTables(ctx, conn)
	for _, t := range tables {
		into, query := "", selects[t.name]
		switch {
		case query != "":
		case t.virtual: // its own tables take no writes
			into, query = "(rowid, "+t.columns+")", "SELECT rowid, "+t.columns+` FROM source."`+t.name+`" ORDER BY rowid`
		default:
			query = `SELECT * FROM source."` + t.name + `"`
		}
		if err == nil {
			_, err = conn.ExecContext(ctx, `INSERT INTO main."`+t.name+`"`+into+" "+query)
		}
	}
	if err == nil { // numbers that were given stay given
		_, err = conn.ExecContext(ctx, `UPDATE main.sqlite_sequence AS m SET seq =
			(SELECT seq FROM source.sqlite_sequence s WHERE s.name = m.name); COMMIT`)
	}
	return Explain(err)
}

// A table is one that takes rows.
type table struct {
	name, columns string
	virtual       bool
}

// listTables returns the tables of a database, in the order of its schema, without those that
// virtual tables keep for themselves.
func listTables(ctx context.Context, conn *sql.Conn) (all []table, err error) {
	const query = `SELECT s.name, l.type = 'virtual', (SELECT group_concat('"' || name || '"', ', ') FROM pragma_table_info(s.name))
		FROM main.sqlite_schema s JOIN pragma_table_list l ON l.schema = 'main' AND l.name = s.name
		WHERE l.type IN ('table', 'virtual') AND s.name NOT LIKE 'sqlite\_%' ESCAPE '\' ORDER BY s.rowid`
	rows, err := conn.QueryContext(ctx, query)
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var t table
		if err := rows.Scan(&t.name, &t.virtual, &t.columns); err != nil {
			return nil, err
		}
		all = append(all, t)
	}
	return all, rows.Err()
}
