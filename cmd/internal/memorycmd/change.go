package memorycmd

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"patina/ask/project"
	"patina/cmd/internal/cli"
	"patina/memory"
)

// done prints a memory after a change to it.
func (r *remembering) done(m memory.Memory, err error) error {
	switch {
	case err != nil:
		return err
	case r.asJSON:
		return writeJSON(r.app.Out, m)
	}
	return writeNote(r.app.Out, m)
}

// newChangeCommand makes a command that changes one memory.
func (r *remembering) newChangeCommand(c *cobra.Command,
	do func(ctx context.Context, s *memory.Store, args []string) (memory.Memory, error),
) *cobra.Command {
	c.RunE = func(c *cobra.Command, args []string) error {
		return r.keep(c.Context(), func(_ project.Place, s *memory.Store) error {
			m, err := do(c.Context(), s, args)
			return r.done(m, err)
		})
	}
	if c.Args == nil {
		c.Args = cobra.ExactArgs(1)
	}
	if c.Flags().Lookup("json") == nil {
		r.jsonFlag(c)
	}
	return c
}

func (a *app) memoryEdit() *cobra.Command {
	r := &remembering{app: a}
	pin, successor := false, ""
	c := &cobra.Command{
		Use: "edit ID [TEXT|-]", Short: "Change a note, pin it, or let another one replace it",
		Args: cobra.MinimumNArgs(1),
		Long: `Change a note's text, or what the flags name. Its history keeps what was there
before. A pinned note never fades with age; --pin=false lets it fade again. With
--superseded-by another note takes its place.`,
		Example: `  patina memory edit m-1f6e "the pool size is 16 now" --tags db,prod
  patina memory edit m-1f6e --pin
  patina memory edit m-1f6e --superseded-by m-90ab`,
	}
	r.flags(c)
	c.Flags().BoolVar(&pin, "pin", false, "never let it fade with age")
	c.Flags().StringVar(&successor, "superseded-by", "", "let the note with this `id` take its place")
	return r.newChangeCommand(c, func(ctx context.Context, s *memory.Store, args []string) (memory.Memory, error) {
		if successor != "" {
			if len(args) > 1 || c.Flags().NFlag() > 1 && !r.asJSON || c.Flags().NFlag() > 2 {
				return memory.Memory{}, cli.Hint(errors.New("--superseded-by beside other changes"),
					"give it alone: patina memory edit OLD --superseded-by NEW")
			}
			return s.Supersede(ctx, args[0], successor)
		}
		if c.Flags().Changed("confidence") && r.memory.Confidence == 0 {
			return memory.Memory{}, errors.New("confidence 0 is not above 0 and at most 1")
		}
		text, err := r.readArguments(args[1:])
		if err != nil {
			return memory.Memory{}, err
		}
		p, err := r.app.Here()
		if err != nil {
			return memory.Memory{}, err
		}
		pinned := c.Flags().Changed("pin")
		return s.Edit(ctx, args[0], r.allowSecret || pinned && len(args) == 1, func(m *memory.Memory) {
			if len(args) > 1 {
				m.Content = text
			}
			if pinned {
				m.Pinned = pin
			}
			was := *m
			r.takeFlags(c, m)
			if m.Content != was.Content || len(args) > 1 || m.Path != was.Path || m.Symbol != was.Symbol ||
				m.Commit != was.Commit {
				withGround(ctx, p, m)
			}
		})
	})
}

// takeFlags copies the fields whose flags were given.
func (r *remembering) takeFlags(c *cobra.Command, m *memory.Memory) {
	for name, take := range map[string]func(){
		"type":       func() { m.Type = r.memory.Type },
		"tags":       func() { m.Tags = r.memory.Tags },
		"alias":      func() { m.Aliases = r.memory.Aliases },
		"confidence": func() { m.Confidence = r.memory.Confidence },
		"path":       func() { m.Path = r.memory.Path },
		"symbol":     func() { m.Symbol = r.memory.Symbol },
		"commit":     func() { m.Commit = r.memory.Commit },
		"source":     func() { m.Source = r.memory.Source },
		"session":    func() { m.Session = r.memory.Session },
	} {
		if c.Flags().Changed(name) {
			take()
		}
	}
}

func (a *app) memoryPin(pin bool) *cobra.Command {
	r := &remembering{app: a}
	c := &cobra.Command{Use: "pin ID", Short: "Never let a note fade", Example: "  patina memory edit m-1f6e --pin"}
	if !pin {
		c = &cobra.Command{
			Use: "unpin ID", Short: "Let a note fade again",
			Example: "  patina memory edit m-1f6e --pin=false",
		}
	}
	return r.newChangeCommand(c, func(ctx context.Context, s *memory.Store, args []string) (memory.Memory, error) {
		return s.Edit(ctx, args[0], true, func(m *memory.Memory) { m.Pinned = pin })
	})
}

func (a *app) memoryForget() *cobra.Command {
	r := &remembering{app: a}
	var purge bool
	c := &cobra.Command{
		Use: "forget ID", Short: "Let a note no longer hold",
		Long:    "Let a note no longer hold. It stays in its history; --purge removes both for\ngood.",
		Example: "  patina memory forget m-1f6e\n  patina memory forget m-1f6e --purge",
	}
	c.Flags().BoolVar(&purge, "purge", false, "remove it and its history for good")
	return r.newChangeCommand(c, func(ctx context.Context, s *memory.Store, args []string) (memory.Memory, error) {
		if purge {
			return s.Purge(ctx, args[0])
		}
		return s.Forget(ctx, args[0])
	})
}

func (a *app) memorySupersede() *cobra.Command {
	r := &remembering{app: a}
	c := &cobra.Command{
		Use: "supersede OLD NEW", Short: "Let one note take another one's place", Args: cobra.ExactArgs(2),
		Example: "  patina memory edit m-1f6e --superseded-by m-90ab",
	}
	return r.newChangeCommand(c, func(ctx context.Context, s *memory.Store, args []string) (memory.Memory, error) {
		return s.Supersede(ctx, args[0], args[1])
	})
}
