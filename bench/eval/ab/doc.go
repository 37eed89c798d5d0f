// Package ab compares configurations of answers over tasks whose needs are known: beliefs as
// results of their own, as notes at code or not at all, snippets or whole documents, other weights.
//
// A task names the knowledge and the code that it needs. Every arm (a configuration) answers every
// task, through the engine and in the form that users get. What is compared are the same tasks: one
// that an arm could not answer counts for none.
//
// It promises equal figures for equal answers and seeds, a record of every answer that outlives an
// interrupt, and that no arm is known to a judge. Reading tasks is in task.go and arms in arm.go.
// run.go asks, score.go judges answers by their needs, best.go says what an arm could reach at
// most, overlap.go which words tasks and answers share. interval.go draws samples, report.go holds
// the figures and text.go prints them. pairs.go blinds what a judge sees, judge.go runs it,
// verdict.go reads it, record.go keeps everything.
package ab
