// Package ab compares configurations of answers over tasks whose needs are known. Configurations
// differ in beliefs (as results, as notes at code, or not at all), in snippets or whole documents,
// and in weights.
//
// A task names the knowledge and the code that it needs. Every arm (a configuration) answers every
// task, through the engine and in the form that users get. Only tasks that every arm could answer
// count, because arms must be compared on the same tasks.
//
// Equal answers and seeds give equal figures. A record of every answer survives an interrupt. A
// judge must not learn which arm an answer is from.
//
// task.go reads tasks and arm.go arms. run.go asks, score.go scores answers by the needs, best.go
// computes the most that an arm could reach, and overlap.go the words that tasks and documents
// share. interval.go draws samples, report.go has the figures and text.go prints them. pairs.go
// prepares the pairs for a judge, judge.go runs it, verdict.go evaluates its answers, and record.go
// writes everything down.
package ab
