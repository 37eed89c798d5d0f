package secrets

// words finds in one pass over a text which rules may have something to find: the automaton of Aho
// and Corasick (1975), in which the case of a letter does not count.
type words struct {
	class [256]uint8 // of bytes that are alike; 0: in no keyword
	width int        // number of classes
	next  []uint16   // state × width + class → state
	ends  [][]ending // by state: the keywords that end there
}

// An ending is the end of a keyword.
type ending struct{ rule, length int }

func newWords(rules []rule) *words {
	w := &words{width: 1} // class 0
	for _, r := range rules {
		for _, k := range r.Keywords {
			w.classify(k)
		}
	}
	w.grow()
	for i, r := range rules {
		for _, k := range r.Keywords {
			w.add(k, i)
		}
	}
	w.link()
	return w
}

func (w *words) classify(keyword string) {
	for _, b := range []byte(keyword) {
		if w.class[b] != 0 {
			continue
		}
		w.class[b] = uint8(w.width)
		if 'a' <= b && b <= 'z' {
			w.class[b-'a'+'A'] = uint8(w.width)
		}
		w.width++
	}
}

// grow adds a state and returns it. The first is the root.
func (w *words) grow() uint16 {
	w.next = append(w.next, make([]uint16, w.width)...)
	w.ends = append(w.ends, nil)
	return uint16(len(w.ends) - 1)
}

func (w *words) add(keyword string, rule int) {
	state := uint16(0)
	for _, b := range []byte(keyword) {
		at := int(state)*w.width + int(w.class[b])
		if w.next[at] == 0 {
			grown := w.grow()
			w.next[at] = grown
		}
		state = w.next[at]
	}
	w.ends[state] = append(w.ends[state], ending{rule, len(keyword)})
}

// link turns the tree of keywords into an automaton, level by level: where a keyword does not go
// on, the longest one goes on that begins inside of it.
func (w *words) link() {
	back := make([]uint16, len(w.ends))
	level := []uint16{0}
	for len(level) > 0 {
		state := level[0]
		level = level[1:]
		w.ends[state] = append(w.ends[state], w.ends[back[state]]...)
		for c := range w.width {
			at := int(state)*w.width + c
			shorter := uint16(0)
			if state != 0 {
				shorter = w.next[int(back[state])*w.width+c]
			}
			if child := w.next[at]; child == 0 {
				w.next[at] = shorter
			} else {
				back[child] = shorter
				level = append(level, child)
			}
		}
	}
}

// find returns for each of n rules where its keywords begin in the text.
func (w *words) find(text string, n int) [][]int {
	found := make([][]int, n)
	state := 0
	for i := range len(text) {
		state = int(w.next[state*w.width+int(w.class[text[i]])])
		for _, e := range w.ends[state] {
			found[e.rule] = append(found[e.rule], i+1-e.length)
		}
	}
	return found
}
