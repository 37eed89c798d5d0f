package main

// limit.c is a part of this program: it looks at the limits of memory before Go does.

import "C"
