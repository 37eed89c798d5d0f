// Package pki makes and checks the certificates by which nodes, fronts and users know each other.
//
// One CA signs for one cluster. A certificate says who its holder is by exactly one URI:
// patina://node/NAME, patina://front/NAME or patina://user/NAME. It does not say what the holder
// may ask, because rights are in nodes.toml (package config).
//
// A newcomer gets a certificate by an invitation. Invite prints a token of one line with the
// addresses of a front, the fingerprint of the CA and a secret. The newcomer makes its key
// (NewRequest), connects to a front that proves to belong to that CA (JoinTLS), and shows the
// secret with its request. Enrol signs the key, once. Renew signs the next one over a connection
// with the certificate that is still valid. The private key never leaves the machine it was made
// on.
//
// # What is defended against
//
//   - Someone on the network reads or changes messages, or answers in the place of a node: every
//     connection is TLS 1.3, both sides show a certificate of the CA, and a client also checks the
//     role and the name or the host of the server.
//   - A user's certificate is used to act as a node or front, or a node's as another node: role and
//     name come from the invitation and never from the request.
//   - A token is read later, in the history of a chat: it is valid once and for a short time. An
//     unknown, a used, an expired and a forged token get the same answer.
//   - The file of invitations is read: it holds hashes of secrets that cannot be guessed.
//   - Another user of the machine reads a key or exchanges a file: a key that others can read and a
//     file that others can write are refused.
//   - The process dies while it writes: each file is replaced whole, and the old certificate stays
//     usable until the new one is complete.
//
// # What is not
//
//   - A token that is read before its receiver uses it. The receiver is then refused, and the name
//     must be revoked in nodes.toml.
//   - A copied private key: it is valid until its certificate expires or is revoked. Revocation is
//     in nodes.toml too, and whoever serves must check it at each call, because a connection stays
//     open when a certificate is revoked.
//   - Someone who can read ca.key, or act as root on a machine that has it.
package pki
