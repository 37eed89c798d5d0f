package syntax

// bareType returns the node of a type's own name: without pointers, parameters of the type and what qualifies it.
func (t *tree) bareType(n int) int {
	for n >= 0 {
		next := -1
		for c := range t.children(n) {
			switch t.field(c) {
			case "name", "type", "declarator":
				next = c
			}
		}
		if next < 0 {
			break
		}
		n = next
	}
	return n
}
