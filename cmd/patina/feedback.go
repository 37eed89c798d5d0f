package main

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"patina/actors"
	"patina/cmd/internal/cli"
	"patina/cmd/internal/mothercmd"
	"patina/mother"
	"patina/querylog"
)

// What answers show of other projects, and what of it is used, moves the weights of edges
// (docs/mother.md, "Learning"). All of it stays in this user's home.

// edgeTo is the way from the project at hand to one of a logged answer.
func (s *scrying) edgeTo(home string, r querylog.Place) mother.Use {
	return mother.Use{From: home, To: s.place.Of(r.Root, r.Store).ID}
}

// learn adds uses to their edges, unless that is switched off. A question is answered all the same.
func (s *scrying) learn(ctx context.Context, uses []mother.Use) {
	if !s.settings.Learn || len(uses) == 0 {
		return
	}
	if err := mother.Count(ctx, s.place.Home, uses); err != nil {
		s.Warn("not counted: %v", err)
	}
}

// showedVisits counts the results that visits gave to an answer.
func (s *scrying) showedVisits(ctx context.Context, a *actors.Answer) {
	var uses []mother.Use
	for _, v := range s.visits {
		if v.Relation == "" {
			continue // no edge leads there
		}
		u := mother.Use{From: s.place.ID, To: v.ID, Relation: v.Relation, Asked: 1}
		for _, r := range a.Results {
			if r.Key.Project == v.Name {
				u.Shown++
			}
		}
		uses = append(uses, u)
	}
	s.learn(ctx, uses)
}

// opened counts that a result of an answer was opened.
func (s *scrying) opened(ctx context.Context, q querylog.Query, rank int) {
	if r := q.Results[rank-1]; r.Root != "" {
		u := s.edgeTo(s.place.Of(q.Root, q.Store).ID, r)
		u.Used = 1
		s.learn(ctx, []mother.Use{u})
	}
}

// feedback counts that somebody found an answer good or bad: the result at a rank, or the best one
// of each other project. A bad one counts as shown once more, and not used.
func (s *scrying) feedback(ctx context.Context, args []string) error {
	usage := "such as patina scry feedback q_260202143000_abc good 2"
	if len(args) < 2 || len(args) > 3 || args[1] != "good" && args[1] != "bad" {
		return cli.Hint(errors.New("feedback wants a query id, good or bad, and perhaps a rank"), usage)
	}
	q, err := querylog.In(s.place.Home).Find(args[0])
	if err != nil {
		return cli.Hint(err, usage)
	}
	ranks := []int{}
	if len(args) == 3 {
		rank, err := rankOf(args[2:])
		if err != nil {
			return err
		}
		if rank > len(q.Results) {
			return fmt.Errorf("query %s has %s", args[0], cli.Plural(len(q.Results), "result"))
		}
		ranks = append(ranks, rank)
	} else {
		var seen []string
		for i, r := range q.Results {
			if r.Root != "" && !slices.Contains(seen, r.Root) {
				seen, ranks = append(seen, r.Root), append(ranks, i+1)
			}
		}
	}
	home := s.place.Of(q.Root, q.Store).ID
	var uses []mother.Use
	for _, rank := range ranks {
		if r := q.Results[rank-1]; r.Root != "" {
			u := s.edgeTo(home, r)
			if u.Used = 1; args[1] == "bad" {
				u.Used, u.Shown = 0, 1
			}
			uses = append(uses, u)
		}
	}
	if !s.settings.Learn {
		return cli.Hint(errors.New("nothing is learned: learn = false"), "patina config --help")
	}
	if len(uses) == 0 {
		fmt.Fprintln(s.Out, "nothing to learn: no result of another project is meant")
		return cli.Exit(cli.ExitNothing)
	}
	if err := mother.Count(ctx, s.place.Home, uses); err != nil {
		return mothercmd.Unlinked(err)
	}
	fmt.Fprintf(s.Out, "counted for %s; the weights move with patina mother learn\n", cli.Plural(len(uses), "edge"))
	return nil
}
