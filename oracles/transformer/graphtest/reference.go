package graphtest

import "math"

// States computes last_hidden_state in float64 for one text: a vector for each token.
func (t *Transformer) States(ids []int64) [][]float64 {
	x := make([][]float64, len(ids))
	for i, id := range ids {
		x[i] = make([]float64, t.Hidden)
		for k := range x[i] {
			x[i][k] = float64(t.words[int(id)*t.Hidden+k]) + float64(t.types[k]) + float64(t.positions[i*t.Hidden+k])
		}
		normalise(x[i], t.begin)
	}
	for _, l := range t.layers {
		for i, add := range t.attend(x, l) {
			addTo(x[i], add)
			normalise(x[i], l.afterAttention)
		}
		for i := range x {
			addTo(x[i], multiply(gelu(multiply(x[i], l.first)), l.second))
			normalise(x[i], l.afterInner)
		}
	}
	return x
}

// MeanVector is the unit vector of the mean of States.
func (t *Transformer) MeanVector(ids []int64) []float64 {
	sum := make([]float64, t.Hidden)
	for _, state := range t.States(ids) {
		addTo(sum, state)
	}
	return unit(sum)
}

// FirstVector is the unit vector of the first of States.
func (t *Transformer) FirstVector(ids []int64) []float64 { return unit(t.States(ids)[0]) }

func unit(v []float64) []float64 {
	var square float64
	for _, x := range v {
		square += x * x
	}
	for i := range v {
		v[i] /= math.Sqrt(square)
	}
	return v
}

func (t *Transformer) attend(x [][]float64, l layer) [][]float64 {
	size := t.Hidden / t.Heads
	var query, key, value [][]float64
	for i := range x {
		query, key, value = append(query, multiply(x[i], l.query)), append(key, multiply(x[i], l.key)), append(value, multiply(x[i], l.value))
	}
	out := make([][]float64, len(x))
	for i := range x {
		read := make([]float64, t.Hidden)
		for head := 0; head < t.Hidden; head += size {
			weights := make([]float64, len(x))
			var sum float64
			for j := range x {
				for k := head; k < head+size; k++ {
					weights[j] += query[i][k] * key[j][k]
				}
				weights[j] = math.Exp(weights[j] / math.Sqrt(float64(size)))
				sum += weights[j]
			}
			for j := range x {
				for k := head; k < head+size; k++ {
					read[k] += weights[j] / sum * value[j][k]
				}
			}
		}
		out[i] = multiply(read, l.out)
	}
	return out
}

func multiply(x []float64, l linear) []float64 {
	y := make([]float64, l.out)
	for o := range y {
		y[o] = float64(l.bias[o])
		for i, v := range x {
			y[o] += v * float64(l.weight[i*l.out+o])
		}
	}
	return y
}

func gelu(x []float64) []float64 {
	for i, v := range x {
		x[i] = v * (1 + math.Erf(v/math.Sqrt2)) / 2
	}
	return x
}

func addTo(x, add []float64) {
	for i := range x {
		x[i] += add[i]
	}
}

// normalise is a layer norm.
func normalise(x []float64, n norm) {
	var mean, variance float64
	for _, v := range x {
		mean += v / float64(len(x))
	}
	for _, v := range x {
		variance += (v - mean) * (v - mean) / float64(len(x))
	}
	for i, v := range x {
		x[i] = (v-mean)/math.Sqrt(variance+epsilon)*float64(n.gain[i]) + float64(n.bias[i])
	}
}
