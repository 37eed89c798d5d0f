// Package audit examines the beliefs of a project: whether the targets of their evidence exist and
// have changed since, which links are broken, which beliefs contradict each other, and which are
// unused.
//
// It reads one generation and does not judge the meaning of texts. audit.go gathers, and
// findings.go reports the flaws with their fixes. The work is bounded by the number of beliefs that
// are read (belief.Most). Equal input gives equal output.
package audit
