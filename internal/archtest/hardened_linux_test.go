package archtest

import (
	"debug/elf"
	"os"
	"slices"
	"testing"
)

// A binary of "make build" must have no writable table of functions, no executable stack, and
// overrun checks in C code. With PIE=1 it must be position independent. "make check" sets
// PATINA_BINARY to its path.
func TestBinaryIsHardened(t *testing.T) {
	name := os.Getenv("PATINA_BINARY")
	if name == "" {
		t.Skip("PATINA_BINARY names none")
	}
	f, err := elf.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	if os.Getenv("PIE") != "" && f.Type != elf.ET_DYN {
		t.Errorf("%v: not position independent", f.Type)
	}
	segments := map[elf.ProgType]elf.ProgFlag{}
	for _, p := range f.Progs {
		segments[p.Type] |= p.Flags
		if p.Type == elf.PT_LOAD && p.Flags&(elf.PF_W|elf.PF_X) == elf.PF_W|elf.PF_X {
			t.Error("a segment can be written and run")
		}
	}
	if _, ok := segments[elf.PT_GNU_RELRO]; !ok {
		t.Error("no RELRO")
	}
	if flags, ok := segments[elf.PT_GNU_STACK]; !ok || flags&elf.PF_X != 0 {
		t.Error("the stack can be run")
	}
	now, _ := f.DynValue(elf.DT_FLAGS)
	more, _ := f.DynValue(elf.DT_FLAGS_1)
	bound := slices.ContainsFunc(now, func(v uint64) bool { return elf.DynFlag(v)&elf.DF_BIND_NOW != 0 }) ||
		slices.ContainsFunc(more, func(v uint64) bool { return elf.DynFlag1(v)&elf.DF_1_NOW != 0 })
	if !bound {
		t.Error("functions are bound when they are called: RELRO is partial")
	}
	imported, err := f.ImportedSymbols()
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"__stack_chk_fail", "__memcpy_chk"} {
		if !slices.ContainsFunc(imported, func(s elf.ImportedSymbol) bool { return s.Name == want }) {
			t.Errorf("no C code calls %s", want)
		}
	}
}
