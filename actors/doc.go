// Package actors runs queries. It is the engine behind every front-end, and the only package that
// knows about actors.
//
//	engine ── repo/<project> ── oracle/<channel>
//	       │                 ├─ query/<query>    (a fanout: one query in this project)
//	       │                 └─ read/<query>     (a reading: one look-up in this project)
//	       ├─ peer/<project>                     (asks a Target: a project somewhere else)
//	       └─ router ────────── fusion/<query>   (one query in all its projects)
//
// A fusion gathers projects as a fanout gathers oracles, with the same code. It promises an answer
// within the budget plus stalls of the process (MostStalled). A part that fails, panics, is late or
// has nothing to search is named in the answer and costs only its own list. A query sees one
// generation of each project. Callers use the methods of api.Service, and Close.
//
// Projects join and leave while the engine runs: Add, AddTarget, Remove. The messages between an
// engine and a project are those of package api, which are plain data.
//
// A question goes through request.go (checked, given defaults), router.go, fusion.go, repo.go
// (waits for a slot), fanout.go (pins a generation, asks the oracles), oracle.go (one call),
// evidence.go, and back to fusion.go. limiter.go and breaker.go decide who is asked when,
// lease.go when a generation may go. All three know nothing about actors.
//
// Package oracles ranks documents, package ranking merges all lists, package lookups answers
// look-ups, and the front ends print.
package actors
