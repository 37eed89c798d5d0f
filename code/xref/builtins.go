package xref

import "patina/store/text"

// selfNames are names for the object of a method, and for its base.
var selfNames = text.Set(`self this cls Self $this super static parent`)
