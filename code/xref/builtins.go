package xref

import "patina/store/text"

// selfNames are names of the object that a method belongs to, and of its base.
var selfNames = text.Set(`self this cls Self $this super static parent`)
