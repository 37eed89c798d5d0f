package wire

import "time"

// The limits of the wire. Each bounds what one peer may cost, whoever it is.
const (
	// MaxRequest bounds a request: a pasted issue has 64 kB, and the wants of an answer 100 kB.
	MaxRequest = 1 << 20
	// MaxReply bounds a reply: the lists of a repository have some 30 kB, and 300 kB at most.
	MaxReply = 4 << 20
	// MaxHeaders bounds the metadata of a call.
	MaxHeaders = 16 << 10
	// MaxStreams bounds the streams of a connection.
	MaxStreams = 256
	// MaxCalls bounds the calls to one peer at once.
	MaxCalls = 64
	// MaxQuestions bounds the questions of one user that are under way, and MaxRate how many begin
	// in a second.
	MaxQuestions = 8
	MaxRate      = 50
	// MaxBudget is the longest time that a server works for one call.
	MaxBudget = 30 * time.Second
	// HandshakeTime bounds a handshake. A connection ends after IdleTime without a call, and after
	// ConnectionAge so that its certificate is looked at again.
	HandshakeTime = 5 * time.Second
	IdleTime      = 10 * time.Minute
	ConnectionAge = 30 * time.Minute
	// SameAge is the difference of two replicas' scrapes that makes neither fresher: each fetches
	// by its own clock.
	SameAge = 10 * time.Minute
)

// The vectors of a question, and the components of each. There is one for each model of the asker,
// and models of text have 384 to 1,024 components, the largest 4,096.
const (
	mostVectors    = 8
	mostDimensions = 4096
)

// A JSON value may cost its reader far more memory than bytes: "{}," makes a whole Description. So
// their number is bounded, too. The wants of an answer have some 1,000 values, and the longest
// answers 50,000.
const (
	mostRequestValues = 1 << 15
	mostReplyValues   = 1 << 17
	mostDepth         = 64
)
