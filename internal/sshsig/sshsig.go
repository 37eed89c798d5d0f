// Package sshsig signs texts with SSH keys, and verifies such signatures, in the format of
// "ssh-keygen -Y" (PROTOCOL.sshsig of OpenSSH). Each side can check the signatures of the other.
package sshsig

import (
	"bytes"
	"crypto/rand"
	"crypto/sha512"
	"encoding/pem"
	"errors"
	"fmt"
	"net"
	"os"

	"golang.org/x/crypto/ssh"
	"golang.org/x/crypto/ssh/agent"

	"patina/internal/safeio"
)

const (
	magic     = "SSHSIG"
	blockType = "SSH SIGNATURE"
	hashName  = "sha512"
)

// maxFile is the most bytes of a file with keys.
const maxFile = 1 << 20

// A signed is the text that a key signs, after the magic.
type signed struct {
	Namespace, Reserved, Hash string
	Sum                       []byte
}

// A blob is the content of a signature's block, after the magic.
type blob struct {
	Version                   uint32
	Key                       []byte
	Namespace, Reserved, Hash string
	Signature                 []byte
}

// digest returns the bytes that a key signs for a message.
func digest(namespace, hash string, sum []byte) []byte {
	return append([]byte(magic), ssh.Marshal(signed{namespace, "", hash, sum})...)
}

// Sign signs a message for a namespace, which names the purpose of the signature. key is the file
// of a private key without a passphrase, or of the public key of one that an SSH agent holds.
func Sign(key, namespace string, message []byte) ([]byte, error) {
	signer, done, err := openKey(key)
	if err != nil {
		return nil, fmt.Errorf("sign with %q: %w", key, err)
	}
	defer done()
	sum := sha512.Sum512(message)
	text := digest(namespace, hashName, sum[:])
	var signature *ssh.Signature
	if many, ok := signer.(ssh.AlgorithmSigner); ok && signer.PublicKey().Type() == ssh.KeyAlgoRSA {
		signature, err = many.SignWithAlgorithm(rand.Reader, text, ssh.KeyAlgoRSASHA512) // not SHA-1
	} else {
		signature, err = signer.Sign(rand.Reader, text)
	}
	if err != nil {
		return nil, fmt.Errorf("sign with %q: %w", key, err)
	}
	b := append([]byte(magic), ssh.Marshal(blob{
		Version: 1, Key: signer.PublicKey().Marshal(), Namespace: namespace, Hash: hashName,
		Signature: ssh.Marshal(signature),
	})...)
	return pem.EncodeToMemory(&pem.Block{Type: blockType, Bytes: b}), nil
}

// ErrPassphrase is returned for a private key that has a passphrase.
var ErrPassphrase = errors.New("the key has a passphrase")

// ErrNoAgent is returned for a public key whose private one no agent holds.
var ErrNoAgent = errors.New("no SSH agent holds the key")

// openKey returns the signer of a file. The caller must call done after its last use.
func openKey(file string) (s ssh.Signer, done func(), err error) {
	text, err := safeio.ReadFile(file, maxFile)
	if err != nil {
		return nil, nil, err
	}
	if public, _, _, _, err := ssh.ParseAuthorizedKey(text); err == nil {
		return agentSigner(public)
	}
	s, err = ssh.ParsePrivateKey(text)
	if _, locked := errors.AsType[*ssh.PassphraseMissingError](err); locked {
		err = ErrPassphrase
	}
	return s, func() {}, err
}

// agentSigner returns the signer of a key that the user's agent holds.
func agentSigner(public ssh.PublicKey) (s ssh.Signer, done func(), err error) {
	conn, err := net.Dial("unix", os.Getenv("SSH_AUTH_SOCK"))
	if err != nil {
		return nil, nil, ErrNoAgent
	}
	signers, err := agent.NewClient(conn).Signers()
	for _, s := range signers {
		if bytes.Equal(s.PublicKey().Marshal(), public.Marshal()) {
			return s, func() { _ = conn.Close() }, nil
		}
	}
	return nil, nil, errors.Join(ErrNoAgent, err, conn.Close())
}

// ErrSignature is wrapped by errors about a text that is no signature, or not of the message.
var ErrSignature = errors.New("the signature is not valid")

// parse returns the key of a signature, if it has signed the message for the namespace.
func parse(signature []byte, namespace string, message []byte) (ssh.PublicKey, error) {
	block, rest := pem.Decode(signature)
	if block == nil || block.Type != blockType || len(block.Headers) > 0 || len(bytes.TrimSpace(rest)) > 0 {
		return nil, fmt.Errorf("%w: it is no block of an SSH signature", ErrSignature)
	}
	content, ok := bytes.CutPrefix(block.Bytes, []byte(magic))
	var b blob
	if !ok || ssh.Unmarshal(content, &b) != nil || b.Version != 1 {
		return nil, fmt.Errorf("%w: it is not of a known version", ErrSignature)
	}
	if b.Namespace != namespace {
		return nil, fmt.Errorf("%w: it is for %q, not for %q", ErrSignature, b.Namespace, namespace)
	}
	key, err := ssh.ParsePublicKey(b.Key)
	if err != nil {
		return nil, fmt.Errorf("%w: its key cannot be read", ErrSignature)
	}
	sum, err := sumOf(b.Hash, message)
	if err != nil {
		return nil, err
	}
	var s ssh.Signature
	if ssh.Unmarshal(b.Signature, &s) != nil || s.Format == ssh.KeyAlgoRSA { // SHA-1
		return nil, fmt.Errorf("%w: its form is not known", ErrSignature)
	}
	if err := key.Verify(digest(namespace, b.Hash, sum), &s); err != nil {
		return nil, fmt.Errorf("%w: the key has not signed this", ErrSignature)
	}
	return key, nil
}
