// Package fares computes what a crossing costs.
package fares

// Cents is money.
type Cents int

// Fare returns the fare of a group: adults and children, with the discount of the evening.
func Fare(adults, children int, evening bool) Cents {
	sum := Cents(adults*640 + children*320)
	if evening {
		sum -= sum / 5
	}
	return sum
}
