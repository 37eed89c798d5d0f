// Package enrol gets certificates from fronts, and gives them out.
//
// server.go answers for a front with a CA: Enrol for whoever shows the secret of an invitation,
// and Renew for whoever shows a certificate that is still valid. limit.go bounds how often.
// client.go is the other end: Join, Renew and RenewIfDue. keep.go renews the certificate of a
// process for as long as it runs. What is signed, and what is not, package pki decides.
package enrol
