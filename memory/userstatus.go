package memory

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"time"

	"patina/memory/persona"
	"patina/store/sqlite"
)

// A UserStatus is the state of the log and of the store.
type UserStatus struct {
	Dir        string
	Files      int
	Bytes      int64 // of the log
	Events     int
	Notes      int // current ones
	Superseded int
	Faults     []persona.Fault

	Database  string    // the file
	Size      int64     // 0: there is no store
	Made      time.Time // time of the last materialization
	Model     string    // of the vectors; empty: words only
	UpToDate  bool
	Condition error // why the store cannot be used; nil: it can, or there is no store
}

// Lost returns the number of skipped lines and files.
func (s UserStatus) Lost() (n int) {
	for _, f := range s.Faults {
		if f.Lost {
			n++
		}
	}
	return n
}

// Status reads the whole log and examines the store. It writes nothing.
func (u UserNotes) Status(ctx context.Context) (UserStatus, error) {
	s := UserStatus{Dir: u.Dir, Database: u.Database()}
	files, faults, err := u.Files()
	if err != nil {
		return s, err
	}
	var all []persona.Record
	s.Files, s.Faults = len(files), faults
	for _, f := range files {
		if err := ctx.Err(); err != nil {
			return s, err
		}
		s.Bytes += f.Size
		records, faults, err := u.ReadFile(f.Name)
		if err != nil {
			s.Faults = append(s.Faults, persona.Fault{File: f.Name, Reason: err.Error(), Lost: true})
			continue
		}
		all = append(all, records...)
		s.Faults = append(s.Faults, faults...)
	}
	states, faults := persona.Resolve(all)
	s.Faults = append(s.Faults, faults...)
	s.Events = len(all)
	for i, st := range states {
		switch {
		case st.IsShown(all[i]):
			s.Notes++
		case st.HiddenBy != "":
			s.Superseded++
		}
	}
	u.lookAtDatabase(ctx, &s)
	return s, nil
}

// lookAtDatabase fills in the state of the store.
func (u UserNotes) lookAtDatabase(ctx context.Context, s *UserStatus) {
	info, err := os.Stat(s.Database)
	if errors.Is(err, fs.ErrNotExist) {
		return
	}
	if err != nil {
		s.Condition = err
		return
	}
	s.Size = info.Size()
	db, err := u.open(ctx)
	if err != nil {
		s.Condition = err
		return
	}
	defer func() { _ = db.Close() }()
	if s.Condition = checkUserStore(ctx, db.db); s.Condition != nil {
		return
	}
	behind, err := u.isBehind(ctx, db)
	s.UpToDate = err == nil && !behind
	var made int64
	if err == nil {
		s.Model, err = db.modelName(ctx)
	}
	if err == nil {
		err = sqlite.Explain(db.db.QueryRowContext(ctx, `SELECT at FROM made`).Scan(&made))
	}
	s.Made, s.Condition = time.Unix(made, 0).UTC(), err
}
