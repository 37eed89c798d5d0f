package oracles

import (
	"cmp"
	"slices"
)

// A neighbour is a candidate. It is small because thousands are compared.
type neighbour struct {
	key     int64
	segment int32 // index in nearSearch.searched
	group   int32
	best    int32 // highest product in the group
}

func (n neighbour) compareTo(m neighbour) int {
	if n.best != m.best {
		return cmp.Compare(m.best, n.best)
	}
	return cmp.Compare(n.key, m.key)
}

// A nearList keeps the groups with the highest products.
type nearList struct {
	limit int
	floor int32 // lower products cannot be among the first limit
	items []neighbour
}

// crowded is the number of candidates that are kept before the list is cut, as a multiple of the
// limit.
const crowded = 4

func (l *nearList) push(n neighbour) {
	if n.best <= l.floor {
		return
	}
	l.items = append(l.items, n)
	if len(l.items) >= crowded*l.limit {
		l.truncate()
		for i, x := range l.items {
			if i == 0 || x.best < l.floor {
				l.floor = x.best
			}
		}
	}
}

// truncate keeps the first limit items, in no order.
func (l *nearList) truncate() {
	if len(l.items) > l.limit {
		selectFirst(l.items, l.limit)
		l.items = l.items[:l.limit]
	}
}

// sorted returns the first limit items, the best first.
func (l *nearList) sorted() []neighbour {
	l.truncate()
	slices.SortFunc(l.items, neighbour.compareTo)
	return l.items
}

// selectFirst moves the first n items in sorting order to the front, where they are in no order
// (Hoare, "Find", 1961).
func selectFirst(items []neighbour, n int) {
	for n > 0 && n < len(items) {
		pivot := items[len(items)/2]
		i, j := 0, len(items)-1
		for i <= j {
			for items[i].compareTo(pivot) < 0 {
				i++
			}
			for pivot.compareTo(items[j]) < 0 {
				j--
			}
			if i <= j {
				items[i], items[j] = items[j], items[i]
				i++
				j--
			}
		}
		switch {
		case n <= j:
			items = items[:j+1]
		case n > i:
			items, n = items[i:], n-i
		default:
			return
		}
	}
}
