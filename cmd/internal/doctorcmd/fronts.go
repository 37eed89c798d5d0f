package doctorcmd

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"time"

	"patina/cmd/internal/cli"
	"patina/registry"
	"patina/wire"
	"patina/wire/mother"
	"patina/wire/nodepb"
	"patina/wire/pki"
)

const (
	// frontTime bounds how long fronts are waited for that do not answer.
	frontTime = 2 * time.Second
	// lateShare is the share of its life below which a certificate should have been renewed: 2 of 7
	// days. Half is usual.
	lateShare = 2.0 / 7
)

// fronts checks the certificate and the fronts of a user, a node or a front. Nobody is asked unless
// the settings name one.
func (e *examination) fronts(s registry.Settings) {
	certificates := filepath.Join(e.place.Home, mother.CertificatesFolder)
	e.identity(certificates)
	addresses := s.Fronts()
	if len(addresses) == 0 {
		return
	}
	ctx, cancel := context.WithTimeout(e.ctx, frontTime)
	defer cancel()
	for _, f := range mother.Look(ctx, certificates, addresses) {
		e.front(f)
	}
}

// identity checks the certificate in a folder, if there is one.
func (e *examination) identity(dir string) {
	const join = `patina node join TOKEN, with a token of "patina node invite"`
	f, err := pki.OpenFolder(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return
	}
	if err != nil {
		e.say("identity", warned, err.Error(), join, "folder", dir)
		return
	}
	c, now := f.Certificate(), time.Now()
	left, life := c.NotAfter.Sub(now), c.NotAfter.Sub(c.NotBefore)
	days := pki.Days(c, now)
	detail := fmt.Sprintf("%s, certificate valid until %s (%s)", f.Identity(), c.NotAfter.UTC().Format(time.DateTime),
		cli.Plural(days, "day"))
	values := []any{
		"folder", dir, "name", f.Identity().Name, "role", string(f.Identity().Role), "expires", c.NotAfter.UTC(), "days", days,
	}
	switch {
	case left <= 0:
		detail = fmt.Sprintf("%s, certificate expired on %s", f.Identity(), c.NotAfter.UTC().Format(time.DateTime))
		e.say("identity", failed, detail, join, values...)
	case left < time.Duration(lateShare*float64(life)):
		e.say("identity", warned, detail, "patina node renew", values...)
	default:
		e.say("identity", fine, detail, "", values...)
	}
}

// front says how a front is.
func (e *examination) front(f mother.Front) {
	took := f.Took.Round(time.Millisecond)
	values := []any{"address", f.Address, "took_ms", took.Milliseconds()}
	if f.Err != nil {
		mend := mother.Advice(f.Err)
		if mend == "" {
			mend = "see that it runs (there: patina node status --self), or name another one in PATINA_MOTHER"
		}
		e.say("front", warned, fmt.Sprintf("%s: %v (after %s)", f.Address, f.Err, took), mend, values...)
		return
	}
	own := wire.Protocol()
	values = append(values, "name", f.Name, "version", f.Version, "protocol_min", f.Protocol.GetMin(),
		"protocol_max", f.Protocol.GetMax(), "unanswered", f.Unanswered)
	detail := fmt.Sprintf("%s: %s, version %s, protocol %s (here %s), answered in %s", f.Address, f.Name, f.Version,
		versions(f.Protocol), versions(own), took)
	if f.Unanswered > 0 {
		e.say("front", warned, fmt.Sprintf("%s; no node answers for %d of your repositories", detail, f.Unanswered),
			"patina node status", values...)
		return
	}
	e.say("front", fine, detail, "", values...)
}

// versions writes a range of versions of the protocol.
func versions(v *nodepb.Version) string {
	if v.GetMin() == v.GetMax() {
		return fmt.Sprint(v.GetMin())
	}
	return fmt.Sprintf("%d to %d", v.GetMin(), v.GetMax())
}
