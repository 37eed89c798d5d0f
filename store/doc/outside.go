// Package outside says what is known of a document that no index holds: a note of the user, say.
//
// It is plain data, which the channel that keeps the document fills in and a front end prints. What
// all documents have, such as a title and a time, is in Description.
package doc

// A Document is what only documents outside of an index have.
type External struct {
	Of    string         // what keeps it: "persona:default"
	Facts []ExternalFact // in the order in which they are printed
}

// A Fact is something to know about a document, by name.
type ExternalFact struct {
	Name  string
	Value string
	Brief bool // print it in answers, too, and not only beside the whole document
}

// Fact returns a fact's value, empty for none.
func (d *External) Fact(name string) string {
	for _, f := range d.Facts {
		if f.Name == name {
			return f.Value
		}
	}
	return ""
}
