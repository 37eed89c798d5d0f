//go:build !race

package embed

const raced = false
