// Package git starts git: no other package of the product does.
//
// A repository is a stranger's, and git was made to run what its settings name. Here it runs
// nothing: every transport is closed, so that an object that is not there stays away; hooks,
// monitors, pagers, filters, text converters and signature programs are switched off; no variable
// of a caller points it at another repository. A process is killed with all that it started when
// its context ends or its time is up, and, on Linux, when patina dies.
//
// What git prints, and what its errors mean, is the business of the callers.
package git
