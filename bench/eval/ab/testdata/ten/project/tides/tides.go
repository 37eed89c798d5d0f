// Package tides knows the tides at each pier.
package tides

// High returns the hour of high water on a day of the lunar month.
func High(day int) int { return (day*50/60 + 3) % 24 }
