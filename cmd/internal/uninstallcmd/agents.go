package uninstallcmd

import (
	"errors"
	"slices"

	"patina/cmd/internal/agentcmd"
	"patina/registry"
)

// agentPlans plans to take patina out of all clients, in the user's settings and in those of the
// registered projects. Nothing that a user has changed or written is taken out.
func agentPlans(env agentcmd.Env, home string) (items []Item, plans []*agentcmd.Plan, err error) {
	recorded, err := env.Recorded()
	if err != nil {
		return nil, nil, err
	}
	plans = append(plans, env.Uninstall(agentcmd.Clients(), agentcmd.User, false))
	if len(recorded) > 0 { // files of projects are never written without a record
		projects, err := registry.Listed(home)
		if err != nil {
			return nil, nil, err
		}
		for _, p := range projects {
			if p.Root != "" && exists(p.Root) {
				in := env
				in.Root = p.Root
				plans = append(plans, in.Uninstall(agentcmd.Clients(), agentcmd.Project, false))
			}
		}
	}
	for _, plan := range plans {
		for _, s := range plan.Steps {
			x := Item{What: agentItem, Path: s.File, At: s.At, Why: s.Why}
			switch s.Action {
			case agentcmd.Remove:
				x.Action = remove
			case agentcmd.Leave, agentcmd.Refuse:
				x.Action = leave
			default: // not there, or not patina's
				continue
			}
			items = append(items, x)
		}
	}
	for _, file := range recorded {
		if !slices.ContainsFunc(items, func(x Item) bool { return sameFile(x.Path, file) }) && exists(file) {
			items = append(items, Item{
				What: agentItem, Path: file, Action: leave,
				Why: "its project is not registered: patina agent uninstall --scope project, there",
			})
		}
	}
	return items, plans, nil
}

// applyPlans writes all plans. The failure of one leaves the others.
func applyPlans(plans []*agentcmd.Plan) (err error) {
	for _, p := range plans {
		err = errors.Join(err, p.Apply())
	}
	return err
}
