package transformer

import (
	"context"
	"fmt"
	"path/filepath"

	ort "github.com/yalue/onnxruntime_go"

	"patina/oracles/transformer/onnx"
)

// maxDimension bounds a model's vectors. The largest known encoders have 4,096.
const maxDimension = 8192

// openSession loads the graph.
func (m *Model) openSession(threads int) error {
	options, err := ort.NewSessionOptions()
	if err != nil {
		return err
	}
	defer options.Destroy()
	for _, set := range []func() error{
		func() error { return options.SetIntraOpNumThreads(threads) },
		func() error { return options.SetInterOpNumThreads(1) },
		func() error { return options.SetLogSeverityLevel(ort.LoggingLevelFatal) },
		// Patterns are kept for each shape, and batches have hundreds of shapes.
		func() error { return options.SetMemPattern(false) },
		// The arena keeps the memory of the largest batch, which batchTokens bounds. Without it the
		// same batches take three times the memory, and twice the time.
		func() error { return options.SetCpuMemArena(true) },
		// Idle threads must sleep: this process mostly waits for questions.
		func() error { return options.AddSessionConfigEntry("session.intra_op.allow_spinning", "0") },
	} {
		if err := set(); err != nil {
			return err
		}
	}
	var inputs []string
	for _, in := range m.shape.inputs {
		inputs = append(inputs, in.Name)
	}
	output := m.shape.output[m.reads].Name
	path := filepath.Join(m.description.Dir, m.description.Graph)
	m.session, err = ort.NewDynamicAdvancedSession(path, inputs, []string{output}, options)
	return err
}

// probe runs two tokens to see that the graph works, and learns the dimension if it is not fixed.
func (m *Model) probe(dimension int) error {
	texts := [][]int64{{m.words.PadID(), m.words.PadID()}}
	all := batch{[]int{0}, 2}
	if dimension > maxDimension {
		return fmt.Errorf("vectors of dimension %d, want at most %d", dimension, maxDimension)
	}
	if m.own = dimension; dimension == 0 {
		if err := m.learnDimension(m.padBatch(texts, all)); err != nil {
			return err
		}
	}
	return m.runBatch(context.Background(), texts, all, func(int, []float32) {})
}

// learnDimension runs a batch whose output the library allocates. The binding can do so only for
// floats of 32 bits.
func (m *Model) learnDimension(in input) error {
	if m.shape.output[m.reads].Type != onnx.Float {
		return fmt.Errorf("the dimension of output %q is not fixed", m.shape.output[m.reads].Name)
	}
	inputs, err := m.tensors(in)
	defer destroy(inputs)
	if err != nil {
		return err
	}
	outputs := []ort.Value{nil}
	if err := m.session.Run(inputs, outputs); err != nil {
		return err
	}
	defer outputs[0].Destroy()
	shape := outputs[0].GetShape()
	want := ort.NewShape(int64(in.texts), int64(in.tokens))
	if m.pools() {
		want = want[:1]
	}
	n := len(want)
	if len(shape) != n+1 || !shape[:n].Equals(want) || shape[n] < 1 || shape[n] > maxDimension {
		return fmt.Errorf("%d texts of %d tokens gave an output of shape %v", in.texts, in.tokens, shape)
	}
	m.own = int(shape[n])
	return nil
}

// pools reports whether the output that is read has one vector a text.
func (m *Model) pools() bool { return m.description.Pooling == Graph }

// An input holds the numbers of a batch: texts rows of tokens columns.
type input struct {
	texts, tokens int
	ids, mask     []int64
}

// padBatch lays out a batch. Short texts are filled up with padding that the mask leaves out.
func (m *Model) padBatch(texts [][]int64, b batch) input {
	in := input{texts: len(b.texts), tokens: b.longest}
	if m.shape.texts > 0 {
		in.texts = m.shape.texts
	}
	if m.shape.tokens > 0 {
		in.tokens = m.shape.tokens
	}
	in.ids, in.mask = make([]int64, in.texts*in.tokens), make([]int64, in.texts*in.tokens)
	pad := m.words.PadID()
	for i := range in.ids {
		in.ids[i] = pad
	}
	for row := range in.texts {
		at := row * in.tokens
		if row >= len(b.texts) {
			in.mask[at] = 1 // a row that nobody reads; attention over nothing would not be finite
			continue
		}
		for i, id := range texts[b.texts[row]] {
			in.ids[at+i], in.mask[at+i] = id, 1
		}
	}
	return in
}

