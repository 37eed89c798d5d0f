// Package rule reads the rules that a project gives to agents and contributors: the sentences of
// AGENTS.md and its kin, of contribution guides and of style guides that tell somebody what to do.
//
// path.go says which files hold rules, rule.go which sentences are some, verbs.go which words begin
// an instruction. A rule is quoted with its lines. It is pure and tolerant: any bytes give some
// rules or none, in bounded time.
package rule
