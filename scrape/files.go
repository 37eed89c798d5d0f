package scrape

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"
	"golang.org/x/sync/semaphore"

	"patina/code/lang"
	"patina/scrape/content"
	"patina/scrape/openat"
	"patina/scrape/parse"
	"patina/scrape/walk"
	"patina/store/build"
	"patina/store/doc"
)

// bytesInFlight is the most content that all workers hold at once, in bytes. A parsed file takes
// about ten times its size.
const bytesInFlight = 32 << 20

// files brings the store up to date with the folder.
func (r *run) files(ctx context.Context) error {
	l, known, err := r.lookAtFiles(ctx)
	if err != nil {
		return err
	}
	r.countIn(func(s *Summary) {
		for reason, n := range l.Skipped {
			s.Skipped[reason] += n
		}
		s.Notes = append(s.Notes, l.Notes...)
		if len(l.Missing) > 0 {
			s.Notes = append(s.Notes, missingNote(l.Missing))
		}
		if len(l.Nested) > 0 {
			s.Notes = append(s.Notes, nestedNote(l.Nested))
		}
	})
	at, err := openat.Open(r.o.Root)
	if err != nil {
		return err
	}
	defer at.Close()
	jobs, err := r.plan(at, l, known)
	if err != nil {
		return err
	}
	// The largest come first, so that no worker is left alone with a large file at the end.
	slices.SortStableFunc(jobs, func(a, b job) int { return cmp.Compare(b.Stat.Size, a.Stat.Size) })
	next := make(chan int)
	group, inner := errgroup.WithContext(ctx)
	memory, order := semaphore.NewWeighted(bytesInFlight), newTurns()
	group.Go(func() error {
		defer close(next)
		for i, j := range jobs {
			// Memory is acquired in the order of the jobs, because a job that waits for its turn
			// must not wait for a job without memory.
			if err := memory.Acquire(inner, j.weight()); err != nil {
				return err
			}
			select {
			case next <- i:
			case <-inner.Done():
				return inner.Err()
			}
		}
		return nil
	})
	for range r.o.Workers {
		k := r.w.Worker()
		group.Go(func() error {
			for i := range next {
				j := jobs[i]
				err := r.scrapeFile(inner, at, k, j, func() error { return order.wait(inner, i) },
					func() { order.endTurn(i) })
				memory.Release(j.weight())
				if err != nil {
					return fmt.Errorf("file %q: %w", j.Path, err)
				}
				r.reportStep(len(jobs))
			}
			return nil
		})
	}
	return group.Wait()
}

// weight returns a job's share of bytesInFlight.
func (j job) weight() int64 { return min(max(j.Stat.Size, 1), bytesInFlight) }

// readsSome reports whether only some files are read. A fresh index needs them all.
func (r *run) readsSome() bool { return len(r.o.Files) > 0 && !r.o.Full }

// lookAtFiles returns the folder's files and the index's files. Git lists on one core while the
// index is read on another.
func (r *run) lookAtFiles(ctx context.Context) (l walk.Listing, known map[string]doc.FileState, err error) {
	var group errgroup.Group
	group.Go(func() (err error) {
		if r.readsSome() {
			var b *walk.Walk
			if b, err = r.beginWalk(ctx, r.o.Files); err == nil {
				l, err = b.Files(ctx, r.o.StoreDir)
			}
		} else {
			l, err = r.listFolder(ctx)
		}
		return err
	})
	if r.readsSome() {
		known, err = r.w.FilesAt(r.o.Files)
	} else {
		known, err = r.w.Files()
	}
	listing := group.Wait()
	return l, known, cmp.Or(listing, err)
}

// listFolder lists the folder's files, and returns the same listing when called again.
func (r *run) listFolder(ctx context.Context) (walk.Listing, error) {
	if r.listing == nil {
		b, err := r.beginWalk(ctx, nil)
		if err != nil {
			return walk.Listing{}, err
		}
		l, err := b.Files(ctx, r.o.StoreDir)
		if err != nil {
			return l, err
		}
		r.listing, r.looked = &l, b.At
	}
	return *r.listing, nil
}

// plan removes missing files from the store and returns the files that may have changed.
func (r *run) plan(at *openat.Folder, l walk.Listing, known map[string]doc.FileState) ([]job, error) {
	var jobs []job
	var gone []string
	compared, err := r.w.LastListed()
	if err != nil {
		return nil, err
	}
	d := distrustRacy(compared, r.o.Told)
	d.all = r.o.Full
	if r.readsSome() {
		jobs, gone, err = compareNamed(at, l, known, r.besides)
	} else {
		jobs, gone = compareFiles(at, l, known, d)
	}
	if err != nil {
		return nil, err
	}
	r.s.Unchanged += len(l.Files) - len(jobs)
	for _, p := range gone {
		if err := r.w.Remove(p); err != nil {
			return nil, err
		}
		r.removed(p)
	}
	return jobs, nil
}

