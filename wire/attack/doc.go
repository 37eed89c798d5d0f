// Package attack has no code. Its tests are the attackers: they start a node and a front as people
// start them, and come as others reach them, by TLS and by bytes.
package attack
