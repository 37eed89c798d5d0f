// Package agent writes patina into the settings of coding agents, and takes it out again.
//
// It plans first: a Plan says which files change and how, and Apply writes it. A file is edited as
// bytes. Its comments, order, indentation and line endings stay, what does not parse is refused,
// what somebody has changed in an entry of ours is reported and left alone, and taking ours out
// gives back the file as it was. Each client is one descriptor (clients.go) with its source.
//
// It starts no program. What the hooks answer is here too (hook.go). The command line is left to
// the front end.
package agent
