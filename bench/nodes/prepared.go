package main

import (
	"fmt"
	"hash/fnv"
	"math/rand/v2"

	"google.golang.org/protobuf/proto"

	"patina/actors/api"
	"patina/oracles"
	"patina/registry/route"
	"patina/store/doc"
	"patina/wire"
)

// preparedLists returns lists that look like those of a real question, of some bytes as a message.
func preparedLists(repository string, bytes int) *api.Lists {
	draw := rand.New(rand.NewPCG(hash(repository), 1))
	l := &api.Lists{From: repository, Evidence: map[string]doc.Evidence{}}
	l.Index.Generation = doc.Generation{Number: 7, Head: "0123456789abcdef0123456789abcdef01234567"}
	for _, c := range []string{"lexical", "semantic", "temporal", "belief"} {
		l.Channels = append(l.Channels, api.ChannelState{Channel: c, Status: api.OK, Hits: 40})
		l.Lists = append(l.Lists, oracles.List{Channel: c, Kind: doc.Code, Generation: 7})
	}
	for size, i := 0, 0; size < bytes; i++ {
		for range 8 {
			path := fmt.Sprintf("internal/part%d/file%d.go", draw.IntN(40), draw.IntN(1000))
			at := &l.Lists[i%4]
			at.Hits = append(at.Hits, doc.Ranked{
				DocID: path, Path: path, Raw: draw.Float64() * 20, Chunks: []int{draw.IntN(9), draw.IntN(9)},
				Near: []float64{draw.Float64(), draw.Float64()},
			})
			l.Evidence[path] = doc.Evidence{
				Share: draw.Float64(), Breadth: draw.Float64(), Demotion: 1, Coverage: draw.Float64(), Known: .8, Cosine: draw.Float64(),
				Passage: draw.Float64(),
			}
		}
		m, err := wire.EncodeLists(l)
		if err != nil {
			panic(err) // they are made above
		}
		size = proto.Size(m)
	}
	return l
}

func hash(s string) uint64 {
	h := fnv.New64a()
	_, _ = h.Write([]byte(s))
	return h.Sum64()
}

// sketchOf makes up the sketch of a repository: its words are drawn from 20,000, common ones more
// often.
func sketchOf(repository string, words int) *route.Sketch {
	draw := rand.New(rand.NewPCG(hash(repository), 2))
	common := rand.NewZipf(draw, 1.1, 10, 20_000)
	c := route.Contents{Chunks: 500 + draw.IntN(5000), Terms: map[string]int{}, Names: []string{"New", "Run"}}
	c.Counted = c.Chunks
	for range words {
		w := word(common.Uint64())
		c.Terms[w] = min(c.Chunks, 2+c.Terms[w]+draw.IntN(20))
	}
	k := route.New(c)
	return &k
}

// word is the nth of the words of sketches.
func word(n uint64) string { return fmt.Sprintf("word%d", n) }
