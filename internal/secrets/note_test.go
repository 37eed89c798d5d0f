package secrets

import (
	"math/rand"
	"strings"
	"testing"
)

// The samples are put together here, because a scanner would take whole ones for a leak.
var (
	github = "ghp" + "_0123456789abcdefghijABCDEFGHIJ012345"
	aws    = "AKIA" + "QYLPMN5HHHFPZAM2"
	google = "AIza" + "SyDaGmWKa4JsXZ-HjGw7ISLn_3namBGewQe"
	pem    = "-----BEGIN RSA " + "PRIVATE KEY-----"
)

func TestFindKept(t *testing.T) {
	for _, text := range []string{
		github, "note: " + github + ".", aws, strings.ToLower(aws), "AKIA" + "IOSFODNN7EXAMPLE", google,
		strings.ToLower(google),
		pem, pem + "\nMIIEowIBAAKCAQEA\n", strings.ToLower(pem),
		"https://user:password@host/", "clone from https://bob:hunter2@example.com/x.git",
		"postgres://app:p@ss@db:5432/app",
		"redis://:s3cret@cache:6379", "HTTPS://A:B@C", "https://oauth2:abc@git.example.com",
	} {
		if len(FindKept(text)) == 0 {
			t.Errorf("nothing is found in %q", text)
		}
	}
	for _, text := range []string{
		"", "the pool size is 8 in production", "https://example.com/a:b@c", "https://user@host/",
		"http://localhost:8080/@x", "see a://b",
		"https://user:$PASSWORD@host/", "https://user:${PASS}@host", "https://user:***@host", "https://u:{{pass}}@h",
		"https://USER:<password>@host",
		"region asiapacificsoutheast", "A private key stays out", "git@github.com:a/b.git", "12:30@noon",
	} {
		if found := FindKept(text); len(found) > 0 {
			t.Errorf("%q holds %+v", text, found)
		}
	}
	found := FindKept("one\ntwo https://bob:hunter22@example.com")
	if len(found) != 1 || found[0].Line != 2 || found[0].Rule != "url-password" || found[0].Hint != "hu" ||
		found[0].Length != 8 {
		t.Errorf("%+v", found)
	}
}

func TestRedact(t *testing.T) {
	for text, want := range map[string]string{
		"":                                  "",
		"how are retries spread over 60 s?": "how are retries spread over 60 s?",
		"why is " + github + " refused":     "why is [secret] refused",
		"https://bob:hunter2@example.com/x": "https://bob:[secret]@example.com/x",
		strings.ToLower(aws) + " " + aws:    "[secret] [secret]",
		"where is parseHTTP2Settings read":  "where is parseHTTP2Settings read",
		google:                              "[secret]",
	} {
		if got := Redact(text); got != want {
			t.Errorf("Redact(%q) = %q", text, got)
		}
	}
}

// A text may be skipped only if no rule finds a secret in it.
func TestRedactReadsEverySecret(t *testing.T) {
	if testing.Short() {
		t.Skip("samples of every rule, one after another")
	}
	random := rand.New(rand.NewSource(4))
	hold := 0
	for _, r := range loaded().rules {
		for _, s := range samples(t, random, &r, 10) {
			if len(FindKept(s)) == 0 {
				continue
			}
			if hold++; !mayHold(s) {
				t.Errorf("%s: %q is passed over", r.ID, s)
			}
		}
	}
	if hold < 1000 {
		t.Errorf("only %d samples hold a secret", hold)
	}
}
