// Package git starts git: no other package in the product does.
//
// A repository may come from a stranger, and git was made to run programs named by settings. Here
// it promises to run none. Every transport is closed, so a missing object stays away. Hooks,
// monitors, pagers, filters, text converters and signature programs are switched off. No variable
// set by a caller points git at another repository. When its context ends or its time is up, git is
// killed with all its children. On Linux the same happens when patina dies.
//
// The meaning of output and errors is left to the callers.
package git
