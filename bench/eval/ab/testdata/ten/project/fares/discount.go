package fares

// Discount returns the fare of somebody with a card of the islands.
func Discount(c Cents) Cents { return c - c/4 }

// roundUp returns cents rounded up to ten. Nothing calls it.
func roundUp(c Cents) Cents { return (c + 9) / 10 * 10 }
