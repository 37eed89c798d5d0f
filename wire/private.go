package wire

import (
	"reflect"
	"strings"

	"patina/actors/api"
	"patina/internal/lazyregexp"
	"patina/store/doc"
)

// Some things are of use on their own machine alone, or nobody else's business: the folder of a
// repository, the times and inodes of its files, and the paths in error texts. The converters leave
// them out.

// stayingStat is a file's state for others: how large it is.
func stayingStat(s doc.Stat) doc.Stat { return doc.Stat{Size: s.Size} }

// absolutePath finds paths of two or more parts that begin at the root of a file system. Its second
// part is the last name of the path.
var absolutePath = lazyregexp.New(`(^|[\s"'(=:])/(?:[^\s"'(),;:/]+/)+([^\s"'(),;:/]*)`)

// withoutPaths returns an error text with the last names of absolute paths only.
func withoutPaths(text string) string {
	if !strings.Contains(text, "/") {
		return text
	}
	return absolutePath().ReplaceAllString(text, "${1}…/${2}")
}

// withoutRoot returns a text with "." in place of the folder of the repository.
func withoutRoot(text, root string) string {
	if root == "" || root == "/" {
		return text
	}
	return strings.ReplaceAll(text, root, ".")
}

// publicAnswer returns a copy of an answer to a look-up without what stays at home. It returns nil
// for a value that is no such answer.
func publicAnswer(answer any) any {
	if api.IndexOf(answer) == nil {
		return nil
	}
	from := reflect.ValueOf(answer).Elem()
	out := reflect.New(from.Type())
	out.Elem().Set(from)
	a := out.Interface()
	index := api.IndexOf(a)
	root := index.Root
	index.Root = ""
	if note := out.Elem().FieldByName("Note"); note.IsValid() && note.Kind() == reflect.String {
		note.SetString(withoutRoot(note.String(), root))
	}
	switch a := a.(type) {
	case *api.DetailAnswer:
		a.Stat = stayingStat(a.Stat)
	case *api.TreeAnswer:
		files := make([]doc.Seen, len(a.Files))
		for i, f := range a.Files {
			files[i] = doc.Seen{Path: f.Path, Stat: stayingStat(f.Stat)}
		}
		a.Files = files
	}
	return a
}
