// Package git starts git: no other package of the product does.
//
// A repository is a stranger's, and git was made to run the programs that settings name. Here it
// runs none. Every transport is closed, so a missing object stays away. Hooks, monitors, pagers,
// filters, text converters and signature programs are switched off. No variable of a caller points
// git at another repository. When its context ends or its time is up, git is killed with all that
// it started. On Linux the same happens when patina dies.
//
// The meaning of output and errors is left to the callers.
package git
