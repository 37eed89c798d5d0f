package actors

import (
	"time"

	"golang.org/x/sys/unix"

	"patina/oracles"
)

// A question has two budgets: wall-clock time, which is a ceiling against whatever hangs, and
// processor time. On a machine that others keep busy an answer comes later, but it is the same.
//
// Neither counts time in which the process did not run, up to MostStalled: whoever has to wait long
// for a processor gets the same answer, still later.
//
// The shares of the ceiling are for steps that follow one another. A step that begins late gets its
// share all the same.
const (
	// othersEnd and wordsEnd say when the lists of a project must be there, in hundredths of an
	// Ask's budget: without those by words there is no answer, so they may take longest.
	othersEnd = 60
	wordsEnd  = 80
	// evidenceTime and describeTime are what evidence and descriptions get at least.
	evidenceTime = 15
	describeTime = 10
	// processorTime is what a question may use of the processors before it ends all lists but
	// those by words, in hundredths of its budget. Questions that run at once share what their
	// process uses.
	processorTime = 50

	// wordsLeast is what words get in any case, however short the budget is: a disk that hangs must
	// not hold an answer for ever.
	wordsLeast = 5 * time.Second
	// Stalls of longestStalled altogether, or of stalledTimes the budget, are not counted.
	longestStalled = 40 * time.Second
	stalledTimes   = 5

	// meterTick is how often a question looks at the processor time used.
	meterTick = 50 * time.Millisecond
)

// wordsChannel is the channel whose lists are waited for longest.
var wordsChannel = oracles.Lexical{}.Name()

// wordsBudget is how long words may take.
func wordsBudget(ask time.Duration) time.Duration { return max(percentOf(ask, wordsEnd), wordsLeast) }

// longestAsk is the time after which a project has answered an Ask, whatever is silent there.
func longestAsk(ask time.Duration) time.Duration {
	return max(ask, wordsBudget(ask)+percentOf(ask, evidenceTime))
}

// askBudget is the budget of an Ask in a question's.
func askBudget(question time.Duration) time.Duration {
	return question - percentOf(question, describeTime)
}

// longestQuestion is the time after which a question is answered, whatever is silent.
func longestQuestion(question time.Duration) time.Duration {
	return longestAsk(askBudget(question)) + linger + percentOf(question, describeTime)
}

// MostStalled is for how long the process may have been kept from running before that counts as a
// question's time.
func MostStalled(question time.Duration) time.Duration {
	return min(longestStalled, stalledTimes*question)
}

// processorUsed is the processor time that this process has used so far.
func processorUsed() time.Duration {
	var u unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &u); err != nil {
		return 0 // the ceiling still holds
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// percentOf returns so many hundredths of a budget.
func percentOf(budget time.Duration, n int) time.Duration { return budget * time.Duration(n) / 100 }
