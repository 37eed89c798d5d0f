//go:build !packed

package syntax

// #cgo LDFLAGS: ${SRCDIR}/../../third_party/build/libtree-sitter-solidity.a
// #cgo LDFLAGS: ${SRCDIR}/../../third_party/build/libtree-sitter-swift.a
// const void *tree_sitter_solidity(void);
// const void *tree_sitter_swift(void);
import "C"

import (
	"unsafe"

	kotlin "github.com/tree-sitter-grammars/tree-sitter-kotlin/bindings/go"
	lua "github.com/tree-sitter-grammars/tree-sitter-lua/bindings/go"
	zig "github.com/tree-sitter-grammars/tree-sitter-zig/bindings/go"
	bash "github.com/tree-sitter/tree-sitter-bash/bindings/go"
	csharp "github.com/tree-sitter/tree-sitter-c-sharp/bindings/go"
	c "github.com/tree-sitter/tree-sitter-c/bindings/go"
	cpp "github.com/tree-sitter/tree-sitter-cpp/bindings/go"
	elixir "github.com/tree-sitter/tree-sitter-elixir/bindings/go"
	golang "github.com/tree-sitter/tree-sitter-go/bindings/go"
	haskell "github.com/tree-sitter/tree-sitter-haskell/bindings/go"
	java "github.com/tree-sitter/tree-sitter-java/bindings/go"
	javascript "github.com/tree-sitter/tree-sitter-javascript/bindings/go"
	php "github.com/tree-sitter/tree-sitter-php/bindings/go"
	python "github.com/tree-sitter/tree-sitter-python/bindings/go"
	ruby "github.com/tree-sitter/tree-sitter-ruby/bindings/go"
	rust "github.com/tree-sitter/tree-sitter-rust/bindings/go"
	scala "github.com/tree-sitter/tree-sitter-scala/bindings/go"
	typescript "github.com/tree-sitter/tree-sitter-typescript/bindings/go"
)

// parsers are the compiled parsers of tree-sitter, by the name of their language. Each language
// must have a Grammar in code/lang, because it gives the meaning of the nodes.
var parsers = map[string]func() unsafe.Pointer{
	"C":          c.Language,
	"C#":         csharp.Language,
	"C++":        cpp.Language,
	"Elixir":     elixir.Language,
	"Go":         golang.Language,
	"Haskell":    haskell.Language,
	"Java":       java.Language,
	"JavaScript": javascript.Language,
	"Kotlin":     kotlin.Language,
	"Lua":        lua.Language,
	"PHP":        php.LanguagePHP,
	"Python":     python.Language,
	"Ruby":       ruby.Language,
	"Rust":       rust.Language,
	"Scala":      scala.Language,
	"Shell":      bash.Language,
	"Solidity":   func() unsafe.Pointer { return unsafe.Pointer(C.tree_sitter_solidity()) },
	"Swift":      func() unsafe.Pointer { return unsafe.Pointer(C.tree_sitter_swift()) },
	"TSX":        typescript.LanguageTSX,
	"TypeScript": typescript.LanguageTypescript,
	"Zig":        zig.Language,
}
