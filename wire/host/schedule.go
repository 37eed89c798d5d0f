package host

import (
	"hash/fnv"
	"math/rand/v2"
	"time"
)

const (
	// fetchEvery is the time between two fetches of a repository, unless Options say another one.
	fetchEvery = time.Minute
	// jitter is how much earlier or later a fetch may be, as a share of the time: nodes that were
	// started together must not ask a server together.
	jitter = 0.2
	// firstRetry is the time after a failure. It doubles with each further one, up to longestRetry.
	firstRetry   = 5 * time.Second
	longestRetry = 15 * time.Minute
	// hintGap is the shortest time between two fetches of a repository, whatever hints say.
	hintGap = 2 * time.Second
	// fetchTime and cloneTime are how long git may take, so that a server that says nothing holds up
	// no other repository for long. They double with each failure, up to longestTime, because a
	// repository may be large and a line slow.
	fetchTime   = 2 * time.Minute
	cloneTime   = 10 * time.Minute
	longestTime = 2 * time.Hour
)

// A schedule says when a repository is fetched next. It has no clock.
type schedule struct {
	every  time.Duration
	random *rand.Rand
	failed int // failures in a row
}

// newSchedule returns the schedule of a repository. Equal seeds give equal times.
func newSchedule(every time.Duration, seed uint64, repository string) *schedule {
	h := fnv.New64a()
	_, _ = h.Write([]byte(repository)) // never fails
	return &schedule{every: every, random: rand.New(rand.NewPCG(seed, h.Sum64()))}
}

// next returns how long after an attempt the next one is.
func (s *schedule) next(failed bool) time.Duration {
	wait := s.every
	if failed {
		wait = min(firstRetry<<min(s.failed, 10), longestRetry)
		s.failed++
	} else {
		s.failed = 0
	}
	return time.Duration(float64(wait) * (1 - jitter + 2*jitter*s.random.Float64()))
}

// patience returns how long the next attempt may take, from the time for the first one.
func (s *schedule) patience(first time.Duration) time.Duration {
	return min(first<<min(s.failed, 10), longestTime)
}
