package vector

import (
	"encoding/json"
	"os"
	"runtime"
	"slices"
	"testing"

	"golang.org/x/sys/cpu"
)

// The scan must use the vector units: a library compiled without SimSIMD works as well, but eight
// times slower. On arm64 this is not tested, because SimSIMD's kernel for bytes needs I8MM, which
// many cores lack.
func TestAcceleration(t *testing.T) {
	if runtime.GOARCH != "amd64" || !cpu.X86.HasAVX2 {
		t.Skip("no vector unit that is known here")
	}
	if name := Acceleration(); name == "serial" || name == "" || name == "unknown" {
		t.Errorf("rows are scanned with %q", name)
	}
}

// The Go code, the pinned package and the linked library must have the same version.
func TestVersion(t *testing.T) {
	content, err := os.ReadFile("../../third_party/package.json")
	if err != nil {
		t.Fatal(err)
	}
	var pinned struct{ Dependencies map[string]string }
	if err := json.Unmarshal(content, &pinned); err != nil {
		t.Fatal(err)
	}
	if linked := linkedVersion(); pinned.Dependencies["usearch"] != usearchVersion || linked != usearchVersion {
		t.Errorf("usearch %s here, %s in third_party/package.json, %s in the library: change usearchVersion and run make",
			usearchVersion, pinned.Dependencies["usearch"], linked)
	}
}

// USearch's exact search finds the same rows as the scan.
func TestDotsAgainstUSearch(t *testing.T) {
	vectors, asked := topics(2, 3000, 20, 256)
	rows, questions := quantised(vectors), quantised(asked)
	for i := range asked {
		q := questions[i*256 : (i+1)*256]
		found, distances, err := exactSearch(rows, q, 10)
		if err != nil {
			t.Fatal(err)
		}
		dst := make([]int32, 3000)
		Dots(dst, rows, q)
		products := make([]int32, 10)
		for j, row := range found {
			products[j] = dst[row]
			if float32(1-float64(products[j])) != distances[j] {
				t.Errorf("row %d has product %d and distance %v", row, products[j], distances[j])
			}
		}
		want := make([]int32, 10)
		for j, row := range best(len(dst), 10, func(i int) float64 { return float64(dst[i]) }) {
			want[j] = dst[row]
		}
		if !slices.Equal(products, want) { // equal products may have any order
			t.Errorf("question %d: products %v, want %v", i, products, want)
		}
	}
}
