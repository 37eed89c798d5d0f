package actors

import (
	"time"

	"golang.org/x/sys/unix"

	"patina/oracles"
)

// A question has two budgets. Wall-clock time is a ceiling against calls that hang. Processor time
// keeps answers equal on a busy machine, where they only come later.
//
// Neither counts time in which the process did not run, up to MostStalled.
//
// The shares of the ceiling are for successive steps. A step that begins late gets its whole share.
const (
	// othersEnd and wordsEnd are the times by which the lists of a project must be there, in
	// hundredths of an Ask's budget. The lists by words may take longest, because there is no
	// answer without them.
	othersEnd = 60
	wordsEnd  = 80
	// evidenceTime and describeTime are the least times for evidence and descriptions, in
	// hundredths.
	evidenceTime = 15
	describeTime = 10
	// processorTime is the processor time after which a question ends all lists but those by words,
	// in hundredths of its budget. Concurrent questions share the time that the process uses.
	processorTime = 50

	// wordsLeast is the least time for words, however short the budget is. It must be bounded,
	// because a disk may hang.
	wordsLeast = 5 * time.Second
	// Stalls up to longestStalled in total, or stalledTimes the budget, do not count.
	longestStalled = 40 * time.Second
	stalledTimes   = 5

	// meterTick is the interval at which a question checks its processor time.
	meterTick = 50 * time.Millisecond
)

// wordsChannel is the channel that may take longest.
var wordsChannel = oracles.Lexical{}.Name()

// wordsBudget returns the time that words may take.
func wordsBudget(ask time.Duration) time.Duration { return max(percentOf(ask, wordsEnd), wordsLeast) }

// longestAsk returns the time after which a project has answered an Ask in any case.
func longestAsk(ask time.Duration) time.Duration {
	return max(ask, wordsBudget(ask)+percentOf(ask, evidenceTime))
}

// askBudget returns the budget of a question's Ask.
func askBudget(question time.Duration) time.Duration {
	return question - percentOf(question, describeTime)
}

// longestQuestion returns the time after which a question is answered in any case.
func longestQuestion(question time.Duration) time.Duration {
	return longestAsk(askBudget(question)) + linger + percentOf(question, describeTime)
}

// MostStalled returns the time for which the process may be stalled before that counts as a
// question's time.
func MostStalled(question time.Duration) time.Duration {
	return min(longestStalled, stalledTimes*question)
}

// processorUsed returns the processor time that this process has used.
func processorUsed() time.Duration {
	var u unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &u); err != nil {
		return 0 // the ceiling still holds
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// percentOf returns n hundredths of a budget.
func percentOf(budget time.Duration, n int) time.Duration { return budget * time.Duration(n) / 100 }
