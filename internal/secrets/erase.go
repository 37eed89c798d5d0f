package secrets

import (
	"cmp"
	"slices"
	"strings"

	"patina/internal/lazyregexp"
)

// mostPasses bounds how often Erase redacts a text. Each pass finds a thousand secrets of each
// kind.
const mostPasses = 20

// Erase returns a text with each secret replaced by Redacted. It is for texts that nobody looks
// over before they are kept, and therefore stricter than Redact: it heeds no mark by which the text
// itself says that a secret is allowed, it finds secrets that a line break splits, and private keys
// of which the beginning or the end is missing. A text with too many secrets becomes Redacted.
func Erase(text string) string {
	if strings.Contains(text, allowed) {
		text = strings.ReplaceAll(text, allowed, "gitleaks-allow")
	}
	text = eraseWrapped(erasePrivateKeys(text))
	for range mostPasses {
		next := redactAll(replaceRandom(text))
		if next == text {
			return text
		}
		text = next
	}
	return Redacted
}

var (
	keyBegin = lazyregexp.New(`(?i)-----BEGIN[ A-Z0-9_-]{0,100}PRIVATE KEY(?: BLOCK)?(?:-----)?`)
	keyEnd   = lazyregexp.New(`(?i)-----END[ A-Z0-9_-]{0,100}PRIVATE KEY(?: BLOCK)?(?:-----)?`)
	keyRest  = lazyregexp.New(`\A(?:[A-Za-z0-9+/=]|\\+[nrt]|\\|"|\s*\n[ \t>|]*(?:[A-Za-z0-9+/=]{8,}|(?:Proc-Type|DEK-Info|Version|Comment):[^\n]*|$))*`)
	keyStart = lazyregexp.New(`(?:[ \t>|]*[A-Za-z0-9+/=]{16,}(?:\\+[nrt])?\s*)+\z`)
)

// erasePrivateKeys replaces private keys: from their first line to their last, or as far as the
// text looks like a key.
func erasePrivateKeys(text string) string {
	if !strings.Contains(text, "-----") {
		return text
	}
	for {
		at := keyBegin().FindStringIndex(text)
		if at == nil {
			break
		}
		end := at[1]
		if last := keyEnd().FindStringIndex(text[end:]); last != nil && last[0] < longestKey {
			end += last[1]
		} else {
			end += len(keyRest().FindString(text[end:]))
		}
		text = text[:at[0]] + Redacted + text[end:]
	}
	for {
		at := keyEnd().FindStringIndex(text)
		if at == nil {
			return text
		}
		from := max(0, at[0]-longestKey)
		if rest := keyStart().FindStringIndex(text[from:at[0]]); rest != nil {
			from += rest[0]
		} else {
			from = at[0]
		}
		text = text[:from] + Redacted + text[at[1]:]
	}
}

const (
	longestKey    = 16 << 10 // bytes of a private key of 16,384 bits as text, and some
	shortestSplit = 16       // bytes of a token that a line break splits
	longestWrap   = 40       // lines over which a token may run
)

// eraseWrapped replaces secrets that are split over lines, as terminals and mails wrap them. Lines
// are joined only where a token seems to go on, and only the rules for tokens of known form apply,
// because joined words mean nothing.
func eraseWrapped(text string) string {
	lines := strings.SplitAfter(text, "\n")
	var ranges [][2]int
	offset := 0
	for i := 0; i < len(lines); {
		last := i
		for last+1 < len(lines) && last-i < longestWrap && runsOn(lines[last], lines[last+1]) {
			last++
		}
		if last > i {
			ranges = append(ranges, wrappedSecrets(lines[i:last+1], offset)...)
		}
		next := max(i+1, last) // the last line may begin another run
		for ; i < next; i++ {
			offset += len(lines[i])
		}
	}
	slices.SortFunc(ranges, func(a, b [2]int) int { return cmp.Compare(b[0], a[0]) })
	least := len(text)
	for _, r := range ranges {
		if end := min(r[1], least); r[0] < end {
			text = text[:r[0]] + Redacted + text[end:]
			least = r[0]
		}
	}
	return text
}

// runsOn reports whether a token at the end of one line seems to go on in the next one.
func runsOn(line, next string) bool {
	line = strings.TrimRight(line, "\\ \t\r\n")
	next = strings.TrimLeft(next, " \t")
	before := len(line) - len(strings.TrimRightFunc(line, isTokenRune))
	after := len(next) - len(strings.TrimLeftFunc(next, isTokenRune))
	token := line[len(line)-before:] + next[:after]
	return before > 0 && after > 0 && len(token) >= shortestSplit &&
		(strings.ContainsAny(token, digits) || len(token) >= longestWord || strings.ContainsFunc(token[1:], isUpper))
}

const digits = "0123456789"

func isUpper(r rune) bool { return r >= 'A' && r <= 'Z' }
func isLower(r rune) bool { return r >= 'a' && r <= 'z' }

func isTokenRune(r rune) bool {
	return isLower(r) || isUpper(r) || r >= '0' && r <= '9' || strings.ContainsRune("_-+/=.:@", r)
}

// wrappedSecrets returns the places of secrets that are split over some lines, in the text in which
// the first line is at an offset.
func wrappedSecrets(lines []string, offset int) (out [][2]int) {
	var joined strings.Builder
	var places []int // in the text, of each byte of joined
	for i, line := range lines {
		from, to := 0, len(line)
		if i > 0 {
			from = len(line) - len(strings.TrimLeft(line, " \t"))
		}
		if i+1 < len(lines) {
			to = max(from, len(strings.TrimRight(line, "\\ \t\r\n")))
		}
		joined.WriteString(line[from:to])
		for at := from; at < to; at++ {
			places = append(places, offset+at)
		}
		offset += len(line)
	}
	text := joined.String()
	for _, c := range findAll(text) {
		if strings.Contains(c.rule.ID, "generic") || c.secret == "" {
			continue
		}
		for at := 0; ; {
			n := strings.Index(text[at:], c.secret)
			if n < 0 {
				break
			}
			at += n
			out = append(out, [2]int{places[at], places[at+len(c.secret)-1] + 1})
			at += len(c.secret)
		}
	}
	return out
}

// replaceRandom replaces values that the generic rules would allow, because they happen to contain
// a common word, although they are made of random characters.
func replaceRandom(text string) string {
	s := loaded()
	for i, keywords := range s.keywords.findKeywords(text, len(s.rules)) {
		r := &s.rules[i]
		if len(keywords) == 0 || !strings.Contains(r.ID, "generic") {
			continue
		}
		var found []string
		for _, at := range r.matches(text, keywords) {
			if secret := r.secretOf(text[at[0]:at[1]]); looksRandom(secret) && shannonEntropy(secret) > r.Entropy {
				found = append(found, secret)
			}
		}
		for _, secret := range found {
			text = strings.ReplaceAll(text, secret, Redacted)
		}
	}
	return text
}

// leastRandom is the number of characters from which a value may look random.
const leastRandom = 20

// looksRandom reports whether a value is long, of letters and digits alone, and changes its case or
// has digits as names do not.
func looksRandom(s string) bool {
	changes, hasDigit := 0, false
	for i, r := range s {
		switch {
		case strings.ContainsRune(digits, r):
			hasDigit = true
		case !isUpper(r) && !isLower(r):
			return false
		case i > 0 && isUpper(r) != isUpper(rune(s[i-1])):
			changes++
		}
	}
	return len(s) >= leastRandom && (hasDigit && changes > 1 || 3*changes > len(s))
}
