// Package uninstallcmd is the command that lists everything patina has written, and removes it.
//
// It plans first. An item is removed only if it is known to be patina's: an index whose folder is
// the registered one, an entry of a client's settings that has a mark or a record, a file of a name
// that only patina writes. Links are removed or left, and never followed. Data that a user has
// written goes only with two confirmations.
package uninstallcmd
