package layout

import (
	"patina/cmd/internal/drawing"
)

// Drawn makes the names in a drawing harmless.
func Drawn() drawing.Text { return drawing.Text{Plain: Plain, Short: Middle} }
