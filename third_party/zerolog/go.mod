module github.com/rs/zerolog

go 1.26.0
