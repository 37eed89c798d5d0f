package manifest

import (
	"encoding/xml"
	"io"
	"strings"
)

// An element is an XML element that has ended.
type element struct {
	path     []string // names from the root to the element itself
	attrs    map[string]string
	text     string
	children map[string]string // texts of the first child of each name
	line     int
}

// name returns the name of the element itself.
func (e element) name() string { return e.path[len(e.path)-1] }

// eachElement calls f with each element when it ends, up to the first mistake.
func eachElement(text string, f func(element)) {
	// The text must be UTF-8 already, so its declaration is ignored.
	d := xml.NewDecoder(strings.NewReader(text))
	d.CharsetReader = func(_ string, in io.Reader) (io.Reader, error) { return in, nil }
	var open []element
	for len(open) <= maxDepth {
		line, _ := d.InputPos()
		t, err := d.Token()
		if err != nil {
			return
		}
		switch t := t.(type) {
		case xml.StartElement:
			e := element{attrs: map[string]string{}, children: map[string]string{}, line: line}
			for _, x := range open {
				e.path = append(e.path, x.name())
			}
			e.path = append(e.path, t.Name.Local)
			for _, a := range t.Attr {
				e.attrs[a.Name.Local] = a.Value
			}
			open = append(open, e)
		case xml.CharData:
			if n := len(open); n > 0 {
				open[n-1].text += string(t)
			}
		case xml.EndElement:
			n := len(open)
			if n == 0 {
				return
			}
			e := open[n-1]
			e.text = strings.TrimSpace(e.text)
			if open = open[:n-1]; n > 1 {
				if _, twice := open[n-2].children[e.name()]; !twice {
					open[n-2].children[e.name()] = e.text
				}
			}
			f(e)
		}
	}
}
