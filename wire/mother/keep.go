package mother

import (
	"context"
	"slices"
	"strings"
	"sync"
	"time"

	"patina/wire/enrol"
)

const (
	// keepTime is how often the certificate is looked at, for processes that run for days.
	keepTime = time.Hour
	// renewTime bounds how long a command waits at its end for a new certificate.
	renewTime = 2 * time.Second
)

// A keeping renews a user's certificate when half of its life is over, beside whatever is asked.
type keeping struct {
	end  context.CancelFunc
	work sync.WaitGroup
}

// keep begins to keep the certificate in a folder, with the help of the fronts of the user. The
// caller must close it.
func keepCertificate(dir string, fronts func() ([]string, error)) *keeping {
	life, end := context.WithCancel(context.Background())
	k := &keeping{end: end}
	k.work.Go(func() {
		for life.Err() == nil {
			renew(dir, fronts)
			select {
			case <-life.Done():
			case <-time.After(keepTime):
			}
		}
	})
	return k
}

// renew renews a certificate that is due. An error is not said here: the old certificate is valid,
// the next command tries again, and one that has expired is said where a front is asked.
func renew(dir string, fronts func() ([]string, error)) {
	all, err := fronts()
	all = slices.DeleteFunc(all, func(a string) bool { return strings.HasPrefix(a, "unix:") })
	if err != nil || len(all) == 0 {
		return
	}
	// It is not the end of the client that cuts it off, because most clients end after one
	// question.
	ctx, cancel := context.WithTimeout(context.Background(), renewTime)
	defer cancel()
	_, _ = enrol.RenewIfDue(ctx, dir, all)
}

// close waits for a renewal that is under way, for renewTime at most.
func (k *keeping) stop() {
	k.end()
	k.work.Wait()
}
