// Package rationale finds sentences in which people say why: in the bodies of commits and in
// comments.
//
// A sentence counts if it names an alternative or a constraint, and a cause. commit.go says which
// commits and which lines of a body are read, comment.go which comments, and words.go holds the
// words. A sentence is quoted as it stands, on one line. The package is pure and tolerant: any
// bytes give some sentences or none, in bounded time.
package rationale
