// Package visit finds the other projects that a question or a look-up may go to, and limits what
// they show.
//
// visit.go names them, follows the edges that lead to them, and adds them to a request. Only
// shared.go decides which kinds a project shows to others: ParseKinds reads its setting. The engine
// limits a question asked there (actors.Project.Kinds), and a Service of this package limits a
// look-up. Kinds that are not shared are refused, or left out of other answers, and never named.
package visit
