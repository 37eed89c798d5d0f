package content

import (
	"bytes"

	"patina/code/lang"
	"patina/internal/lazyregexp"
)

var (
	// keyHeader is the first line of a private key in any of the formats: PEM, OpenSSH, PGP, SSH2,
	// OpenVPN.
	keyHeader = lazyregexp.New(`-----? ?BEGIN (?:[A-Z0-9 ]{1,40} )?(?:PRIVATE KEY|PRIVATE KEY BLOCK` +
		`|OpenVPN Static key V1) ?-----?`)
	puttyKey = lazyregexp.New(`^\s*PuTTY-User-Key-File-[0-9]+: `)
	ageKey   = lazyregexp.New(`(?m)^\s*AGE-SECRET-KEY-(?:PQ-)?1[0-9A-Z]{50,}\s*$`)
	// armourHeader is a line between the first line of a key and its data: Proc-Type, DEK-Info,
	// Version, Comment.
	armourHeader = lazyregexp.New(`^[ \t"'+]*[A-Za-z-]{4,20}: .*`)
)

// keyData is the least number of base64 characters of data after a header. The shortest keys have
// 64, and an example that ends in "..." has fewer.
const keyData = 40

// holdsPrivateKey reports whether a text contains a private key, and not only a mention of how one
// begins. Code never counts, because people search the code of cryptographic libraries. In a
// document the header must be followed by data. In other text it must be on a line of its own, or
// followed by data.
func holdsPrivateKey(name string, b []byte) bool {
	if !mayHoldKey(b) || lang.Of(name, b).Code {
		return false
	}
	if puttyKey().Match(b) || ageKey().Match(b) {
		return true
	}
	for _, at := range keyHeader().FindAllIndex(b, -1) {
		if hasKeyData(b[at[1]:]) || !isDocument(name, b) && standsAlone(b, at[0], at[1]) {
			return true
		}
	}
	return false
}

// mayHoldKey reports whether a text may contain a key. It is cheap and spares most texts the rest.
func mayHoldKey(b []byte) bool {
	for _, sign := range []string{"PRIVATE KEY", "PuTTY-User-Key-File-", "AGE-SECRET-KEY-", "OpenVPN Static key"} {
		if bytes.Contains(b, []byte(sign)) {
			return true
		}
	}
	return false
}

// isDocument reports whether a file is a document.
func isDocument(name string, b []byte) bool { return lang.Of(name, b).Document }

// standsAlone reports whether the line of b[from:to] has only space around it.
func standsAlone(b []byte, from, to int) bool {
	before := b[bytes.LastIndexByte(b[:from], '\n')+1 : from]
	after, _, _ := bytes.Cut(b[to:], []byte{'\n'})
	return len(bytes.TrimSpace(before)) == 0 && len(bytes.TrimSpace(after)) == 0
}

// hasKeyData reports whether b begins with the data of a key. The lines may be indented, quoted,
// joined by plus signs, or written as \n.
func hasKeyData(b []byte) bool {
	b = b[:min(len(b), 2000)]
	b = bytes.ReplaceAll(bytes.ReplaceAll(b, []byte(`\r`), nil), []byte(`\n`), []byte("\n"))
	n := 0
	for line := range bytes.Lines(b) {
		line = bytes.TrimRight(line, "\r\n")
		if armourHeader().Match(line) {
			continue
		}
		line = bytes.Trim(line, " \t\"'`,+\\>|#*")
		for _, c := range line {
			if !isBase64(c) {
				return false
			}
			if n++; n >= keyData {
				return true
			}
		}
	}
	return false
}

func isBase64(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '+' || c == '/' || c == '='
}
