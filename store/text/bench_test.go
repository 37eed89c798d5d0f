package text

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// goSources returns the Go files below a folder of GOROOT/src, cut into chunks of 60 lines, and
// their total size in bytes. It skips the benchmark if there is no go command.
func goSources(b *testing.B, folder string) (chunks [][NumFields]string, size int64) {
	out, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		b.Skip("no go command:", err)
	}
	root := filepath.Join(strings.TrimSpace(string(out)), "src", folder)
	err = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".go") {
			return err
		}
		content, err := os.ReadFile(path)
		size += int64(len(content))
		lines := strings.SplitAfter(string(content), "\n")
		for len(lines) > 0 {
			n := min(60, len(lines))
			chunks = append(chunks, [NumFields]string{path[len(root):], "", "", strings.Join(lines[:n], "")})
			lines = lines[n:]
		}
		return err
	})
	if err != nil {
		b.Skip("no sources:", err)
	}
	return chunks, size
}

func BenchmarkInverterAdd(b *testing.B) {
	chunks, size := goSources(b, "net")
	for _, warm := range []bool{false, true} {
		name := map[bool]string{false: "first", true: "after-reset"}[warm]
		b.Run(name, func(b *testing.B) {
			b.SetBytes(size)
			b.ReportAllocs()
			v := NewInverter()
			for b.Loop() {
				if warm {
					v.Reset()
				} else {
					v = NewInverter()
				}
				for i := range chunks {
					v.Add(&chunks[i])
				}
			}
		})
	}
}

func BenchmarkRuns(b *testing.B) {
	chunks, size := goSources(b, "net")
	b.SetBytes(size)
	runs := 0
	for b.Loop() {
		for i := range chunks {
			Runs(chunks[i][3], func(string) { runs++ })
		}
	}
}

func BenchmarkMerge(b *testing.B) {
	chunks, size := goSources(b, "net")
	v := NewInverter()
	for i := range chunks {
		v.Add(&chunks[i])
	}
	b.SetBytes(size)
	b.ReportAllocs()
	for b.Loop() {
		err := Merge([]*Inverter{v}, averagesOf(v), func(string, int, []byte) error { return nil })
		if err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkAccumulate(b *testing.B) {
	const chunks, every = 150_000, 7
	var ps []Posting
	for c := uint32(0); c < chunks; c += every {
		ps = append(ps, Posting{c, uint8(c%255 + 1)})
	}
	list := EncodeList(ps, nil)
	acc, dirty := make([]float32, chunks), make([]uint8, chunks/64+1)
	b.SetBytes(int64(len(list)))
	for b.Loop() {
		if err := Accumulate(list, len(ps), chunks, 1, acc, dirty); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(ps)), "ns/posting")
}
