// Package archtest tests the source tree: which package may import which, that the tour in doc.go
// and the pages name existing files, that comments and names keep to the conventions, that the
// constants of the ranking are documented, and that each promise of docs/security.md has a test.
package archtest
