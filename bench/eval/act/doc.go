// Package act measures the hooks of coding agents at the act: whether knowledge that is written
// down comes back when a file is edited, a command is run or an error appears, and whether it
// helps.
//
// Echo (echo.go) is a scripted client. It notes a word that nobody can guess in a copy of a
// repository, starts "patina hook" as a client does, and looks for the word in the answers. Run
// (run.go) lets an agent of the user do tasks in copies, with the hooks and without, and asks a
// command of the task whether it is done (task.go).
//
// It starts three kinds of programs: patina itself, the user's agent, and the checks of the user's
// tasks. Nothing that the repository names is started. All work is in a folder that the caller
// gives, with a home of its own, so that neither the repository nor the user's home changes.
package act
