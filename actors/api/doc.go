// Package api holds what crosses the border of an engine: requests, answers and errors, all of them
// plain data that a socket could carry.
//
// Front ends see Service with its requests and answers; package actors implements it. An Engine and
// a project somewhere else exchange Ask, Lists, Describe and Descriptions, and look-ups with
// their answers. A Target is the far end of that.
//
// The package computes nothing. Answering is left to packages actors, lookups and ranking, and the
// look of an answer to the front ends.
package api
