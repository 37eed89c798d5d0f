package recall

// Fit returns the indices of the lines that fit into a budget in bytes. It takes whole lines in
// order, and skips those that do not fit. most bounds their number; 0 means no bound.
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
