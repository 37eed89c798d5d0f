package class

import (
	"strings"

	"patina/store/doc"
)

// Attributes are the two settings of .gitattributes that a repository may give its files.
type Attributes struct{ Generated, Vendored Attribute }

// An Attribute is the state of a setting. An explicit No overrides our own guess.
type Attribute int8

// The states of an attribute.
const (
	unsaid Attribute = iota
	Yes
	No
)

// AttributeOf parses the value of an attribute, as git prints it. Other values mean that nothing is
// set.
func AttributeOf(value string) Attribute {
	switch strings.ToLower(value) {
	case "set", "true", "1", "yes":
		return Yes
	case "unset", "false", "0", "no":
		return No
	}
	return unsaid
}

// Apply sets or clears the bits of a class as .gitattributes says. It keeps bits about which it
// says nothing.
func (m Attributes) Apply(c doc.Class) doc.Class {
	c = withAttribute(c, doc.Generated, m.Generated)
	return withAttribute(c, doc.Vendored, m.Vendored)
}

func withAttribute(c, bit doc.Class, m Attribute) doc.Class {
	switch m {
	case Yes:
		return c | bit
	case No:
		return c &^ bit
	}
	return c
}
