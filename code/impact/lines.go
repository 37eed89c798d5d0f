package impact

import "strings"

// maxCells bounds the table of one comparison, in cells of two bytes. Beyond it the lines between
// the first and the last difference count as changed.
const maxCells = 4 << 20

// ChangedLines returns the lines of a text that an older one does not have in their place, and the
// places where it had further lines. It returns an empty, non-nil list for equal texts.
func ChangedLines(before, after string) []Lines {
	a, b := splitLines(before), splitLines(after)
	first := 0
	for first < len(a) && first < len(b) && a[first] == b[first] {
		first++
	}
	a, b = a[first:], b[first:]
	for len(a) > 0 && len(b) > 0 && a[len(a)-1] == b[len(b)-1] {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	out := []Lines{}
	switch {
	case len(a) == 0 && len(b) == 0:
		return out
	case len(a) == 0 || len(b) == 0 || (len(a)+1)*(len(b)+1) > maxCells || len(a) > 1<<16-1 || len(b) > 1<<16-1:
		return append(out, Lines{first + 1, first + len(b)})
	}
	common := commonLines(a, b)
	i, j := 0, 0
	for i < len(a) || j < len(b) {
		if i < len(a) && j < len(b) && a[i] == b[j] {
			i, j = i+1, j+1
			continue
		}
		from := j
		for (i < len(a) || j < len(b)) && (i == len(a) || j == len(b) || a[i] != b[j]) {
			if j == len(b) || i < len(a) && common[i+1][j] >= common[i][j+1] {
				i++
			} else {
				j++
			}
		}
		out = append(out, Lines{first + from + 1, first + j})
	}
	return out
}

// commonLines returns a table of the lengths of the longest common subsequences of a[i:] and b[j:].
func commonLines(a, b []string) [][]uint16 {
	cells := make([]uint16, (len(a)+1)*(len(b)+1))
	table := make([][]uint16, len(a)+1)
	for i := range table {
		table[i] = cells[i*(len(b)+1) : (i+1)*(len(b)+1)]
	}
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if a[i] == b[j] {
				table[i][j] = table[i+1][j+1] + 1
			} else {
				table[i][j] = max(table[i+1][j], table[i][j+1])
			}
		}
	}
	return table
}

// splitLines splits a text at line feeds. A last line feed ends a line and begins none.
func splitLines(s string) []string {
	if s == "" {
		return nil
	}
	return strings.Split(strings.TrimSuffix(s, "\n"), "\n")
}
