package memory

import (
	"path/filepath"
	"testing"
)

func TestStats(t *testing.T) {
	ctx := t.Context()
	s := opened(t, filepath.Join(t.TempDir(), "memory.db"))
	token := "ghp_" + "x7Kq2mZ9vB4nR1tY6wE3uI8oP5aS0dFgHjKl"
	a := added(t, s, Memory{Content: "one lesson", Pinned: true, Path: "a.go", Ground: "ab"}).ID
	b := added(t, s, Memory{Content: "two lessons", Origin: Agent, Type: "gotcha"}).ID
	c := added(t, s, Memory{Content: "gone"}).ID
	leak, err := s.Add(ctx, Memory{Content: "the token is " + token}, true)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Edit(ctx, leak.ID, false, func(m *Memory) { m.Content = "the token is elsewhere" }); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Forget(ctx, c); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Supersede(ctx, b, a); err != nil {
		t.Fatal(err)
	}
	n, err := s.Stats(ctx, true)
	if err != nil || n.Current != 2 || n.Superseded != 1 || n.Forgotten != 1 || n.Pinned != 1 || n.Grounded != 1 ||
		n.Types["lesson"] != 2 {
		t.Errorf("%+v, %v", n, err)
	}
	if len(n.Secrets) != 1 || n.Secrets[0].ID != leak.ID {
		t.Errorf("secrets: %+v", n.Secrets)
	}
	if n, err := s.Stats(ctx, false); err != nil || len(n.Secrets) != 0 {
		t.Errorf("%+v, %v", n, err)
	}
}
