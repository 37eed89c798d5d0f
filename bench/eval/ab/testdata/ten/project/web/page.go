// Package web renders pages for guests.
package web

import "html/template"

// Page is the page of a timetable.
var Page = template.Must(template.New("page").Parse("<h1>{{.Pier}}</h1>{{range .Rows}}<p>{{.}}</p>{{end}}"))
