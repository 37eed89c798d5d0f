package persona

import (
	"context"
	"database/sql"
	"errors"
	"io"
	"io/fs"
	"os"
	"time"

	"patina/store/sqlite"
)

// A Status is an account of the log as it lies there, and of the database.
type Status struct {
	Dir        string
	Files      int
	Bytes      int64 // of the log
	Events     int
	Notes      int // that hold
	Superseded int
	Faults     []Fault

	Database  string    // the file
	Size      int64     // 0: there is none
	Made      time.Time // the last materialization
	Model     string    // of the vectors; empty: words alone
	UpToDate  bool
	Condition error // why the database is of no use; nil: it is, or there is none
}

// Lost counts the lines and files that are not among the notes.
func (s Status) Lost() (n int) {
	for _, f := range s.Faults {
		if f.Lost {
			n++
		}
	}
	return n
}

// Status reads the whole log and looks at the database. It writes nothing.
func (p Persona) Status(ctx context.Context) (Status, error) {
	s := Status{Dir: p.Dir, Database: p.Database()}
	files, faults, err := p.files()
	if err != nil {
		return s, err
	}
	var all []record
	s.Files, s.Faults = len(files), faults
	for _, f := range files {
		if err := ctx.Err(); err != nil {
			return s, err
		}
		s.Bytes += f.size
		got, err := p.readAll(f.name)
		if err != nil {
			s.Faults = append(s.Faults, Fault{File: f.name, Reason: err.Error(), Lost: true})
			continue
		}
		all = append(all, got.records...)
		s.Faults = append(s.Faults, got.faults...)
	}
	states, faults := resolveRecords(all)
	s.Faults = append(s.Faults, faults...)
	s.Events = len(all)
	for i, st := range states {
		switch {
		case st.isShown(all[i]):
			s.Notes++
		case st.hiddenBy != "":
			s.Superseded++
		}
	}
	p.lookAtDatabase(ctx, &s)
	return s, nil
}

func (p Persona) readAll(name string) (reading, error) {
	f, err := p.openLog(name)
	if err != nil {
		return reading{}, err
	}
	defer func() { _ = f.Close() }()
	return readEvents(io.LimitReader(f, longestFile), name, 0)
}

// lookAtDatabase fills in the state of the database.
func (p Persona) lookAtDatabase(ctx context.Context, s *Status) {
	info, err := os.Stat(s.Database)
	if errors.Is(err, fs.ErrNotExist) {
		return
	}
	if err != nil {
		s.Condition = err
		return
	}
	s.Size = info.Size()
	db, err := p.Open(ctx)
	if err != nil {
		s.Condition = err
		return
	}
	defer func() { _ = db.Close() }()
	if s.Condition = checkSound(ctx, db.db); s.Condition != nil {
		return
	}
	behind, err := p.Behind(ctx, db)
	s.Model, s.UpToDate, s.Condition = db.model, err == nil && !behind, err
	var made sql.NullString
	if err := db.db.QueryRowContext(ctx, `SELECT value FROM meta WHERE name = 'made'`).Scan(&made); err != nil {
		s.Condition = sqlite.Explain(err)
	}
	s.Made, _ = time.Parse(time.RFC3339, made.String)
}
