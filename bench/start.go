package main

import "context"

// starts is the number of starts that each run measures. It is more than one because a start takes
// only milliseconds.
const starts = 3

// start measures "patina version", which reads nothing: the least cost of any command.
func (b *bench) start(ctx context.Context) error {
	b.say("starts")
	var all []usage
	for range starts * b.times.runs {
		u, err := b.process(ctx, nil, b.patina, "version")
		if err != nil {
			return err
		}
		all = append(all, u)
	}
	b.report.add(
		figure{"start of a command (`patina version`)", "ms", each(all, func(u usage) float64 {
			return wallSeconds(u) * 1000
		})},
		figure{"— processor time", "ms", each(all, func(u usage) float64 { return cpuSeconds(u) * 1000 })},
		figure{"— resident memory, most of it mapped from the file of the program", "MB", each(all, peakMegabytes)},
	)
	return nil
}
