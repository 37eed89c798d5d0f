package secrets

// A keywordFinder finds in one pass the rules whose keywords are in a text, in either case. It is
// the automaton of Aho and Corasick (1975). It is immutable once made, so it may be used
// concurrently.
type keywordFinder struct {
	class [256]uint8 // byte → class; 0 means in no keyword
	width int        // number of classes
	next  []uint16   // state × width + class → state
	ends  [][]ending // by state: the keywords that end in it
}

// An ending is the end of a keyword of a rule.
type ending struct{ rule, length int }

func newKeywordFinder(rules []rule) *keywordFinder {
	k := &keywordFinder{width: 1} // class 0
	for _, r := range rules {
		for _, keyword := range r.Keywords {
			k.classify(keyword)
		}
	}
	k.grow()
	for i, r := range rules {
		for _, keyword := range r.Keywords {
			k.addKeyword(keyword, i)
		}
	}
	k.linkFailures()
	return k
}

func (k *keywordFinder) classify(keyword string) {
	for _, b := range []byte(keyword) {
		if k.class[b] != 0 {
			continue
		}
		k.class[b] = uint8(k.width)
		if 'a' <= b && b <= 'z' {
			k.class[b-'a'+'A'] = uint8(k.width)
		}
		k.width++
	}
}

// grow adds a state and returns it. The first state is the root.
func (k *keywordFinder) grow() uint16 {
	k.next = append(k.next, make([]uint16, k.width)...)
	k.ends = append(k.ends, nil)
	return uint16(len(k.ends) - 1)
}

func (k *keywordFinder) addKeyword(keyword string, rule int) {
	state := uint16(0)
	for _, b := range []byte(keyword) {
		at := int(state)*k.width + int(k.class[b])
		if k.next[at] == 0 {
			grown := k.grow()
			k.next[at] = grown
		}
		state = k.next[at]
	}
	k.ends[state] = append(k.ends[state], ending{rule, len(keyword)})
}

// linkFailures turns the tree of keywords into an automaton, level by level: if a keyword fails,
// the longest keyword that begins within it continues.
func (k *keywordFinder) linkFailures() {
	back := make([]uint16, len(k.ends))
	level := []uint16{0}
	for len(level) > 0 {
		state := level[0]
		level = level[1:]
		k.ends[state] = append(k.ends[state], k.ends[back[state]]...)
		for c := range k.width {
			at := int(state)*k.width + c
			shorter := uint16(0)
			if state != 0 {
				shorter = k.next[int(back[state])*k.width+c]
			}
			if child := k.next[at]; child == 0 {
				k.next[at] = shorter
			} else {
				back[child] = shorter
				level = append(level, child)
			}
		}
	}
}

// findKeywords returns the positions at which keywords begin in the text, for each of n rules. n
// must be the number of rules.
func (k *keywordFinder) findKeywords(text string, n int) [][]int {
	found := make([][]int, n)
	state := 0
	for i := range len(text) {
		state = int(k.next[state*k.width+int(k.class[text[i]])])
		for _, e := range k.ends[state] {
			found[e.rule] = append(found[e.rule], i+1-e.length)
		}
	}
	return found
}
