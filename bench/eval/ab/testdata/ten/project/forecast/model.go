// Package forecast predicts wind and waves from what the buoys measured.
package forecast

// A Model is a linear model, trained on the buoys of the last years.
type Model struct{ weights []float64 }

// Train fits the model to measurements.
func Train(measured [][]float64, waves []float64) Model {
	m := Model{weights: make([]float64, len(measured[0]))}
	for i, row := range measured {
		for j, x := range row {
			m.weights[j] += x * waves[i] / float64(len(measured))
		}
	}
	return m
}

// Predict returns the height of waves.
func (m Model) Predict(measured []float64) (waves float64) {
	for i, x := range measured {
		waves += x * m.weights[i]
	}
	return waves
}
