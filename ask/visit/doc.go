// Package visit finds the other projects that a question, or a look-up, may go to, and limits what
// they show.
//
// visit.go names them, follows the edges that lead to them, and adds them to a request. shared.go
// alone decides what a project shows to others: Parse reads its setting. A question asked there is
// limited by the engine (actors.Project.Kinds), a look-up by a Service of this package. What is not
// shared is refused, or left out of what else is shown, and never named.
package visit
