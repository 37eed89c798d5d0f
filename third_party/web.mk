# The script of the pages of "patina ui" is htmx, from the npm package that third_party/web/package-lock.json pins by its hash. The rules
# by which the pages colour code are files of the Go module chroma, at the version in go.mod. Both are compressed and embedded
# (third_party/web/web.go). Chroma's own package of rules has 270 languages, which each start of patina would read.

WEB    := third_party/web/built/htmx.js.gz
CHROMA := github.com/alecthomas/chroma/v2
# The languages of code/lang, by the names of chroma's files. Go and Markdown are in cmd/internal/ui/paint.
LEXERS := ada awk bash batchfile bicep c c\# c++ clojure cmake coffeescript common_lisp crystal css cython d dart diff docker elixir elm emacslisp erlang \
	fish fortran fsharp gdscript gherkin glsl go_template graphql groovy handlebars haskell hcl html ini java javascript json julia kotlin lua makefile \
	matlab meson nasm nim nix objective-c objectpascal ocaml odin perl php powershell prolog protocol_buffer python qml r racket ruby rust sass scala \
	scheme scss smalltalk solidity sql swift systemverilog tcl tex thrift toml typescript vb_net verilog vhdl viml vue wat xml yaml zig

$(WEB): third_party/web/package.json third_party/web/package-lock.json third_party/web.mk | need
	@command -v npm >/dev/null || { echo "make: npm is missing (it fetches the script of the pages, once)" >&2; exit 1; }
	cd third_party/web && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error
	rm -f $(@D)/*.gz
	go mod download $(CHROMA)
	from=$$(go list -m -f '{{.Dir}}' $(CHROMA))/lexers/embedded; \
		for name in $(LEXERS); do gzip -9nc "$$from/$$name.xml" > "$(@D)/$$name.xml.gz" || exit 1; done
	gzip -9nc third_party/web/node_modules/htmx.org/dist/htmx.min.js > $@.new
	rm -rf third_party/web/node_modules
	mv $@.new $@
