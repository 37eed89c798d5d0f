package embedders

import (
	"context"
	"log/slog"
	"slices"
	"sync"
	"time"
)

// A Queue makes the vectors of a server's projects in the background, one project at a time, so
// that questions have the processors most of the time. It is safe for concurrent use.
type Queue struct {
	life context.Context
	end  context.CancelFunc
	log  *slog.Logger
	over chan struct{} // closed when the last work has returned

	mu      sync.Mutex
	waiting []job
	running bool
	closed  bool
	told    map[string]string // the last error of each project
}

// A job is the work of one project.
type job struct {
	project string
	do      func(context.Context) error
}

// NewQueue returns a queue whose work ends with life. log may be nil.
func NewQueue(life context.Context, log *slog.Logger) *Queue {
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	q := &Queue{log: log, over: make(chan struct{}), told: map[string]string{}}
	q.life, q.end = context.WithCancel(life)
	return q
}

// Add lets work be done for a project after all that waits. Work that waits for the same project is
// replaced. An error is logged once, and the work is done again when it is added again.
func (q *Queue) Add(project string, do func(context.Context) error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.closed {
		return
	}
	if i := slices.IndexFunc(q.waiting, func(j job) bool { return j.project == project }); i >= 0 {
		q.waiting[i].do = do
		return
	}
	q.waiting = append(q.waiting, job{project, do})
	if !q.running {
		q.running = true
		go q.drainQueue()
	}
}

// drainQueue works until nothing waits.
func (q *Queue) drainQueue() {
	for {
		q.mu.Lock()
		if len(q.waiting) == 0 || q.life.Err() != nil {
			q.running = false
			if q.closed {
				close(q.over)
			}
			q.mu.Unlock()
			return
		}
		j := q.waiting[0]
		q.waiting = slices.Delete(q.waiting, 0, 1)
		q.mu.Unlock()
		q.logError(j.project, j.do(q.life))
	}
}

// logError logs an error of a project, unless it is the last one again.
func (q *Queue) logError(project string, err error) {
	if q.life.Err() != nil {
		return
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	if err == nil {
		delete(q.told, project)
		return
	}
	if text := err.Error(); q.told[project] != text {
		q.told[project] = text
		q.log.Warn("the vectors of a chosen model were not made", "project", project, "error", err)
	}
}

// CloseWithin is Close, but waits for a time at most. Work that hangs ends with the process.
func (q *Queue) CloseWithin(d time.Duration) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		q.Close()
	}()
	select {
	case <-done:
	case <-time.After(d):
	}
}

// Close ends the running work, and waits until it has returned. Waiting work is dropped: the next
// process finds the missing rows.
func (q *Queue) Close() {
	q.end()
	q.mu.Lock()
	if q.closed {
		q.mu.Unlock()
		<-q.over
		return
	}
	q.closed = true
	if !q.running {
		close(q.over)
	}
	q.mu.Unlock()
	<-q.over
}
