// Package fresh keeps the index of a project up to date with its tree.
//
// A question looks whether the tree has moved away from its index, and reads what changed if that
// is quick (look.go). A server follows the tree instead, as long as the project is open, and reads
// each change when it is told of it (follow.go).
package fresh
