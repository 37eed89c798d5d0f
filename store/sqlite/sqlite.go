// Package sqlite opens SQLite databases, and alone knows the driver.
//
// It knows nothing of what a database holds. Three kinds of files use it: one that is written whole
// before anybody sees it (Fresh), one that is derived, shared and can be made again (Update, Read,
// Frozen), and one that people's work lies in (Authored), which many processes change at once and
// whose schema grows by numbered migrations (OpenAuthored).
//
// Every connection is guarded before SQLite reads the file: guard.go says against what. Errors of
// SQLite become ones that errors.Is can be asked about: Explain.
package sqlite

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"net/url"

	sqlite3 "github.com/mattn/go-sqlite3"

	"patina/safeio"
)

// Open makes a pool of connections to a database file. Each is opened when it is first needed; the
// schema that the options name is compared then.
func Open(path string, o Options) *sql.DB {
	name := url.URL{Scheme: "file", Opaque: (&url.URL{Path: path}).EscapedPath(), RawQuery: o.values.Encode()}
	c := connector{name: name.String()}
	g := guard{schema: o.Schema}
	c.driver.ConnectHook = func(conn *sqlite3.SQLiteConn) error {
		if err := g.admit(conn); err != nil {
			return err
		}
		settings := checked
		if safeio.Private(path) {
			settings += mapped
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
	if errors.As(err, &e) && e.Code == sqlite3.ErrInterrupt { // nothing else interrupts an opening
		return nil, damage{errors.New("its schema is too large")}
	}
	return conn, Explain(err)
}

func (c *connector) Driver() driver.Driver { return &c.driver }
