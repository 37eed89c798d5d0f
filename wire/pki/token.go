package pki

import (
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"net"
	"strconv"
	"strings"
	"unicode"

	"patina/internal/lazyregexp"
)

// A Fingerprint is the SHA-256 of a CA's certificate.
type Fingerprint [sha256.Size]byte

// FingerprintOf returns the fingerprint of a certificate.
func FingerprintOf(cert *x509.Certificate) Fingerprint { return sha256.Sum256(cert.Raw) }

// String returns hexadecimal digits.
func (f Fingerprint) String() string { return hex.EncodeToString(f[:]) }

// A Token lets someone join. It says where a front is, which CA it must prove to belong to, and
// the secret of an invitation.
type Token struct {
	Addresses []string // of fronts, host:port; at least one
	CA        Fingerprint
	Secret    string // as Invite made it
}

// The form of a token: the prefix and, in base64url, a version, the fingerprint, the secret, the
// addresses joined by commas, and the first bytes of the SHA-256 of all before. The prefix lets
// scanners find tokens in texts. The checksum finds a token that lost a character on its way; it
// keeps nobody from forging one.
const (
	tokenPrefix   = "patina-join-"
	tokenVersion  = 1
	secretBytes   = 16
	checksumBytes = 4
	maxAddresses  = 8
	maxAddress    = 262 // a host name of 253, a colon, a port, and brackets
	// maxToken bounds a token, in characters.
	maxToken = len(tokenPrefix) + (1+sha256.Size+secretBytes+maxAddresses*(maxAddress+1)+checksumBytes)*4/3 + 4
)

// ErrToken is the cause when a text is not a whole token.
var ErrToken = errors.New("not a join token")

// Text returns the token in one line. It holds the secret, so it must not be logged. It returns an
// error if the token cannot be parsed again.
func (t Token) Text() (string, error) {
	secret, err := base64.RawURLEncoding.DecodeString(t.Secret)
	if err != nil || len(secret) != secretBytes {
		return "", fmt.Errorf("write token: its secret is not one of an invitation: %w", ErrToken)
	}
	if err := checkAddresses(t.Addresses); err != nil {
		return "", fmt.Errorf("write token: %w", err)
	}
	b := append([]byte{tokenVersion}, t.CA[:]...)
	b = append(b, secret...)
	b = append(b, strings.Join(t.Addresses, ",")...)
	sum := sha256.Sum256(b)
	return tokenPrefix + base64.RawURLEncoding.EncodeToString(append(b, sum[:checksumBytes]...)), nil
}

// ParseToken reads a token. Spaces, line breaks and quotes that a chat or a shell added around it
// or in it do not matter. It returns an error that wraps ErrToken for any other text, and never
// repeats it, because it may hold most of a secret.
func ParseToken(text string) (Token, error) {
	if len(text) > 2*maxToken {
		return Token{}, fmt.Errorf("%d characters are too many: %w; "+
			"copy the line that \"patina node invite\" printed", len(text), ErrToken)
	}
	encoded, ok := strings.CutPrefix(strings.Map(tokenRune, text), tokenPrefix)
	if !ok {
		return Token{}, fmt.Errorf("it does not begin with %q: %w; "+
			"copy the whole line that \"patina node invite\" printed", tokenPrefix, ErrToken)
	}
	b, err := base64.RawURLEncoding.Strict().DecodeString(encoded)
	const fixed = 1 + sha256.Size + secretBytes
	if err != nil || len(b) < fixed+checksumBytes {
		return Token{}, errCorrupt
	}
	body, given := b[:len(b)-checksumBytes], b[len(b)-checksumBytes:]
	if sum := sha256.Sum256(body); string(sum[:checksumBytes]) != string(given) {
		return Token{}, errCorrupt
	}
	if body[0] != tokenVersion {
		return Token{}, fmt.Errorf("it has version %d, and this patina reads %d: %w; use the patina that made it",
			body[0], tokenVersion, ErrToken)
	}
	t := Token{Addresses: strings.Split(string(body[fixed:]), ",")}
	copy(t.CA[:], body[1:])
	t.Secret = base64.RawURLEncoding.EncodeToString(body[1+sha256.Size : fixed])
	if err := checkAddresses(t.Addresses); err != nil {
		return Token{}, fmt.Errorf("%w: %w", ErrToken, err)
	}
	return t, nil
}

var errCorrupt = fmt.Errorf("characters are missing or changed: %w; copy the whole line again, "+
	"as code if it came by a chat", ErrToken)

// tokenRune drops the characters that people and programs put around and into a copied line.
func tokenRune(r rune) rune {
	if unicode.IsSpace(r) || !unicode.IsPrint(r) || strings.ContainsRune("`'\"<>", r) {
		return -1
	}
	return r
}

// checkAddresses returns an error unless there are between one and maxAddresses of the form
// host:port.
func checkAddresses(all []string) error {
	if len(all) == 0 || len(all) > maxAddresses {
		return fmt.Errorf("%d addresses of fronts: give 1 to %d as host:port", len(all), maxAddresses)
	}
	for _, a := range all {
		host, port, err := net.SplitHostPort(a)
		if err == nil {
			err = checkHost(host)
		}
		if _, bad := strconv.ParseUint(port, 10, 16); err != nil || bad != nil || len(a) > maxAddress {
			return fmt.Errorf("address %.80q of a front: it must be host:port", a)
		}
	}
	return nil
}

// hostName matches names of hosts. Underscores are not in the standard, and networks of containers
// have them.
var hostName = lazyregexp.New(`^[A-Za-z0-9_]([A-Za-z0-9_-]{0,62})(\.[A-Za-z0-9_][A-Za-z0-9_-]{0,62})*$`)

// checkHost returns an error unless a text is an IP address or can be a host name.
func checkHost(host string) error {
	if net.ParseIP(host) != nil {
		return nil
	}
	if len(host) > 253 || !hostName().MatchString(host) {
		return fmt.Errorf("host %.80q: it must be an IP address or a name such as node-0.example.com", host)
	}
	return nil
}
