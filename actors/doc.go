// Package actors runs queries: it is the engine behind every front-end, and the only package that knows of actors.
//
//	engine ── repo/<name> ── oracle/<channel>
//	       │              ├─ visit (a query in this project)
//	       │              └─ reading (a look-up in this project)
//	       └─ router ────── tour (a query in all projects)
//
// A tour gathers projects as a visit gathers oracles, with the same code. It promises an answer within the budget: what
// fails, panics, is late or has nothing to search is named in the answer and costs its own list only. A query sees one
// generation of each project. A look-up (Detail, Assay, Recent and the like) is for one project, and holds a slot of it as a
// query does. Callers see the ordinary methods of a Service, and Close.
//
// How documents are ranked it leaves to package oracles, what rankings mean together to package fusion, and what a result
// looks like to the front-ends.
package actors
