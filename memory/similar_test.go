package memory

import (
	"path/filepath"
	"testing"

	"patina/oracles/embed"
)

func TestSimilar(t *testing.T) {
	ctx := t.Context()
	s := opened(t, filepath.Join(t.TempDir(), "memory.db"))
	a := added(t, s, Memory{Content: "The connection pool holds 8 connections in production"}).ID
	b := added(t, s, Memory{Content: "The connection pool holds 16 connections in production"}).ID
	added(t, s, Memory{Content: "Bananas ripen faster beside apples"})
	m, err := s.Get(ctx, a)
	if err != nil {
		t.Fatal(err)
	}
	if near, err := s.Similar(ctx, embed.Base(), m); err != nil || len(near) != 0 {
		t.Errorf("without vectors: %v, %v", near, err)
	}
	if err := s.Embed(ctx, embed.Base()); err != nil {
		t.Fatal(err)
	}
	if near, err := s.Similar(ctx, embed.Base(), m); err != nil || len(near) != 1 || near[0].ID != b || near[0].Cosine < .7 {
		t.Errorf("similar: %v, %v", near, err)
	}
}
