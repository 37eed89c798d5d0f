package actors

import (
	"context"
	"fmt"

	"patina/belief/audit"
	"patina/code/lookup"
)

func (BeliefsRequest) verb() string { return "beliefs" }

func (r BeliefsRequest) readFrom(ctx context.Context, d *desk) (any, error) {
	found, missing, err := audit.Read(ctx, d.Reader, r.IDs)
	if err != nil {
		return nil, err
	}
	if len(missing) > 0 {
		return nil, fmt.Errorf("belief %q: %w", missing[0], lookup.ErrNoDocument)
	}
	return &BeliefsAnswer{Index: d.compared(), Beliefs: found}, nil
}

func (AuditRequest) verb() string { return "audit" }

func (AuditRequest) readFrom(ctx context.Context, d *desk) (any, error) {
	found, n, err := audit.Audit(ctx, d.Reader)
	if err != nil {
		return nil, err
	}
	return &AuditAnswer{d.compared(), found, n}, nil
}
