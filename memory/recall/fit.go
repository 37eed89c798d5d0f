package recall

// Fit returns which of the lines, best first, are shown within a budget in bytes: whole lines in
// order, skipping what does not fit. most bounds their number; 0 means any.
func Fit(lines []string, budget, most int) (shown []int) {
	for i, line := range lines {
		if most > 0 && len(shown) == most {
			break
		}
		if size := len(line) + 1; size <= budget {
			budget -= size
			shown = append(shown, i)
		}
	}
	return shown
}
