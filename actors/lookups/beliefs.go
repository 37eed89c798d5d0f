package lookups

import (
	"context"
	"fmt"

	"patina/actors/api"
	"patina/belief/audit"
	"patina/code/lookup"
)

func (d *Desk) beliefs(ctx context.Context, r api.BeliefsRequest) (any, error) {
	found, missing, err := audit.Read(ctx, d.Reader, r.IDs)
	if err != nil {
		return nil, err
	}
	if len(missing) > 0 {
		return nil, fmt.Errorf("belief %q: %w", missing[0], lookup.ErrNoDocument)
	}
	return &api.BeliefsAnswer{Index: d.compared(), Beliefs: found}, nil
}

func (d *Desk) audit(ctx context.Context, _ api.AuditRequest) (any, error) {
	found, n, err := audit.Audit(ctx, d.Reader)
	if err != nil {
		return nil, err
	}
	return &api.AuditAnswer{Index: d.compared(), Findings: found, Beliefs: n}, nil
}
