package pki

import (
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"reflect"
	"strings"
	"testing"
)

var aToken = Token{
	Addresses: []string{"front-0.example.com:7420", "10.0.0.7:7420", "[::1]:7420"},
	CA:        sha256.Sum256([]byte("a CA")),
	Secret:    base64.RawURLEncoding.EncodeToString([]byte("sixteen secret b")),
}

func TestToken(t *testing.T) {
	text, err := aToken.Text()
	check(t, err)
	if strings.ContainsAny(text, " \n\t\"'") || !strings.HasPrefix(text, tokenPrefix) {
		t.Errorf("%q", text)
	}
	for _, copied := range []string{
		text, "  " + text + "\r\n", "`" + text + "`", "<" + text + ">", `"` + text + `"`,
		text[:40] + "\n  " + text[40:], text[:20] + "\u200b" + text[20:],
	} {
		got, err := ParseToken(copied)
		if err != nil || !reflect.DeepEqual(got, aToken) {
			t.Errorf("%q: %+v, %v", copied, got, err)
		}
	}
}

func TestTokensAreRefused(t *testing.T) {
	text, err := aToken.Text()
	check(t, err)
	body := append([]byte{2}, make([]byte, 60)...)
	sum := sha256.Sum256(body)
	newer := tokenPrefix + base64.RawURLEncoding.EncodeToString(append(body, sum[:checksumBytes]...))
	body[0] = tokenVersion
	sum = sha256.Sum256(body)
	nowhere := tokenPrefix + base64.RawURLEncoding.EncodeToString(append(body, sum[:checksumBytes]...))
	for name, test := range map[string]struct{ text, want string }{
		"empty":      {"", "does not begin with"},
		"no token":   {"ghp_0123456789", "does not begin with"},
		"prefix":     {tokenPrefix, "missing or changed"},
		"cut":        {text[:len(text)-1], "missing or changed"},
		"eaten":      {strings.Replace(text, text[50:51], "", 1), "missing or changed"},
		"twice":      {text + text, "missing or changed"},
		"newer":      {newer, "version 2"},
		"no address": {nowhere, "host:port"},
		"long":       {text + strings.Repeat("A", 2*maxToken), "too many"},
	} {
		_, err := ParseToken(test.text)
		if !errors.Is(err, ErrToken) || !mentions(err, test.want) {
			t.Errorf("%s: %v, want %q", name, err, test.want)
		}
		if err != nil && strings.Contains(err.Error(), text[30:60]) {
			t.Errorf("%s: the error holds the secret: %v", name, err)
		}
	}
	for i := range text { // whatever letter a chat changes
		changed := []byte(text)
		if changed[i]++; changed[i] > 'z' {
			changed[i] = '0'
		}
		if got, err := ParseToken(string(changed)); err == nil && !reflect.DeepEqual(got, aToken) {
			t.Errorf("letter %d: %+v", i, got)
		}
	}
	for want, bad := range map[string]Token{
		"secret":           {Addresses: aToken.Addresses, Secret: "short"},
		"0 addresses":      {Secret: aToken.Secret},
		`address "front"`:  {Addresses: []string{"front"}, Secret: aToken.Secret},
		`address "a,b:1"`:  {Addresses: []string{"a,b:1"}, Secret: aToken.Secret},
		`address "front:"`: {Addresses: []string{"front:"}, Secret: aToken.Secret},
		"9 addresses of fronts": {
			Addresses: strings.Split(strings.Repeat("h:1 ", 8)+"h:1", " "),
			Secret:    aToken.Secret,
		},
		`address "front:\n7420" of`: {Addresses: []string{"front:\n7420"}, Secret: aToken.Secret},
	} {
		if _, err := bad.Text(); !mentions(err, want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

func FuzzToken(f *testing.F) {
	text, err := aToken.Text()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(text)
	f.Add(tokenPrefix)
	f.Add(" \u200b")
	f.Fuzz(func(t *testing.T, s string) {
		token, err := ParseToken(s)
		if err != nil {
			if !errors.Is(err, ErrToken) {
				t.Errorf("%q: %v", s, err)
			}
			return
		}
		again, err := token.Text()
		if err != nil {
			t.Fatalf("%q: %v", s, err)
		}
		if same, err := ParseToken(again); err != nil || !reflect.DeepEqual(same, token) {
			t.Errorf("%q: %+v, %v, want %+v", again, same, err, token)
		}
	})
}

// Behind a right checksum anything may stand, because the checksum keeps nobody from forging.
func FuzzTokenBody(f *testing.F) {
	text, err := aToken.Text()
	if err != nil {
		f.Fatal(err)
	}
	whole, err := base64.RawURLEncoding.DecodeString(strings.TrimPrefix(text, tokenPrefix))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(whole[:len(whole)-checksumBytes])
	f.Fuzz(func(t *testing.T, body []byte) {
		sum := sha256.Sum256(body)
		token, err := ParseToken(tokenPrefix + base64.RawURLEncoding.EncodeToString(append(body, sum[:checksumBytes]...)))
		if err != nil {
			if !errors.Is(err, ErrToken) {
				t.Errorf("%q: %v", body, err)
			}
			return
		}
		if _, err := token.Text(); err != nil {
			t.Errorf("%q: %v", body, err)
		}
	})
}
