package memorycmd

import (
	"github.com/spf13/cobra"

	"patina/memory"
)

func (a *app) memoryStats() *cobra.Command {
	r := &remembering{app: a}
	var find, everywhere bool
	c := &cobra.Command{
		Use: "stats", Short: "Count the notes", Args: cobra.NoArgs,
		Long:    "Count the notes by type and origin, those that are pinned, and those whose\nground has moved. --secrets names notes with tokens or passwords. With\n--everywhere it counts yours for all projects, and names unreadable lines.",
		Example: "  patina memory stats --secrets",
		RunE: func(c *cobra.Command, _ []string) error {
			if everywhere {
				return printUserStatus(c.Context(), a.App, r.asJSON)
			}
			ctx := c.Context()
			n := memory.Stats{Types: map[string]int{}, Origins: map[string]int{}}
			err := r.look(ctx, func(s *memory.Store) (err error) {
				if n, err = s.Stats(ctx, find); err != nil {
					return err
				}
				about, err := r.listMemories(ctx, s, memory.Filter{}, true)
				n.Moved = len(about)
				return err
			})
			switch {
			case err != nil:
				return err
			case r.asJSON:
				return writeJSON(a.Out, n)
			}
			return writeStats(a.Out, n)
		},
	}
	c.Flags().BoolVar(&find, "secrets", false, "also look for tokens and passwords in the notes and their history")
	r.jsonFlag(c)
	everywhereFlag(c, &everywhere)
	return c
}
