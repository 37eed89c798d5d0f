package pki

import (
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"time"
)

const (
	// MaxTTL bounds how long an invitation is valid: what is not used within a week is forgotten.
	MaxTTL = 7 * 24 * time.Hour

	// maxInvitations bounds how many are open at a time, and maxInvitationsFile their file, in
	// bytes.
	maxInvitations     = 10_000
	maxInvitationsFile = 64 << 20
)

// ErrRefused is the cause when a secret is of no open invitation. It is the same whether the secret
// is unknown, used or expired, because the difference would help whoever tries.
var ErrRefused = errors.New("the token is unknown, used or expired")

// invitation is an open invitation as it is kept. The secret itself is kept nowhere.
type invitation struct {
	Invitation
	Hash    []byte    `json:"hash"` // SHA-256 of the secret, which is random and too long to guess
	Expires time.Time `json:"expires"`
}

// Invite opens an invitation for ttl and returns its token, which is kept nowhere. addresses are of
// the fronts that will answer Enrol, host:port. An open invitation of the same name and role is
// closed, so that a token sent to the wrong person can be replaced.
func (c *CA) Invite(in Invitation, addresses []string, ttl time.Duration) (Token, error) {
	if err := in.validate(); err != nil {
		return Token{}, fmt.Errorf("invite: %w", err)
	}
	if err := checkAddresses(addresses); err != nil {
		return Token{}, fmt.Errorf("invite %s: %w", in.Name, err)
	}
	if ttl <= 0 || ttl > MaxTTL {
		return Token{}, fmt.Errorf("invite %s: %v is no time for which a token can be valid: give more than 0 "+
			"and at most %v", in.Name, ttl, MaxTTL)
	}
	var secret [secretBytes]byte
	if _, err := rand.Read(secret[:]); err != nil {
		return Token{}, fmt.Errorf("invite %s: %w", in.Name, err)
	}
	hash := sha256.Sum256(secret[:])
	err := c.changeInvitations(func(open []invitation) ([]invitation, error) {
		kept := []invitation{}
		for _, o := range open {
			if o.Name != in.Name || o.Role != in.Role {
				kept = append(kept, o)
			}
		}
		if len(kept) >= maxInvitations {
			return nil, fmt.Errorf("%d invitations are open: wait until some are used or expire", len(kept))
		}
		return append(kept, invitation{in, hash[:], c.now().Add(ttl).UTC()}), nil
	})
	if err != nil {
		return Token{}, fmt.Errorf("invite %s: %w", in.Name, err)
	}
	return Token{addresses, c.Fingerprint(), base64.RawURLEncoding.EncodeToString(secret[:])}, nil
}

// Enrol signs the key in a request (NewRequest) for whoever shows the secret of an open invitation,
// and closes the invitation. Name, role, hosts and lifetime are those of the invitation, whatever
// the request says. It returns an error that wraps ErrRefused if no invitation with that secret is
// open. A request that is not well formed leaves the invitation open.
func (c *CA) Enrol(secret string, request []byte) (chain []byte, err error) {
	r, err := parseRequest(request)
	if err != nil {
		return nil, fmt.Errorf("enrol: %w", err)
	}
	raw, err := base64.RawURLEncoding.DecodeString(secret)
	if err != nil || len(raw) != secretBytes {
		return nil, errRefused
	}
	hash := sha256.Sum256(raw)
	var used *invitation
	err = c.changeInvitations(func(open []invitation) ([]invitation, error) {
		kept := []invitation{}
		for _, o := range open {
			if subtle.ConstantTimeCompare(o.Hash, hash[:]) == 1 {
				used = &o
			} else {
				kept = append(kept, o)
			}
		}
		if used == nil {
			return nil, errRefused
		}
		return kept, nil
	})
	if errors.Is(err, ErrRefused) {
		return nil, errRefused
	}
	if err != nil {
		return nil, fmt.Errorf("enrol: %w", err)
	}
	return c.sign(used.Invitation, r)
}

var errRefused = fmt.Errorf("enrol: %w; ask for another one, made with \"patina node invite\"", ErrRefused)

// changeInvitations lets change replace the invitations that have not expired, and writes them. An
// error of change leaves them as they were.
func (c *CA) changeInvitations(change func(open []invitation) ([]invitation, error)) error {
	unlock, err := lock(c.dir)
	if err != nil {
		return err
	}
	defer unlock()
	name := filepath.Join(c.dir, invitationsFile)
	var all, open []invitation
	content, err := readTrusted(name, true, maxInvitationsFile)
	if err == nil {
		err = json.Unmarshal(content, &all)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("read invitations: %s: %w; if it cannot be mended, remove it and invite again", name, err)
	}
	now := c.now()
	for _, i := range all {
		if now.Before(i.Expires) {
			open = append(open, i)
		}
	}
	if open, err = change(open); err != nil {
		return err
	}
	if content, err = json.Marshal(open); err != nil {
		return err
	}
	return writeFile(c.dir, invitationsFile, append(content, '\n'), 0o600)
}
