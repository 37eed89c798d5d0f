// Package fresh keeps the index of a project up to date with its tree.
//
// A question compares the tree with its index, and reads the changes if that is quick (look.go). A
// server follows the tree instead, as long as the project is open, and reads each change when it is
// notified (follow.go).
package fresh
