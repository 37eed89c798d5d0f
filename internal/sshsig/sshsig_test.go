package sshsig

import (
	"bytes"
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"encoding/pem"
	"errors"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/crypto/ssh"
	"golang.org/x/crypto/ssh/agent"
)

const namespace = "patina-index"

var message = []byte("a manifest\n")

// newKey writes a private key and its public one into files of a folder.
func newKey(t *testing.T, private crypto.Signer) (file string, public string) {
	t.Helper()
	block, err := ssh.MarshalPrivateKey(private, "ci")
	if err != nil {
		t.Fatal(err)
	}
	key, err := ssh.NewPublicKey(private.Public())
	if err != nil {
		t.Fatal(err)
	}
	file = filepath.Join(t.TempDir(), "key")
	public = strings.TrimSpace(string(ssh.MarshalAuthorizedKey(key)))
	for name, text := range map[string][]byte{file: pem.EncodeToMemory(block), file + ".pub": []byte(public + " ci\n")} {
		if err := os.WriteFile(name, text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return file, public
}

func newEd25519(t *testing.T) (ed25519.PrivateKey, string, string) {
	t.Helper()
	_, private, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	file, public := newKey(t, private)
	return private, file, public
}

func write(t *testing.T, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "allowed_signers")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

func mustSign(t *testing.T, key string) []byte {
	t.Helper()
	signature, err := Sign(key, namespace, message)
	if err != nil {
		t.Fatal(err)
	}
	return signature
}

func TestSignAndVerify(t *testing.T) {
	_, _, other := newEd25519(t)
	_, ed, _ := newEd25519(t)
	rsaKey, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	ecKey, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	r, _ := newKey(t, rsaKey)
	e, _ := newKey(t, ecKey)
	for _, key := range []string{ed, r, e} {
		signature := mustSign(t, key)
		public, err := os.ReadFile(key + ".pub")
		if err != nil {
			t.Fatal(err)
		}
		line := strings.TrimSpace(string(public))
		now := time.Date(2026, 6, 1, 12, 0, 0, 0, time.UTC)
		for text, want := range map[string]string{
			"# a comment\n\nada@example.org " + other + "\nbot@example.org " + line + "\n": "bot@example.org",
			line: "ci",
			"bot@example.org namespaces=\"git,patina-index\" " + line:                           "bot@example.org",
			"bot@example.org valid-after=\"20260101\",valid-before=\"20270101000000Z\" " + line: "bot@example.org",
			"bot@example.org namespaces=\"git\" " + line:                                        "",
			"bot@example.org valid-after=\"20260602\" " + line:                                  "",
			"bot@example.org valid-before=\"202606010000\" " + line:                             "",
			"ada@example.org " + other:                                                          "",
		} {
			who, err := Verify(write(t, text), namespace, message, signature, now)
			if who != want || (want == "") != errors.Is(err, ErrUntrusted) {
				t.Errorf("%s: %q, %v", text, who, err)
			}
		}
		trusted := write(t, "bot "+line)
		for name, c := range map[string]struct {
			namespace string
			message   []byte
			signature []byte
		}{
			"other message":   {namespace, []byte("a manifest"), signature},
			"other namespace": {"git", message, signature},
			"no block":        {namespace, message, []byte("signed")},
			"two blocks":      {namespace, message, append(bytes.Clone(signature), signature...)},
			"nothing":         {namespace, message, nil},
		} {
			if _, err := Verify(trusted, c.namespace, c.message, c.signature, now); !errors.Is(err, ErrSignature) {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
}

// A line that cannot be understood is an error, because its meaning is unknown.
func TestOddLines(t *testing.T) {
	_, key, public := newEd25519(t)
	signature := mustSign(t, key)
	for _, text := range []string{
		"bot", "bot ssh-ed25519", "bot ssh-ed25519 AAAA", "bot cert-authority " + public, "bot valid-after=\"soon\" " + public,
		"bot verify-required=\"yes\" " + public,
	} {
		_, err := Verify(write(t, text), namespace, message, signature, time.Now())
		if err == nil || !strings.Contains(err.Error(), "line 1") {
			t.Errorf("%s: %v", text, err)
		}
	}
	if _, err := Verify(filepath.Join(t.TempDir(), "none"), namespace, message, signature, time.Now()); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
}

func TestKeysThatCannotSign(t *testing.T) {
	private, _, _ := newEd25519(t)
	block, err := ssh.MarshalPrivateKeyWithPassphrase(private, "", []byte("secret"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Sign(write(t, string(pem.EncodeToMemory(block))), namespace, message); !errors.Is(err, ErrPassphrase) {
		t.Error(err)
	}
	if _, err := Sign(write(t, "nothing"), namespace, message); err == nil {
		t.Error("no key signs")
	}
	_, key, _ := newEd25519(t)
	t.Setenv("SSH_AUTH_SOCK", filepath.Join(t.TempDir(), "none"))
	if _, err := Sign(key+".pub", namespace, message); !errors.Is(err, ErrNoAgent) {
		t.Error(err)
	}
}

// A public key signs by the agent that holds its private one.
func TestAgentSigns(t *testing.T) {
	private, key, _ := newEd25519(t)
	ring := agent.NewKeyring()
	if err := ring.Add(agent.AddedKey{PrivateKey: private}); err != nil {
		t.Fatal(err)
	}
	dir, err := os.MkdirTemp("", "ssh") // the path of a socket is short
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	socket := filepath.Join(dir, "a")
	l, err := net.Listen("unix", socket)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go func() { _ = agent.ServeAgent(ring, c) }()
		}
	}()
	t.Setenv("SSH_AUTH_SOCK", socket)
	if who, err := Verify(key+".pub", namespace, message, mustSign(t, key+".pub"), time.Now()); who != "ci" {
		t.Error(who, err)
	}
	_, other, _ := newEd25519(t)
	if _, err := Sign(other+".pub", namespace, message); !errors.Is(err, ErrNoAgent) {
		t.Error(err)
	}
}

// ssh-keygen accepts our signatures, and we accept its own.
func TestAgreesWithOpenSSH(t *testing.T) {
	keygen, err := exec.LookPath("ssh-keygen")
	if err != nil {
		t.Skip("ssh-keygen is not installed")
	}
	_, key, public := newEd25519(t)
	allowed, text := write(t, "bot@example.org "+public+"\n"), write(t, string(message))
	sig := write(t, string(mustSign(t, key)))
	verify := exec.Command(keygen, "-Y", "verify", "-f", allowed, "-I", "bot@example.org", "-n", namespace, "-s", sig)
	verify.Stdin = bytes.NewReader(message)
	if out, err := verify.CombinedOutput(); err != nil {
		t.Errorf("%v: %s", err, out)
	}
	if out, err := exec.Command(keygen, "-Y", "sign", "-f", key, "-n", namespace, text).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	theirs, err := os.ReadFile(text + ".sig")
	if err != nil {
		t.Fatal(err)
	}
	if who, err := Verify(allowed, namespace, message, theirs, time.Now()); who != "bot@example.org" {
		t.Error(who, err)
	}
}

func FuzzVerify(f *testing.F) {
	f.Add([]byte("-----BEGIN SSH SIGNATURE-----\nU1NIU0lHAAAAAQ==\n-----END SSH SIGNATURE-----\n"), "bot ssh-ed25519 AAAA")
	f.Add([]byte(nil), `a namespaces="x",valid-after="20260101Z" ssh-ed25519 AAAA`)
	f.Fuzz(func(t *testing.T, signature []byte, line string) {
		if _, err := parse(signature, namespace, message); err == nil {
			t.Error("a signature out of nothing")
		}
		_, _ = parseAllowed(line)
	})
}
