package main

import (
	"context"
	"strings"
	"testing"

	"patina/scrape"
)

func TestAnInterruptedFirstScrapeSaysWhatAnswers(t *testing.T) {
	if got := left(scrape.WordsError{Err: context.Canceled}); !strings.Contains(got, "words and history answer") {
		t.Errorf("after the words it says %q", got)
	}
	if got := left(context.Canceled); got != "" {
		t.Errorf("before the words it says %q", got)
	}
}
