package main

import (
	"bufio"
	"bytes"
	"debug/elf"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/klauspost/compress/zstd"
)

// packed are the tables without bytes in the program's file: the largest of each parser. None holds
// an address.
var packed = []string{
	"ts_primary_state_ids", "ts_lex_modes", "ts_parse_table", "ts_small_parse_table", "ts_small_parse_table_map",
	"ts_parse_actions",
}

// pack compiles a grammar and its scanner into objects in a folder, and returns their names.
func (t tools) pack(g grammar, from, header, work string) (objects []string, err error) {
	whole := g.function + "-whole.o"
	if err := t.compile(from, "parser.c", filepath.Join(work, whole), "-O0"); err != nil {
		return nil, err
	}
	tables, err := readTables(filepath.Join(work, whole))
	if err != nil {
		return nil, err
	}
	source, err := os.ReadFile(filepath.Join(from, "parser.c"))
	if err != nil {
		return nil, err
	}
	if source, err = empty(source, tables); err != nil {
		return nil, err
	}
	source, err = appendFrames(source, g.function, header, tables)
	if err != nil {
		return nil, err
	}
	if err := os.WriteFile(filepath.Join(work, g.function+".c"), source, 0o644); err != nil {
		return nil, err
	}
	if err := t.compile(work, g.function+".c", g.function+".o", "-I", from); err != nil {
		return nil, err
	}
	objects = []string{g.function + ".o"}
	if _, err := os.Stat(filepath.Join(from, "scanner.c")); err == nil {
		scanner := g.function + "-scanner.o"
		if err := t.compile(from, "scanner.c", filepath.Join(work, scanner)); err != nil {
			return nil, err
		}
		objects = append(objects, scanner)
	} else if !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	return objects, nil
}

// compile compiles a file of a folder. Names of files in the object, as assert prints them, are
// relative, so that it does not depend on where the folder lies.
func (t tools) compile(folder, file, object string, flags ...string) error {
	args := slices.Concat(t.cc[1:], []string{"-std=c11", "-fPIC", "-w", "-I", "."}, flags, []string{"-c", file, "-o", object})
	return start(folder, t.cc[0], args...)
}

func start(folder, name string, args ...string) error {
	command := exec.Command(name, args...)
	command.Dir = folder
	if out, err := command.CombinedOutput(); err != nil {
		return fmt.Errorf("%s %s: %w\n%s", name, strings.Join(args, " "), err, out)
	}
	return nil
}

// readTables returns the bytes of the packed tables of an object.
func readTables(object string) (map[string][]byte, error) {
	file, err := elf.Open(object)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	symbols, err := file.Symbols()
	if err != nil {
		return nil, err
	}
	tables := map[string][]byte{}
	for _, s := range symbols {
		if !slices.Contains(packed, s.Name) {
			continue
		}
		if int(s.Section) >= len(file.Sections) {
			return nil, fmt.Errorf("%s is in no section", s.Name)
		}
		content, err := file.Sections[s.Section].Data()
		if err != nil {
			return nil, err
		}
		if s.Size == 0 || s.Value+s.Size > uint64(len(content)) {
			return nil, fmt.Errorf("%s has %d bytes at %d, and its section %d", s.Name, s.Size, s.Value, len(content))
		}
		tables[s.Name] = content[s.Value : s.Value+s.Size]
	}
	for _, name := range packed {
		if tables[name] == nil {
			return nil, fmt.Errorf("the object of the parser has no %s", name)
		}
	}
	return tables, nil
}

// definition is the first line of a table: its type, name and sizes.
var definition = regexp.MustCompile(`^static const (\w+) (ts_\w+)((?:\[\w*\])+) = \{$`)

// empty returns a parser whose packed tables are variables without values. Its authors' generator
// writes each value on a line of its own, and what ends a table at the beginning of a line.
func empty(source []byte, tables map[string][]byte) ([]byte, error) {
	var out bytes.Buffer
	lines := bufio.NewScanner(bytes.NewReader(source))
	lines.Buffer(nil, 1<<20)
	found, inside := 0, false
	for lines.Scan() {
		line := lines.Bytes()
		if inside {
			inside = string(line) != "};"
			continue
		}
		m := definition.FindSubmatch(line)
		if m == nil || tables[string(m[2])] == nil {
			out.Write(line)
			out.WriteByte('\n')
			continue
		}
		kind, name, sizes := m[1], m[2], string(m[3])
		bytes := len(tables[string(name)])
		if sizes == "[]" {
			sizes = fmt.Sprintf("[%d / sizeof(%s)]", bytes, kind)
		}
		fmt.Fprintf(&out, "static %s %s%s;\n", kind, name, sizes)
		fmt.Fprintf(&out, "_Static_assert(sizeof(%s) == %d, \"%s has another size\");\n", name, bytes, name)
		found, inside = found+1, true
	}
	if err := lines.Err(); err != nil {
		return nil, err
	}
	if found != len(packed) || inside {
		return nil, fmt.Errorf("found the beginnings of %d tables of %d in parser.c: its form is another one", found, len(packed))
	}
	return out.Bytes(), nil
}

// appendFrames appends the compressed tables and the list of them.
func appendFrames(source []byte, function, header string, tables map[string][]byte) ([]byte, error) {
	z, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedBestCompression), zstd.WithEncoderConcurrency(1),
		zstd.WithWindowSize(zstd.MaxWindowSize>>2), zstd.WithSingleSegment(true))
	if err != nil {
		return nil, err
	}
	b := bytes.NewBuffer(source)
	fmt.Fprintf(b, "#include %q\n", header)
	for _, name := range packed {
		frame := z.EncodeAll(tables[name], nil)
		fmt.Fprintf(b, "static const unsigned char packed_%s[%d] = {", name, len(frame))
		for i, c := range frame {
			if i%32 == 0 {
				b.WriteByte('\n')
			}
			fmt.Fprintf(b, "%d,", c)
		}
		b.WriteString("\n};\n")
	}
	fmt.Fprintf(b, "const patina_table %s_tables[] = {\n", function)
	for _, name := range packed {
		fmt.Fprintf(b, "\t{%[1]s, sizeof(%[1]s), packed_%[1]s, sizeof(packed_%[1]s)},\n", name)
	}
	b.WriteString("};\n")
	return b.Bytes(), nil
}
