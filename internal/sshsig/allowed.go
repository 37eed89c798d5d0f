package sshsig

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"crypto/sha512"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"golang.org/x/crypto/ssh"

	"patina/internal/safeio"
)

// ErrUntrusted is wrapped by errors about a good signature whose key is not among the trusted ones.
var ErrUntrusted = errors.New("no trusted key has signed this")

// Verify returns who has signed a message for a namespace. file has the trusted keys: it is an
// allowed_signers file of OpenSSH, or the file of public keys. The error wraps ErrSignature or
// ErrUntrusted.
func Verify(file, namespace string, message, signature []byte, now time.Time) (who string, err error) {
	text, err := safeio.ReadFile(file, maxFile)
	if err != nil {
		return "", fmt.Errorf("read trusted keys: %w", err)
	}
	key, err := parse(signature, namespace, message)
	if err != nil {
		return "", err
	}
	n := 0
	lines := bufio.NewScanner(bytes.NewReader(text))
	for lines.Scan() {
		n++
		line := strings.TrimSpace(lines.Text())
		if line == "" || line[0] == '#' {
			continue
		}
		a, err := parseAllowed(line)
		if err != nil {
			return "", fmt.Errorf("read trusted keys: %q, line %d: %w", file, n, err)
		}
		if bytes.Equal(a.key.Marshal(), key.Marshal()) && a.admits(namespace, now) {
			return a.who, nil
		}
	}
	if err := lines.Err(); err != nil {
		return "", fmt.Errorf("read trusted keys: %w", err)
	}
	return "", fmt.Errorf("%w: it is signed by %s", ErrUntrusted, ssh.FingerprintSHA256(key))
}

// An allowed is a line of a file with trusted keys.
type allowed struct {
	who           string
	key           ssh.PublicKey
	namespaces    []string // empty: all
	after, before time.Time
}

// parseAllowed reads "principals [options] type key [comment]", or the same without principals.
func parseAllowed(line string) (a allowed, err error) {
	rest := line
	if first, after, _ := strings.Cut(line, " "); !isKeyType(first) {
		a.who, rest = strings.Trim(first, `"`), strings.TrimSpace(after)
	}
	key, comment, options, _, err := ssh.ParseAuthorizedKey([]byte(rest))
	if err != nil {
		return a, errors.New("it has no public key")
	}
	a.key = key
	if a.who == "" {
		a.who = comment
	}
	for _, o := range options {
		name, value, _ := strings.Cut(o, "=")
		value = strings.Trim(value, `"`)
		switch strings.ToLower(name) {
		case "namespaces":
			a.namespaces = strings.Split(value, ",")
		case "valid-after":
			a.after, err = parseTime(value)
		case "valid-before":
			a.before, err = parseTime(value)
		default: // a certificate authority, for example, is not a key that signs
			err = fmt.Errorf("the option %q is not known", name)
		}
		if err != nil {
			return a, err
		}
	}
	return a, nil
}

func isKeyType(word string) bool {
	return strings.HasPrefix(word, "ssh-") || strings.HasPrefix(word, "ecdsa-") || strings.HasPrefix(word, "sk-")
}

// admits reports whether the key may sign for a namespace at a time.
func (a allowed) admits(namespace string, now time.Time) bool {
	return (len(a.namespaces) == 0 || slices.Contains(a.namespaces, namespace)) &&
		(a.after.IsZero() || !now.Before(a.after)) && (a.before.IsZero() || now.Before(a.before))
}

// parseTime reads YYYYMMDD[HHMM[SS]][Z]. Without Z it is local time.
func parseTime(s string) (time.Time, error) {
	where := time.Local
	digits, utc := strings.CutSuffix(s, "Z")
	if utc {
		where = time.UTC
	}
	for _, layout := range []string{"20060102", "200601021504", "20060102150405"} {
		if t, err := time.ParseInLocation(layout, digits, where); err == nil && len(layout) == len(digits) {
			return t, nil
		}
	}
	return time.Time{}, fmt.Errorf("%q is no time", s)
}

// sumOf returns the hash of a message by the name that a signature gives.
func sumOf(name string, message []byte) ([]byte, error) {
	switch name {
	case "sha512":
		sum := sha512.Sum512(message)
		return sum[:], nil
	case "sha256":
		sum := sha256.Sum256(message)
		return sum[:], nil
	}
	return nil, fmt.Errorf("%w: its hash %q is not known", ErrSignature, name)
}
