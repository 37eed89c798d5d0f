package train

import (
	"math"
	"math/rand/v2"

	"patina/oracles/embed"
)

const (
	blocks         = 32  // in a batch
	blockPairs     = 64  // neighbouring examples, which are hard negatives for each other
	questionPieces = 64  // pieces read from a question
	passagePieces  = 256 // pieces read from a passage
	pathShare      = 0.5 // share of passages that begin with the path
	namelessShare  = 0.3 // share of symbols whose name is removed from the passage
)

// A task pairs examples. Each epoch uses a share of its pairs.
type task struct {
	name  string
	share float64
	pairs []link
}

// A link is a question and a passage, both as indexes of examples. They are equal unless the task
// joins two examples of one file.
type link struct{ asked, there int32 }

const (
	taskDoc = iota
	taskName
	taskRemark
	taskSection
	taskFile
)

// lessons makes batches of examples.
type lessons struct {
	examples []encodedExample
	tasks    [5]task
	blocks   int // in a batch
	random   *rand.Rand
	queue    []lesson // remaining batches of this epoch
	counts   []uint16 // by piece; zero between calls
}

// A lesson is a batch before it is made: its task and its links.
type lesson struct {
	task  int
	links []link
}

func newLessons(examples []encodedExample, pieces, blocks int, seed uint64) *lessons {
	l := &lessons{
		examples: examples, blocks: blocks, random: rand.New(rand.NewPCG(seed, 1)), counts: make([]uint16, pieces),
	}
	l.tasks = [5]task{
		{name: "comment → body", share: 1},
		{name: "name → body", share: 0.3},
		{name: "remark → code", share: 0.5},
		{name: "heading → text", share: 1},
		{name: "same file", share: 1},
	}
	for i, e := range examples {
		self := link{int32(i), int32(i)}
		switch {
		case e.kind == remark && e.documented:
			l.tasks[taskRemark].pairs = append(l.tasks[taskRemark].pairs, self)
		case e.kind == section && e.documented:
			l.tasks[taskSection].pairs = append(l.tasks[taskSection].pairs, self)
		case e.kind == symbol:
			if e.documented {
				l.tasks[taskDoc].pairs = append(l.tasks[taskDoc].pairs, self)
			}
			if len(e.name) > 0 && len(e.masked) >= 8 {
				l.tasks[taskName].pairs = append(l.tasks[taskName].pairs, self)
			}
		}
	}
	l.pairFiles()
	return l
}

// pairFiles pairs each documented symbol, and some others, with a random symbol of its file.
func (l *lessons) pairFiles() {
	for from := 0; from < len(l.examples); {
		to := from
		var symbols []int32
		for ; to < len(l.examples) && l.examples[to].file == l.examples[from].file; to++ {
			if l.examples[to].kind == symbol {
				symbols = append(symbols, int32(to))
			}
		}
		for k, s := range symbols {
			if len(symbols) > 1 && (l.examples[s].documented || k%3 == 0 && len(l.examples[s].name) > 1) {
				other := symbols[(k+1+l.random.IntN(len(symbols)-1))%len(symbols)]
				l.tasks[taskFile].pairs = append(l.tasks[taskFile].pairs, link{s, other})
			}
		}
		from = to
	}
}

// next returns the next batch. It begins a new epoch if needed. perEpoch must not be 0.
func (l *lessons) next() embed.Batch {
	if len(l.queue) == 0 {
		l.epoch()
	}
	x := l.queue[0]
	l.queue = l.queue[1:]
	return l.batch(x)
}

// perEpoch returns the number of batches in an epoch.
func (l *lessons) perEpoch() int {
	n := 0
	for _, t := range l.tasks {
		n += int(float64(len(t.pairs)/blockPairs)*t.share) / l.blocks
	}
	return n
}

// epoch fills the queue. It shuffles blocks of neighbours within their task, and batches over all
// tasks.
func (l *lessons) epoch() {
	for number, t := range l.tasks {
		starts := make([]int, 0, len(t.pairs)/blockPairs)
		for at := l.random.IntN(blockPairs); at+blockPairs <= len(t.pairs); at += blockPairs {
			starts = append(starts, at)
		}
		l.random.Shuffle(len(starts), func(i, j int) { starts[i], starts[j] = starts[j], starts[i] })
		for starts = starts[:int(float64(len(starts))*t.share)]; len(starts) >= l.blocks; starts = starts[l.blocks:] {
			x := lesson{task: number}
			for _, at := range starts[:l.blocks] {
				x.links = append(x.links, t.pairs[at:at+blockPairs]...)
			}
			l.queue = append(l.queue, x)
		}
	}
	l.random.Shuffle(len(l.queue), func(i, j int) { l.queue[i], l.queue[j] = l.queue[j], l.queue[i] })
}

// batch makes the bags of a lesson.
func (l *lessons) batch(x lesson) embed.Batch {
	asked := make([]uint64, len(x.links))
	there := make([]uint64, len(x.links))
	batch := embed.Batch{Alike: [][]uint64{asked, there}}
	for i, k := range x.links {
		a, b := &l.examples[k.asked], &l.examples[k.there]
		question, body := a.about, b.body
		asked[i], there[i] = a.aboutHash, uint64(k.there)+1
		if x.task == taskName || x.task == taskFile && !a.documented {
			question, asked[i] = a.name, hashIDs(a.name)
		}
		if x.task == taskName || x.task == taskDoc && l.random.Float64() < namelessShare {
			body = b.masked
		}
		var path []uint16
		if l.random.Float64() < pathShare && x.task != taskFile {
			path = b.path
		}
		batch.Questions = append(batch.Questions, weighed(question))
		batch.Passages = append(batch.Passages, l.passage(path, body))
	}
	return batch
}

// weighed returns a bag in which every piece counts once per occurrence. It keeps ids.
func weighed(ids []uint16) embed.Bag {
	weights := make([]float32, len(ids))
	for i := range weights {
		weights[i] = 1
	}
	return embed.Bag{IDs: ids, Weights: weights}
}

// passage returns a bag in which a piece weighs the square root of its count.
func (l *lessons) passage(texts ...[]uint16) embed.Bag {
	var bag embed.Bag
	left := passagePieces
	for _, text := range texts {
		for _, id := range text[:min(left, len(text))] {
			if l.counts[id] == 0 {
				bag.IDs = append(bag.IDs, id)
			}
			l.counts[id]++
		}
		left -= min(left, len(text))
	}
	bag.Weights = make([]float32, len(bag.IDs))
	for i, id := range bag.IDs {
		bag.Weights[i] = float32(math.Sqrt(float64(l.counts[id])))
		l.counts[id] = 0
	}
	return bag
}

func hashIDs(ids []uint16) uint64 {
	h := uint64(14695981039346656037)
	for _, id := range ids {
		h = (h ^ uint64(id)) * 1099511628211
	}
	return h
}
