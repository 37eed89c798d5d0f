// Package ui is "patina ui": pages of one project on this machine's own address.
//
// A page shows the answers of commands: it makes the same requests (package ask) and takes parts of
// the same texts (package deliver). Everything is made here, on the server; a script fetches
// parts of a page that take longer (htmx), and moves the focus. The address of a page holds its
// state.
//
// It promises that:
//
//   - Nobody gets an answer without the token, from another host, or from another site (guard.go).
//   - Whatever a repository holds stays text: templates escape it, and no page has a script or a
//     style of its own.
//   - A GET changes nothing but the log of questions. Changes are POSTs with a second secret, and
//     they are those of commands: notes, proposals, a new belief.
//   - No page loads anything from elsewhere.
package ui
