package main

// limit.c is a part of this program. It checks the limits of memory before the Go runtime starts.

import "C"
