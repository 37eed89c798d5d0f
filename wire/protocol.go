package wire

import "patina/wire/nodepb"

// The versions of the protocol that this build speaks. A node whose range does not overlap is not
// asked.
const (
	MinProtocol = 1
	MaxProtocol = 1
)

// Protocol returns the versions that this build speaks.
func Protocol() *nodepb.Version { return &nodepb.Version{Min: MinProtocol, Max: MaxProtocol} }

// Speaks reports whether a peer's versions overlap with ours. A nil version does not.
func Speaks(v *nodepb.Version) bool {
	return v != nil && v.GetMin() <= MaxProtocol && v.GetMax() >= MinProtocol
}
