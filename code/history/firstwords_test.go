package history

import "testing"

func TestFirstWordsOfAMessage(t *testing.T) {
	for body, want := range map[string]string{
		"": "", "\n\nIt was slow.\nNow it is not.": "It was slow.", "Signed-off-by: Ann <a@b>\n": "",
		"Co-authored-by: Ann <a@b>\r\n\r\nFixes: it\n": "Fixes: it", "Change-Id: I12\nwhy": "why",
		"Before this, one was\nallowed. Now two are.\nMore": "Before this, one was allowed. Now two are.", "- one\n- two": "- one",
		"So\n- one": "So", "no full stop\n\nnext": "no full stop",
		"It was slow. It is fast.\nMore.":                           "It was slow. It is fast.",
		"A list\n- one\n- two":                                      "A list",
		"Also:\n\n- one thing\n- another":                           "Also: - one thing",
		"Reviewers: Ada <a@example.org>\n\nWhat it does.":           "What it does.",
		"Signed-off-by: Ada <a@example.org>\nAuthor: Ada <a@b.org>": "",
	} {
		if got := firstWords(body); got != want {
			t.Errorf("%q: %q, want %q", body, got, want)
		}
	}
}