// tensors returns the inputs of the graph. The caller must destroy them, also after an error.
func (m *Model) tensors(in input) ([]ort.Value, error) {
	var all []ort.Value
	for _, want := range m.shape.inputs {
		var data []int64
		switch want.Name {
		case "input_ids":
			data = in.ids
		case "attention_mask":
			data = in.mask
		case "token_type_ids":
			data = make([]int64, len(in.ids))
		case "position_ids":
			data = make([]int64, len(in.ids))
			for i := range data {
				data[i] = int64(i % in.tokens)
			}
		}
		value, err := newTensor(want.Type, ort.NewShape(int64(in.texts), int64(in.tokens)), data)
		if err != nil {
			return all, err
		}
		all = append(all, value)
	}
	return all, nil
}

func newTensor(kind onnx.Type, shape ort.Shape, data []int64) (ort.Value, error) {
	if kind == onnx.Int64 {
		return ort.NewTensor(shape, data)
	}
	short := make([]int32, len(data))
	for i, x := range data {
		short[i] = int32(x)
	}
	return ort.NewTensor(shape, short)
}

func destroy(values []ort.Value) {
	for _, v := range values {
		v.Destroy()
	}
}

// runBatch embeds a batch, and calls write with the unit vector of each of its texts, which write
// must not keep. If the context ends, runBatch ends early with its error.
func (m *Model) runBatch(ctx context.Context, texts [][]int64, b batch, write func(text int, unit []float32)) error {
	in := m.padBatch(texts, b)
	inputs, err := m.tensors(in)
	defer destroy(inputs)
	if err != nil {
		return err
	}
	output, states, err := m.newOutput(in)
	if err != nil {
		return err
	}
	defer output.Destroy()
	if err := m.runUntil(ctx, inputs, []ort.Value{output}); err != nil {
		return err
	}
	numbers := states()
	stride := in.tokens * m.own
	if m.pools() {
		stride = m.own
	}
	unit := make([]float32, m.own)
	for row, text := range b.texts {
		if err := pool(unit, numbers[row*stride:], m.description.Pooling, len(texts[text])); err != nil {
			return err
		}
		write(text, unit)
	}
	return nil
}

// newOutput returns memory for the output, and a function that reads it as floats.
func (m *Model) newOutput(in input) (ort.Value, func() []float32, error) {
	shape := ort.NewShape(int64(in.texts), int64(in.tokens), int64(m.own))
	if m.pools() {
		shape = ort.NewShape(int64(in.texts), int64(m.own))
	}
	if m.shape.output[m.reads].Type == onnx.Float16 {
		half := make([]byte, 2*shape.FlattenedSize())
		value, err := ort.NewCustomDataTensor(shape, half, ort.TensorElementDataTypeFloat16)
		return value, func() []float32 {
			wide := make([]float32, len(half)/2)
			widen(wide, half)
			return wide
		}, err
	}
	value, err := ort.NewEmptyTensor[float32](shape)
	if err != nil {
		return nil, nil, err
	}
	return value, value.GetData, nil
}

// runUntil runs the graph, and stops it within the batch when the context ends.
func (m *Model) runUntil(ctx context.Context, inputs, outputs []ort.Value) error {
	options, err := ort.NewRunOptions()
	if err != nil {
		return err
	}
	defer options.Destroy()
	stopped := make(chan struct{})
	stop := context.AfterFunc(ctx, func() {
		defer close(stopped)
		_ = options.Terminate()
	})
	err = m.session.RunWithOptions(inputs, outputs, options)
	if !stop() {
		<-stopped // options must outlive Terminate
		return ctx.Err()
	}
	return err
}
