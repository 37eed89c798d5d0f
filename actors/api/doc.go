// Package api defines what crosses the border of an engine: requests, answers and errors. All are
// plain data that can be sent over a socket.
//
// Front ends use Service with its requests and answers. Package actors implements it. An Engine and
// a project on another machine exchange Ask, Lists, Describe and Descriptions, and look-ups with
// their answers. A Target is the far end.
//
// The package computes nothing. Packages actors, lookups and ranking answer, and the front ends
// print.
package api
