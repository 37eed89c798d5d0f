// Package actors runs queries: it is the engine behind every front-end, and the only package that knows of actors.
//
//	engine ── repo/<project> ── oracle/<channel>
//	       │                 └─ query/<query> (a fanout: one query in this project)
//	       └─ router ────────── fusion/<query> (one query in all its projects)
//
// A fusion gathers projects as a fanout gathers oracles, with the same code. It promises an answer within the budget: what
// fails, panics, is late or has nothing to search is named in the answer and costs its own list only. A query sees one
// generation of each project. Callers see ordinary methods: Scry, Why, Detail, Close.
//
// How documents are ranked it leaves to package oracles, what rankings mean together to package fusion, and what a result
// looks like to the front-ends.
package actors