// scrapeFile reads one file and stores it if it differs from the stored one. It calls wait before
// it takes a key, and always calls end. end may be called twice.
func (r *run) scrapeFile(
	ctx context.Context, at *openat.Folder, k *build.Worker, j job, wait func() error, end func(),
) error {
	defer end()
	if err := ctx.Err(); err != nil {
		return err
	}
	c, err := content.Read(at, j.Path, j.Stat.Size, content.Limits{
		MaxSize: r.o.MaxFileSize, Secrets: r.o.IncludeSecrets,
	})
	if err != nil {
		return r.skip(j, err)
	}
	c.Hash += j.context()
	if c.Hash == j.old && !r.o.Full {
		r.countIn(func(s *Summary) {
			if !r.based {
				s.Unchanged++
				return
			}
			s.Added++ // the basis has it unchanged
			s.took(lang.Of(j.Path, c.Text).Name, c.Stat.Size)
		})
		return r.w.Touch(j.Path, c.Stat)
	}
	if !r.o.Full {
		if adopted, err := r.w.Adopt(j.Path, doc.FileState{Stat: c.Stat, Hash: c.Hash}); adopted || err != nil {
			r.countIn(func(s *Summary) { s.Shared++ })
			return err
		}
	}
	file, t := parse.Parse(parse.Input{
		Path: j.Path, Text: c.Text, Stat: c.Stat, Hash: c.Hash, Class: j.extra, Attributes: j.Attributes, Head: j.head,
	})
	file.Package = j.pkg
	found := trouble{Trouble: t}
	if t == parse.Malformed {
		found.reason = parse.Reason(j.Path, c.Text)
	}
	if err := k.PutInTurn(file, wait, end); err != nil {
		return err
	}
	r.countIn(func(s *Summary) {
		s.took(file.Language, c.Stat.Size)
		switch {
		case j.old == "" || r.based:
			s.Added++
		case j.old == c.Hash:
			s.Unchanged++ // read again because of Full
		default:
			s.Changed++
		}
		if delete(r.troubles, j.Path); t != parse.Fine {
			r.troubles[j.Path] = found
		}
	})
	return nil
}

// took counts a file as read.
func (s *Summary) took(language string, bytes int64) {
	s.Languages[language]++
	s.Bytes += bytes
}

// removed counts a file as removed.
func (r *run) removed(path string) {
	r.countIn(func(s *Summary) {
		if delete(r.troubles, path); !r.based {
			s.Removed++
		}
	})
}

// skip leaves a file out, even if the store has it. It returns err unless that is a content.Skip.
func (r *run) skip(j job, err error) error {
	var s content.Skip
	if !errors.As(err, &s) {
		return err
	}
	r.countIn(func(sum *Summary) {
		sum.Skipped[s.Reason]++
		if s.Reason != content.Binary && len(sum.LeftOut) < mostLeftOut {
			sum.LeftOut = append(sum.LeftOut, Troubled{j.Path, s.Reason})
		}
	})
	if j.old == "" {
		return nil
	}
	r.removed(j.Path)
	return r.w.Remove(j.Path)
}

func (r *run) countIn(f func(*Summary)) {
	r.mu.Lock()
	defer r.mu.Unlock()
	f(&r.s)
}

func (r *run) reportStep(total int) {
	r.mu.Lock()
	r.done++
	done := r.done
	r.mu.Unlock()
	if done%reportEvery == 0 || done == total {
		r.report("files", done, total)
	}
}

// namedFolders is the most folders that a note names.
const namedFolders = 5

// listFolders names the first of some folders.
func listFolders(folders []string) string {
	names := strings.Join(folders[:min(len(folders), namedFolders)], ", ")
	if len(folders) > namedFolders {
		names += ", …"
	}
	return names
}

func nestedNote(nested []string) string {
	return fmt.Sprintf("%d nested %s left out, since git lists none of their files: %s (scrape them there)",
		len(nested), countNoun(len(nested), "repository is", "repositories are"), listFolders(nested))
}

func missingNote(missing []string) string {
	return fmt.Sprintf("%d %s not checked out, and left out: %s (git submodule update --init --recursive)",
		len(missing), countNoun(len(missing), "submodule is", "submodules are"), listFolders(missing))
}
