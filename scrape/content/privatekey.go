package content

import (
	"bytes"

	"patina/code/lang"
	"patina/internal/lazyregexp"
)

var (
	// keyHeader is the first line of a private key in any of the armours: PEM, OpenSSH, PGP, SSH2,
	// OpenVPN.
	keyHeader = lazyregexp.New(`-----? ?BEGIN (?:[A-Z0-9 ]{1,40} )?(?:PRIVATE KEY|PRIVATE KEY BLOCK|OpenVPN Static key V1) ?-----?`)
	puttyKey  = lazyregexp.New(`^\s*PuTTY-User-Key-File-[0-9]+: `)
	ageKey    = lazyregexp.New(`(?m)^\s*AGE-SECRET-KEY-(?:PQ-)?1[0-9A-Z]{50,}\s*$`)
	// armourHeader is a line between the first line of a key and its data: Proc-Type, DEK-Info,
	// Version, Comment.
	armourHeader = lazyregexp.New(`^[ \t"'+]*[A-Za-z-]{4,20}: .*`)
)

// keyData is the number of base64 characters that make data after a header. The shortest keys have
// 64; an example that ends in "..." has fewer.
const keyData = 40

// holdsPrivateKey reports whether a text holds a private key, rather than mentioning how one
// begins. Code never counts: people search that of a cryptographic library. In a document the
// header needs its data; in other text a line of its own is enough.
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

// mayHoldKey spares most texts the rest.
func mayHoldKey(b []byte) bool {
	for _, sign := range []string{"PRIVATE KEY", "PuTTY-User-Key-File-", "AGE-SECRET-KEY-", "OpenVPN Static key"} {
		if bytes.Contains(b, []byte(sign)) {
			return true
		}
	}
	return false
}

// isDocument reports whether a text is one that explains.
func isDocument(name string, b []byte) bool { return lang.Of(name, b).Document }

// standsAlone reports whether nothing but space stands on the line of b[from:to].
func standsAlone(b []byte, from, to int) bool {
	before := b[bytes.LastIndexByte(b[:from], '\n')+1 : from]
	after, _, _ := bytes.Cut(b[to:], []byte{'\n'})
	return len(bytes.TrimSpace(before)) == 0 && len(bytes.TrimSpace(after)) == 0
}

// hasKeyData reports whether the data of a key follow its header. The lines may be indented,
// quoted, joined by plus signs, or written as \n.
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
