package transcript

import (
	"strings"
	"unicode/utf8"

	"patina/internal/lazyregexp"
)

var escapes = lazyregexp.New("\x1b(?:\\[[0-9;?]*[ -/]*[@-~]|\\][^\x07\x1b]*(?:\x07|\x1b\\\\)?|.)?")

// cleanText returns a text without control characters, sequences for terminals and invalid bytes.
// It must come before secrets are looked for, because a colour in a token hides it.
func cleanText(s string) string {
	if strings.ContainsRune(s, '\x1b') {
		s = escapes().ReplaceAllString(s, "")
	}
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t':
			return r
		case r == '\r' || r == utf8.RuneError || r < ' ' || r >= 0x7f && r < 0xa0:
			return -1
		case r == 0xad || r >= 0x200b && r <= 0x200f || r >= 0x202a && r <= 0x202e || r >= 0x2060 && r <= 0x2069 ||
			r == 0xfeff:
			return -1 // no width, or another direction
		}
		return r
	}, s)
}

// insertedBlock matches a block that a program put into a user's message. Such a block may be long
// and is the same in each session.
var insertedBlock = lazyregexp.New(`(?s)<(system-reminder|local-command-stdout|command-name|command-message|` +
	`command-args|environment_context|user_instructions|INSTRUCTIONS)>.*?</(system-reminder|local-command-stdout|` +
	`command-name|command-message|command-args|environment_context|user_instructions|INSTRUCTIONS)>`)

// withoutInserted returns the typed part of a message. A text that begins with a tag was
// inserted as a whole.
func withoutInserted(text string) string {
	if strings.Contains(text, "<") {
		text = insertedBlock().ReplaceAllString(text, "")
	}
	text = strings.TrimSpace(text)
	if inserted().MatchString(text) || strings.HasPrefix(text, "Caveat: The messages below were generated") {
		return ""
	}
	return text
}

// shortenMessage returns a message of at most maxMessage bytes: its beginning, the lines in the
// middle that name an error, and its end.
func shortenMessage(text string) string {
	if len(text) <= maxMessage {
		return text
	}
	const end = 2 << 10
	begin := maxMessage - end - maxErrors - 16
	head, middle, tail := text[:begin], text[begin:len(text)-end], text[len(text)-end:]
	between := "…"
	if saysError().MatchString(middle[:min(len(middle), windowBytes)]) {
		between += "\n" + errorLines(middle[:min(len(middle), windowBytes)]) + "\n…"
	}
	return strings.ToValidUTF8(head, "") + "\n" + between + "\n" + strings.ToValidUTF8(tail, "")
}

// cutPieces cuts a text into pieces of at most maxPiece bytes, at empty lines if possible,
// otherwise at ends of lines or words.
func cutPieces(text string) (out []string) {
	text = strings.TrimSpace(text)
	for len(text) > maxPiece {
		at := -1
		for _, end := range []string{"\n\n", "\n", " "} {
			if at = strings.LastIndex(text[:maxPiece], end); at >= maxPiece/3 {
				break
			}
		}
		if at < maxPiece/3 {
			for at = maxPiece; at > 0 && !utf8.RuneStart(text[at]); at-- {
			}
		}
		if piece := strings.TrimSpace(text[:at]); piece != "" {
			out = append(out, piece)
		}
		text = strings.TrimSpace(text[at:])
	}
	if text != "" {
		out = append(out, text)
	}
	return out
}

// clipText returns the beginning of a text, at most n bytes.
func clipText(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}
