package serve

import (
	"context"
	"fmt"
	"sync"
	"time"

	"patina/wire/pki"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"

	"patina/wire"
)

// ForUser is the key of the metadata in which a front names the user whose question it passes on.
// It is believed from fronts only.
const ForUser = "patina-for"

// Rights say who may ask what. An answer may be another one at the next call.
type Rights interface {
	// May reports whether a user may ask a repository. It must be false for one that is not known.
	May(user, repository string) bool
	// MayRights reports the same for the users with a key of rights (config.RightsOf).
	MayRights(rights, repository string) bool
	// IsRevoked reports whether a certificate is refused.
	IsRevoked(name, serial string) bool
}

// A Gate decides in each call who asks and what they may. It is safe for concurrent use.
type Gate struct {
	// Identify returns the holder of the verified certificate of the call's connection. If it is
	// nil, every caller is the user of this machine, who may ask everything without limits: then
	// only a loopback address or a socket of the user may be listened on.
	Identify func(context.Context) (pki.Identity, error)
	// Rights returns the rights in force. It must not be nil unless Identify is.
	Rights func() Rights

	mu      sync.Mutex
	users   map[string]*allowance
	refused Refused
	now     func() time.Time // nil: time.Now
}

// An Asker is who makes a call, and for whom.
type Asker struct {
	pki.Identity
	User  string // whose rights count; "" has none
	gate  *Gate
	local bool
}

// Admit returns who makes the call of ctx. It must be called for each message that asks for
// something, because a certificate may be revoked while its connection is open. The error is of
// code UNAUTHENTICATED.
func (g *Gate) Admit(ctx context.Context) (*Asker, error) {
	if g.Identify == nil {
		return &Asker{gate: g, local: true}, nil
	}
	c, err := g.Identify(ctx)
	if err != nil {
		g.countRefused(func(r *Refused) { r.Unknown++ })
		return nil, status.Error(codes.Unauthenticated, err.Error())
	}
	if g.Rights().IsRevoked(c.Name, c.Serial) {
		return nil, g.refuse(c.Name)
	}
	a := &Asker{Identity: c, gate: g}
	switch c.Role {
	case pki.User:
		a.User = c.Name
	case pki.Front:
		md, _ := metadata.FromIncomingContext(ctx)
		if users := md.Get(ForUser); len(users) == 1 {
			a.User = users[0]
		}
		// A front that has not read of it yet asks for somebody who is refused here.
		if a.User != "" && g.Rights().IsRevoked(a.User, "") {
			return nil, g.refuse(a.User)
		}
	}
	return a, nil
}

// refuse returns the error for a name that is revoked, or of which a certificate is.
func (g *Gate) refuse(name string) error {
	g.countRefused(func(r *Refused) { r.Revoked++ })
	return status.Errorf(codes.Unauthenticated,
		"the certificate of %q is revoked; get another one with \"patina node join\"", name)
}

// May reports whether a may ask a repository now.
func (a *Asker) May(repository string) bool {
	return a.local || a.User != "" && a.gate.Rights().May(a.User, repository)
}

// MaySee reports whether a may know that a repository is hosted: nodes and fronts know of all.
func (a *Asker) MaySee(repository string) bool {
	return a.isPeer() || a.May(repository)
}

// isPeer reports whether a is a node or a front, or the user of this machine, who are told sums
// over repositories of others.
func (a *Asker) isPeer() bool { return a.local || a.Role == pki.Node || a.Role == pki.Front }

// mayCount reports whether a may be told sums of words for others: fronts are, because they answer
// users, and nodes have nobody to tell.
func (a *Asker) mayCount() bool { return a.local || a.Role == pki.Front }

// mayRights reports whether the users with a key of rights may ask a repository now.
func (a *Asker) mayRights(rights, repository string) bool {
	return a.local || a.gate.Rights().MayRights(rights, repository)
}

// An allowance is the rest of a user's limits: questions at once, and tokens that come back at
// MaxRate a second.
type allowance struct {
	running int
	tokens  float64
	at      time.Time
}

// mostUsers bounds the users that are remembered. One who asks nothing for a second is forgotten
// when there are more.
const mostUsers = 10_000

// Begin counts a question of a user as under way until end is called. It returns an error of code
// RESOURCE_EXHAUSTED beyond wire.MaxQuestions at once or wire.MaxRate in a second.
func (a *Asker) Begin() (end func(), err error) {
	if a.local {
		return func() {}, nil
	}
	g, user := a.gate, a.User
	g.mu.Lock()
	defer g.mu.Unlock()
	now := time.Now
	if g.now != nil {
		now = g.now
	}
	u := g.allowanceOf(user, now())
	switch {
	case u.running >= wire.MaxQuestions:
		g.refused.AtOnce++
		return nil, status.Errorf(codes.ResourceExhausted,
			"%d questions of %q are under way; ask again when one has ended", u.running, user)
	case u.tokens < 1:
		g.refused.Rate++
		return nil, status.Errorf(codes.ResourceExhausted,
			"more than %d questions of %q in a second; ask again later", wire.MaxRate, user)
	}
	u.running++
	u.tokens--
	return sync.OnceFunc(func() {
		g.mu.Lock()
		defer g.mu.Unlock()
		u.running--
	}), nil
}

// allowanceOf returns the allowance of a user. The caller holds mu.
func (g *Gate) allowanceOf(user string, now time.Time) *allowance {
	u := g.users[user]
	if u == nil {
		if g.users == nil {
			g.users = map[string]*allowance{}
		}
		if len(g.users) >= mostUsers {
			for name, x := range g.users {
				if x.running == 0 && now.Sub(x.at) > time.Second {
					delete(g.users, name)
				}
			}
		}
		u = &allowance{tokens: wire.MaxRate, at: now}
		g.users[user] = u
	}
	u.tokens = min(wire.MaxRate, u.tokens+now.Sub(u.at).Seconds()*wire.MaxRate)
	u.at = now
	return u
}

// String names the asker in logs.
func (a *Asker) String() string {
	switch {
	case a.local:
		return "the user of this machine"
	case a.Role == pki.Front:
		return fmt.Sprintf("%q by front %q", a.User, a.Name)
	}
	return fmt.Sprintf("%s %q", a.Role, a.Name)
}
