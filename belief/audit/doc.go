// Package audit examines the beliefs of a project: what their evidence leads to and whether it has
// changed since, which links lead nowhere, which beliefs contradict each other, and which nobody
// names.
//
// It reads one generation and judges nothing by its words. audit.go gathers, findings.go says what
// is wrong and what to do about it. Everything is bounded by the beliefs that are read at all
// (belief.Most), and equal input gives equal output.
package audit
