package train

import (
	"encoding/binary"
	"regexp"

	"patina/oracles/embed"
	"patina/store/doc"
)

// An encodedExample is an example as piece ids.
type encodedExample struct {
	kind        byte
	file        int32
	path, name  []uint16
	about, body []uint16
	masked      []uint16 // the body without the name
	aboutHash   uint64
	documented  bool
}

// encode encodes examples in the way of package embed.
func encode(words *embed.Vocabulary, examples []example) []encodedExample {
	model := embed.New(embed.NewTrainer(words.Len(), 64, 0).Quantise(words))
	out := make([]encodedExample, len(examples))
	parallel(len(examples), func(i int) {
		x := examples[i]
		e := encodedExample{kind: x.kind, file: x.file}
		e.path = ids(model, doc.Passage{Path: x.path})
		e.about = ids(model, doc.Passage{Doc: x.about})
		e.body = ids(model, doc.Passage{Body: x.body})
		if x.kind == symbol {
			e.name = ids(model, doc.Passage{Doc: x.name})
			e.masked = ids(model, doc.Passage{Body: without(x.body, x.name)})
		}
		e.about = e.about[:min(len(e.about), questionPieces)]
		e.documented = len(e.about) > 1
		e.aboutHash = hash(x.about)
		out[i] = e
	})
	return out
}

// ids returns a passage's pieces.
func ids(model *embed.Model, p doc.Passage) []uint16 {
	encoded := model.Encode(nil, p)[4:] // skips the piece counts for path and doc
	out := make([]uint16, len(encoded)/2)
	for i := range out {
		out[i] = binary.LittleEndian.Uint16(encoded[2*i:])
	}
	return out
}

// without removes a name from a text wherever it is a whole word. An empty name removes nothing.
func without(text, name string) string {
	if name == "" {
		return text
	}
	pattern, err := regexp.Compile(`\b` + regexp.QuoteMeta(name) + `\b`)
	if err != nil {
		return text
	}
	return pattern.ReplaceAllLiteralString(text, " ")
}
