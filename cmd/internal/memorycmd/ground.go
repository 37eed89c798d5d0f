package memorycmd

import (
	"context"
	"time"

	"patina/ask/project"
	"patina/memory"
	"patina/memory/ground"
)

// maxGrounds bounds the memories whose ground is compared in one call.
const maxGrounds = 2000

// withGround sets a memory's path from the root, and the hash of the code or commit that it is
// about.
func withGround(ctx context.Context, p project.Place, m *memory.Memory) {
	if m.Ground = ""; m.Path == "" && (m.Commit == "" || m.Symbol != "") {
		return
	}
	if m.Path == "" {
		if tree, err := ground.Open(p.Root); err == nil {
			m.Ground = tree.HashCommit(ctx, m.Commit)
			tree.Close()
		}
		return
	}
	if name, err := p.Path(m.Path); err == nil && name != "" {
		m.Path = name
	}
	tree, err := ground.Open(p.Root)
	if err != nil {
		return
	}
	defer tree.Close()
	m.Ground = tree.Hash(m.Path, m.Symbol)
}

// movedGrounds sets, for each memory, how its ground has changed. It returns the number of changed
// ones.
func movedGrounds(ctx context.Context, p project.Place, list []memory.Memory) (moved int) {
	tree, err := ground.Open(p.Root)
	if err != nil {
		return 0
	}
	defer tree.Close()
	for i := range list[:min(len(list), maxGrounds)] {
		m := &list[i]
		if m.Ground == "" || !m.Current() || ctx.Err() != nil {
			continue
		}
		move := (*ground.Move)(nil)
		if m.Path != "" {
			move = tree.Moved(ctx, m.Path, m.Symbol, m.Ground, m.Created)
		} else {
			move = tree.MovedCommit(ctx, m.Commit, m.Ground, m.Created)
		}
		if move != nil {
			m.Moved = move.Said(time.Now())
			moved++
		}
	}
	return moved
}
