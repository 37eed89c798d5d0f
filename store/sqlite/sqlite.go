// Package sqlite opens SQLite databases. No other package uses the driver, and this one knows the
// content of no database.
//
// It serves three kinds of files. A Fresh file is written completely before anybody sees it. A
// derived one is shared and can be made again (Update, Read, Frozen). An Authored one holds
// people's work: many processes change it at once, and its schema grows by numbered migrations
// (OpenAuthored).
//
// Every connection is guarded before SQLite reads the file; guard.go lists the threats. Explain
// wraps SQLite's errors for errors.Is.
package sqlite

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"net/url"

	sqlite3 "github.com/mattn/go-sqlite3"
)

// Open returns a connection pool for a database file. Each connection opens on first use and then
// checks the schema in the options, so Open itself never fails. The error of the first use wraps
// ErrDamaged if the schema is another one. The caller must close the pool.
func Open(path string, o Options) *sql.DB {
	name := url.URL{Scheme: "file", Opaque: (&url.URL{Path: path}).EscapedPath(), RawQuery: o.values.Encode()}
	c := connector{name: name.String()}
	g := guard{schema: o.Schema}
	c.driver.ConnectHook = func(conn *sqlite3.SQLiteConn) error {
		if err := g.admit(conn); err != nil {
			return err
		}
		_, err := conn.Exec(settings, nil)
		return err
	}
	return sql.OpenDB(&c)
}

// A connector opens connections without a registered driver name.
type connector struct {
	name   string
	driver sqlite3.SQLiteDriver
}

func (c *connector) Connect(context.Context) (driver.Conn, error) {
	conn, err := c.driver.Open(c.name)
	var e sqlite3.Error
	if errors.As(err, &e) && e.Code == sqlite3.ErrInterrupt { // only the guard interrupts here
		return nil, damage{errors.New("its schema is too large")}
	}
	if err != nil {
		return nil, Explain(err)
	}
	return &connection{SQLiteConn: conn.(*sqlite3.SQLiteConn)}, nil
}

func (c *connector) Driver() driver.Driver { return &c.driver }
