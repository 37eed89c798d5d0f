// This file holds the properties of documents that are in no index, such as a note of the user.
//
// They are plain data, which the channel that keeps the document fills in and a front end prints.
// Properties that all documents have, such as a title and a time, are in Description.

package doc

// An External holds the properties that only documents outside of an index have.
type External struct {
	Of    string         // the keeper of the document: "persona:default"
	Facts []ExternalFact // in the order in which they are printed
}

// An ExternalFact is one named property of a document.
type ExternalFact struct {
	Name  string
	Value string
	Brief bool // whether answers print it; otherwise only the whole document does
}

// Fact returns the value of a fact, "" if there is no such fact.
func (d *External) Fact(name string) string {
	for _, f := range d.Facts {
		if f.Name == name {
			return f.Value
		}
	}
	return ""
}
