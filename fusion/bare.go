package fusion

import "slices"

// Constants for a question of which words find little (docs/ranking.md, "The list of code").
const (
	bareSemantic = 2    // factor of meaning for a bare question
	bareBreadth  = 0.25 // breadth from which a question is not bare
)

// meaningFactor returns the factor of meaning in the list of code: 1 to bareSemantic.
//
// Words order files better than meaning because a file names what it is about, and says it in
// several places. A question is bare as far as no file's name shares a word with it or is asked
// for, and no file says more of it than its best place does. Then words count single places, which
// meaning orders as well. It returns 1 for a long text, which is compared with no name, for a path,
// and for a task or a time, of which history knows more than meaning does.
func meaningFactor(in Input, rs []ranking, keys []Key) float64 {
	if in.Long || in.Intent == Task || in.Intent == Temporal || slices.ContainsFunc(rs, func(r ranking) bool { return r.companions }) {
		return 1
	}
	named, breadth := 0.0, 0.0
	for _, k := range keys {
		e := in.Evidence[k]
		named = max(named, finitePositive(e.Stem), finitePositive(e.Coverage), finitePositive(e.Symbol))
		breadth = max(breadth, finitePositive(e.Breadth))
	}
	bare := max(0, 1-breadth/bareBreadth) * max(0, 1-named)
	return 1 + (bareSemantic-1)*bare
}
