package lang

import "patina/internal/lazyregexp"

// These languages have no parser. Most are described by the names of their files and by the style
// of their comments. Definitions are found by their keywords, if these are not the common ones.
func addPlain(register func(*Language)) {
	for _, l := range []Language{
		{Name: "Ada", Code: true, Files: ".adb .ads", Comments: dashComments},
		{
			Name: "Assembly", Code: true, Files: ".s .asm .nasm", Comments: asmComments,
			Definitions: &Definitions{Heads: heads(
				`^([\pL_.$][\pL\pN_.$@]*):`,
				`(?i)^([\pL_]\w*)\s+(?:proc|macro)\b`,
				`(?i)^\.?macro\s+([\pL_]\w*)`,
			)},
		},
		{Name: "Awk", Code: true, Files: ".awk", Interpreters: "awk gawk", Comments: hashComments},
		{Name: "Batchfile", Code: true, Files: ".bat .cmd", Comments: batchComments},
		{
			Name: "Bicep", Code: true, Files: ".bicep", Comments: slashComments,
			Definitions: &Definitions{Heads: heads(
				`^(?:targetScope|(?:resource|param|var|output|module|func|type)\s+` + nameWord + `)`,
			)},
		},
		{
			Name: "Clojure", Code: true, Files: ".clj .cljs .cljc .edn .bb", Comments: semicolonComments,
			SummaryMarks: []string{";;;", ";;", ";"},
			Definitions:  lispDefinitions,
		},
		{
			Name: "CMake", Builds: true, Code: true, Files: ".cmake cmakelists.txt", Comments: hashComments,
			Settings: true, Definitions: &Definitions{Whole: true, Heads: heads(
				`(?i)^(?:function|macro)\s*\(\s*"?([\pL\pN_]+)`,
				`(?i)^(?:add_executable|add_library|add_custom_target|add_test|project`+
					`|option)\s*\(\s*"?([\pL\pN_.${}:-]+)`,
			)},
		},
		{
			Name: "CoffeeScript", Code: true, Files: ".coffee", Comments: hashComments,
			TestLines: scriptTestLines,
			Definitions: &Definitions{Heads: heads(
				`+^(?:module\.exports\s*=\s*|exports\.)?class\s+`+namePath,
				`^@?`+namePath+`\s*[:=]\s*(?:\([^)]*\)\s*)?[-=]>`,
			)},
		},
		{
			Name: "Common Lisp", Code: true, Files: ".lisp .lsp .cl", Comments: semicolonComments,
			SummaryMarks: []string{";;;", ";;", ";"},
			Definitions:  lispDefinitions,
		},
		{Name: "Crystal", Code: true, Files: ".cr", Interpreters: "crystal", Comments: hashComments},
		{
			Name: "CSS", Files: ".css", Comments: slashComments, NoUses: true, StyleSheet: true, Minified: true,
			Definitions: sheetDefinitions,
		},
		{Name: "CSV", Files: ".csv .tsv", NoUses: true, Records: true},
		{
			Name: "CUDA", Family: "C", Code: true, Files: ".cu .cuh", Comments: slashComments,
			Definitions: cDefinitions,
		},
		{
			Name: "Cython", Ecosystem: "PyPI", Code: true, Files: ".pyx .pxd .pxi", Comments: pythonComments,
			Definitions: cDefinitions,
		},
		{
			Name: "D", Code: true, Files: ".d", Comments: slashComments,
			Definitions: cDefinitions,
		},
		{
			Name: "Dart", Ecosystem: "Pub",
			TextImports: lazyregexp.New(`(?m)^[ \t]*(?:import|export)[ \t]+['"]package:([\w/]+)`), Code: true,
			Files: ".dart", Comments: slashComments,
			TestLines: []string{"test('", "group('"},
			Definitions: &Definitions{Heads: append(heads(
				`+^(?:(?:abstract|base|final|sealed|interface|augment|macro)\s+)*(?:mixin\s+)?(?:class|mixin|enum`+
					`|extension(?:\s+type)?(?:\s+const)?)\s+`+nameWord,
				`^typedef\s+(?:.*\s)?`+nameWord+`\s*(?:<[^=]*>)?\s*(?:=|\()`,
				`^(?:(?:static|external|abstract|@\w+)\s+)*(?:[\pL_][\pL\pN_<>,.?\[\] ]*\s)?(?:get|set)\s+`+nameWord,
				`^(?:[\pL_][\pL\pN_<>,.?\[\] ]*\s)operator\s*([=<>+*/%~^|&\[\]-]+)\s*\(`,
			), cHead, looseHead(`^[\pL_][\pL\pN_<>,.?\[\] ]*\s([\pL_$][\pL\pN_$]*)\(.*\)\s*(?:async\s*)?=>`),
				looseHead(`^(?:(?:static|external|const|factory|@\w+)\s+)*([\pL_$][\pL\pN_$.]*)\((?:[^;]*(?:\{|=>|,`+
					`|\(|:)|[^;]*\)\s*(?:async|sync\*?|async\*)?)$`))},
		},
		{
			Name: "Dockerfile", Builds: true, Code: true, Files: ".dockerfile dockerfile containerfile",
			Comments: hashComments, Settings: true,
			Definitions: &Definitions{Whole: true, Heads: heads(`(?i)^from\s+.*\s+as\s+(\S+)`, `(?i)^from\s+(\S+)`)},
		},
		{
			Name: "Elm", Code: true, Files: ".elm", Comments: dashComments,
			Definitions: &Definitions{Heads: heads(
				`^(?:type(?:\s+alias)?|port)\s+`+nameWord,
				`^`+nameWord+`\s+:\s`,
				`^([a-z][\pL\pN_]*)(?:\s+[\pL_({\[][^=]*)?\s*=$`,
			)},
		},
		{
			Name: "Emacs Lisp", Code: true, Files: ".el", Comments: semicolonComments,
			SummaryMarks: []string{";;;", ";;", ";"},
			Definitions:  lispDefinitions,
		},
		{
			Name: "Erlang", Code: true, Files: ".erl .hrl .escript", Interpreters: "escript", Comments: percentComments,
			SummaryMarks: []string{"%%%", "%%", "%"},
			Definitions: &Definitions{Heads: heads(
				`^([a-z][\pL\pN_@]*)\([^.]*(?:->.*|,)?$`,
				`^-(?:record|define|type|opaque|callback|spec)\s*\(?\s*([\pL_][\pL\pN_@]*)`,
			)},
		},
		{
			Name: "F#", Ecosystem: "NuGet", Code: true, Files: ".fs .fsi .fsx", Comments: mlComments,
			Definitions: &Definitions{Heads: heads(
				`+^(?:module|namespace)\s+(?:rec\s+|private\s+|internal\s+|public\s+)*`+namePath,
				`+^(?:type|and)\s+(?:private\s+|internal\s+)?`+namePath,
				`^let(?:\s+(?:rec|inline|private|internal|mutable))*\s+(?:\(\s*([^)\s]+)\s*\)|([\pL_][\pL\pN_']*))`,
				`^(?:static\s+)?(?:member|override|abstract|default)(?:\s+(?:inline|private`+
					`|internal))*\s+(?:[\pL_]\w*\.)?([\pL_][\pL\pN_']*)`,
			)},
		},
		{Name: "Fish", Code: true, Files: ".fish", Interpreters: "fish", Comments: hashComments},
		{
			Name: "Fortran", Code: true, Files: ".f .f77 .f90 .f95 .f03 .f08 .for", Comments: fortranComments,
			Definitions: &Definitions{Heads: heads(
				`+(?i)^(?:module|program|submodule\s*\([^)]*\))\s+([a-z_]\w*)$`,
				`(?i)^(?:(?:pure|elemental|recursive|impure|module|integer|real|logical|complex|character`+
					`|double\s+precision|type|class)(?:\s*\([^)]*\))?(?:\s*\*\s*\d+)?\s+)*(?:subroutine`+
					`|function)\s+([a-z_]\w*)`,
				`(?i)^type(?:\s*,[^:]*)?\s*(?:::)?\s*([a-z_]\w*)$`, `(?i)^interface\s+([a-z_]\w*)`,
			)},
		},
		{Name: "GDScript", Code: true, Files: ".gd", Comments: hashComments},
		{Name: "Gherkin", Files: ".feature", Comments: hashComments, Settings: true},
		{
			Name: "GLSL", Code: true, Files: ".glsl .vert .frag .comp .geom", Comments: slashComments,
			Definitions: cDefinitions,
		},
		{Name: "Go Module", Files: "go.mod go.work", Comments: slashComments},
		{
			Name: "Go Template", Files: ".tpl .gotmpl",
			Definitions: &Definitions{Whole: true, Heads: heads(`^\{\{-?\s*(?:define|block)\s+"([^"]+)"`)},
		},
		{
			Name: "GraphQL", Code: true, Files: ".graphql .gql", Comments: hashComments,
			Definitions: &Definitions{Heads: heads(
				`^(?:extend\s+)?(?:type|input|enum|interface|union|scalar|directive|fragment|query|mutation` +
					`|subscription|schema)\s+@?` + nameWord,
			)},
		},
		{
			Name: "Groovy", Ecosystem: "Maven",
			TextImports: lazyregexp.New(`(?m)^[ \t]*import[ \t]+(?:static[ \t]+)?([A-Za-z_][\w.]*)`), Code: true,
			Files: ".groovy .gradle jenkinsfile", Interpreters: "groovy", Comments: slashComments,
			TestLines:   []string{"@Test"},
			Definitions: cDefinitions,
		},
		{Name: "Handlebars", Files: ".hbs .handlebars", Comments: htmlComments},
		{
			Name: "HCL", Code: true, Files: ".tf .hcl .tfvars", Comments: hclComments, Settings: true,
			Definitions: &Definitions{Heads: heads(
				`+^(locals)\s*\{`, `^([\pL_][\pL\pN_-]*)\s*=[^=>]`,
				`^(resource|data|ephemeral|action)\s+"([^"]+)"\s+"([^"]+)"\s*\{`,
				`^(?:variable|output|module|provider|check|job|group|task|source|build)\s+"([^"]+)"`,
				`^(terraform|moved|import|removed)\s*\{`, `^[\pL_][\pL\pN_-]*\s*(?:"([^"]+)"\s*)*\{`,
			)},
		},
		{Name: "INI", Files: ".ini .cfg .conf .properties .editorconfig", Comments: semicolonComments, Settings: true},
		{Name: "JSON", Files: ".json .jsonl .ndjson .geojson .webmanifest", Settings: true, Records: true},
		{Name: "JSON5", Files: ".json5 .jsonc", Comments: slashComments, Settings: true, Records: true},
		{
			Name: "Julia", Code: true, Files: ".jl", Interpreters: "julia", Comments: hashComments,
			TestLines: []string{"@testset", "@test "},
			Definitions: &Definitions{Heads: heads(
				`+^(?:bare)?module\s+`+nameWord,
				`^(?:@[\pL.]+\s+)*(?:function|macro)\s+\(?`+namePath,
				`^(?:@[\pL.]+\s+)*(?:mutable\s+)?struct\s+`+nameWord, `^(?:abstract|primitive)\s+type\s+`+nameWord,
				`^const\s+`+nameWord+`\s*=`,
				`^(?:@[\pL.]+\s+)*([\pL_][\pL\pN_.!]*)(?:\{[^}]*\})?\([^=]*\)(?:::[^=\s]+)?`+
					`(?:\s+where\s[^=]*)?\s*=(?:[^=]|$)`,
				`^@testset\s+(?:[\pL.]+\s+)?"([^"]+)"`,
			)},
		},
		{Name: "Jupyter Notebook", Code: true, Files: ".ipynb", Comments: hashComments, Notebook: true},
		{
			Name: "Less", Files: ".less", Comments: slashComments, NoUses: true, StyleSheet: true,
			Definitions: sheetDefinitions,
		},
		{
			Name: "Makefile", Builds: true, Code: true, Files: ".mk .mak makefile gnumakefile bsdmakefile justfile",
			Interpreters: "make", Comments: hashComments, Settings: true,
			Definitions: &Definitions{Whole: true, Heads: heads(
				`^(?:export\s+|override\s+)*define\s+([^\s=]+)`,
				`^([\pL\pN_$/%][\pL\pN_./%$(){}@+-]*)(?:\s+[\pL\pN_./%$(){}@+-]+)*\s*&?::?(?:[^=:]|$)`,
			)},
		},
		{
			Name:     "Markdown",
			Files:    ".md .markdown .mdx .mkd .mdc .cursorrules .windsurfrules .clinerules .roorules .goosehints",
			Comments: htmlComments, NoUses: true, NotImported: true, Document: true, Prose: Markdown,
		},
		{
			Name: "MATLAB", Code: true, Files: ".m", Comments: percentComments,
			Definitions: &Definitions{Heads: heads(
				`+^classdef\s+(?:\([^)]*\)\s*)?`+nameWord,
				`^function\s+(?:[^=(]*=\s*)?`+namePath,
				`^%%\s+(\S.*)`,
			)},
		},
		{
			Name: "Meson", Builds: true, Code: true, Files: "meson.build meson_options.txt", Comments: hashComments,
			Settings: true,
		},
		{
			Name: "Nim", Code: true, Files: ".nim .nims", Comments: hashComments,
			Definitions: &Definitions{Heads: heads(
				`^(?:proc|func|method|template|macro|iterator|converter)\s+\x60?([\pL_][\pL\pN_]*|[^\s\x60(]+)`,
				`^([\pL_]\w*)\*?(?:\[[^\]]*\])?\s*(?:\{\.[^}]*\})?\s*=\s*(?:ref\s+|ptr\s+)?(?:object|enum|tuple`+
					`|concept)\b`,
				`^test\s+"([^"]+)"`,
			)},
		},
		{
			Name: "Nix", Code: true, Files: ".nix", Interpreters: "nix-shell", Comments: hashComments,
			Definitions: &Definitions{Heads: heads(
				`+^([\pL_][\pL\pN_'.-]*)\s*=\s*(?:.*[\s:])?(?:let|rec\s*\{|\{)$`,
				`^([\pL_][\pL\pN_'-]*)\s*=\s*(?:[\pL_][\pL\pN_'-]*|\{[^{}]*\}(?:\s*@\s*[\pL_]\w*)?`+
					`|[\pL_]\w*\s*@\s*\{[^{}]*\})\s*:(?:\s|$)`,
				`^([\pL_][\pL\pN_'.-]*)\s*=\s*(?:.*[{(:\[]|rec)\s*$`,
			)},
		},
		{
			Name: "Objective-C", Family: "C", Code: true, Comments: slashComments,
			Definitions: objectiveDefinitions,
		},
		{
			Name: "Objective-C++", Code: true, Files: ".mm", Comments: slashComments,
			Definitions: objectiveDefinitions,
		},
		{
			Name: "OCaml", Code: true, Files: ".ml .mli .mll .mly", Interpreters: "ocaml", Comments: mlComments,
			SummaryMarks: []string{"(**", "(*", "*"},
			Definitions: &Definitions{Heads: heads(
				`^let(?:\s+rec|%\w+)?\s+(?:\(\s*([^)\s]+)\s*\)|([a-z_][\pL\pN_']*))`, `^let\b`,
				`^and\s+(?:\(\s*([^)\s]+)\s*\)|(?:(?:'\w+|\([^)]*\))\s+)?([a-z_][\pL\pN_']*))`,
				`+^module(?:\s+type|\s+rec)*\s+([A-Z][\pL\pN_']*)`,
				`^type(?:\s+nonrec)?\s+(?:(?:[+-]?'\w+|\([^)]*\)|_)\s+)?([a-z_][\pL\pN_']*)`,
				`^(?:val|external|exception|method[!]?|class(?:\s+type|\s+virtual)*)\s+(?:private\s+`+
					`|virtual\s+)*(?:\(\s*([^)\s]+)\s*\)|([\pL_][\pL\pN_']*))`,
				`^(?:open|include)\b`,
			)},
		},
		{
			Name: "Odin", Code: true, Files: ".odin", Comments: slashComments,
			Definitions: &Definitions{Heads: heads(
				`^` + nameWord + `\s*::\s*(?:#\w+\s+)*(?:proc|struct|enum|union|distinct|bit_set)\b`,
			)},
		},
		{Name: "Pascal", Code: true, Files: ".pas .pp .dpr .lpr", Comments: mlComments},
		{
			Name: "Perl", Code: true, Files: ".pl .pm .t", Interpreters: "perl", Comments: hashComments,
			TestLines: []string{"use Test::"},
			Definitions: &Definitions{Heads: heads(
				`^(?:sub|method|func|fun|around|before|after)\s+["']?`+namePath,
				`^(?:package|class|role)\s+`+namePath,
				`^has\s+\[?\s*(?:qw[/(])?["']?\+?(\w+)`,
				`^(?:__END__|__DATA__|=head1)\b`,
			)},
		},
		{
			Name: "PowerShell", Code: true, Files: ".ps1 .psm1 .psd1", Interpreters: "pwsh", Comments: hashComments,
			Definitions: &Definitions{Heads: heads(
				`+(?i)^class\s+`+nameWord,
				`(?i)^(?:function|filter|workflow)\s+([\pL_][\pL\pN_:-]*)`,
				`(?i)^(?:describe|context|it)\s+['"]([^'"]+)`,
			)},
		},
		{
			Name: "Prolog", Code: true, Files: ".pro .prolog", Comments: percentComments,
			Definitions: &Definitions{Heads: heads(`^([a-z]\w*)\(.*:-`, `^([a-z]\w*)\s*:-`)},
		},
		{
			Name: "Protocol Buffers", Code: true, Files: ".proto", Comments: slashComments,
			Definitions: &Definitions{Heads: heads(`+^(?:message|enum|service|extend)\s+`+namePath,
				`^rpc\s+`+nameWord)},
		},
		{
			Name: "PureScript", Code: true, Files: ".purs", Comments: dashComments,
			Definitions: &Definitions{Heads: heads(
				`^(?:data|newtype|type|class|instance|foreign\s+import(?:\s+data)?)\s+`+namePath,
				`^`+nameWord+`\s+::`,
			)},
		},
		{
			Name: "QML", Code: true, Files: ".qml", Comments: slashComments,
			Definitions: cDefinitions,
		},
		{
			Name: "R", Code: true, Files: ".r .rmd", Interpreters: "rscript", Comments: hashComments,
			TestLines:    []string{"test_that("},
			SummaryMarks: []string{"#'", "#"},
			Definitions: &Definitions{Whole: true, Heads: heads(
				`+^[\x60"']?([\pL.][\pL\pN._]*)[\x60"']?\s*(?:<-|=)\s*(?:R6Class|R6::R6Class|ggproto`+
					`|ggplot2::ggproto|setRefClass|new_class)\(`,
				`^[\x60"']?([\pL.%\[][\pL\pN._\[\]<>$+*/:%|&-]*)[\x60"']?\s*(?:<<?-|=)\s*(?:function\b|\\\()`,
				`^set(?:Generic|Method|Class|ClassUnion|Validity|AsMethod)\(\s*["']([^"']+)`,
				`^(?:test_that|describe)\(\s*["']([^"']+)`,
			)},
		},
		{
			Name: "Racket", Code: true, Files: ".rkt", Interpreters: "racket", Comments: semicolonComments,
			Definitions: lispDefinitions,
		},
		{Name: "Raku", Code: true, Files: ".raku .rakumod", Comments: hashComments},
		{Name: "reStructuredText", Files: ".rst", NoUses: true, Document: true, Prose: Restructured},
		{
			Name: "Sass", Files: ".sass .scss", Comments: slashComments, NoUses: true, StyleSheet: true,
			Definitions: sheetDefinitions,
		},
		{
			Name: "Scheme", Code: true, Files: ".scm .ss .sld", Interpreters: "guile", Comments: semicolonComments,
			SummaryMarks: []string{";;;", ";;", ";"},
			Definitions:  lispDefinitions,
		},
		{Name: "Smalltalk", Code: true, Files: ".st"},
		{
			Name: "SQL", Code: true, Files: ".sql .psql .ddl", Comments: sqlComments,
			SummaryMarks: []string{"--", "/*", "*"},
			Definitions: &Definitions{Sticky: true, Heads: heads(
				`(?i)^create\s+(?:(?:or\s+(?:replace|alter)|global|local|temp|temporary|unlogged|unique|clustered`+
					`|nonclustered|materialized|recursive|virtual|external|foreign|constraint|editionable|force`+
					`|definer\s*=\s*\S+)\s+)*(?:table|view|index|function|procedure|proc|trigger|type|sequence`+
					`|schema|extension|package(?:\s+body)?|domain|aggregate|role|user|policy|event|database|operator`+
					`|cast|rule|server`+
					`|publication)\s+(?:concurrently\s+)?(?:if\s+not\s+exists\s+)?([\pL\pN_."\x60\[\]$@:]+)`,
				`(?i)^(?:alter|drop)\s+(?:table|view|index|function|type|sequence`+
					`|policy)\s+(?:if\s+exists\s+)?(?:only\s+)?([\pL\pN_."\x60\[\]$]+)`,
				`(?i)^(?:insert|grant|revoke|comment\s+on|copy)\b`,
				`^\{%-?\s*(?:macro|test|snapshot|materialization)\s+([\pL_][\pL\pN_]*)`,
			)},
		},
		{Name: "Starlark", Builds: true, Code: true, Files: ".star .bazel", Comments: pythonComments},
		{Name: "SVG", Files: ".svg", Comments: htmlComments, NoUses: true},
		{Name: "SystemVerilog", Code: true, Files: ".sv .svh", Comments: slashComments},
		{
			Name: "Tcl", Code: true, Files: ".tcl", Interpreters: "tclsh wish", Comments: hashComments,
			Definitions: &Definitions{Heads: heads(`^(?:proc|method|oo::class\s+create|namespace\s+eval)\s+([^\s{]+)`)},
		},
		{Name: "TeX", Files: ".tex .sty .cls .bib", Comments: percentComments, NoUses: true, Document: true},
		{Name: "Text", Files: ".txt .text .log", NoUses: true},
		{
			Name: "Thrift", Code: true, Files: ".thrift", Comments: slashComments,
			Definitions: &Definitions{Heads: heads(
				`+^(?:struct|union|exception|enum|service)\s+`+namePath,
				`^(?:typedef|const)\s+\S+\s+`+nameWord,
			)},
		},
		{Name: "TOML", Files: ".toml", Comments: hashComments, Settings: true},
		{Name: "Verilog", Code: true, Files: ".v .vh", Comments: slashComments},
		{Name: "VHDL", Code: true, Files: ".vhd .vhdl", Comments: dashComments},
		{
			Name: "Vim Script", Code: true, Files: ".vim .vimrc", Comments: vimComments,
			Definitions: &Definitions{Heads: heads(
				`^(?:export\s+)?(?:fu|func|function|def)!?\s+([\pL_#:][\pL\pN_#:.<>]*)`,
				`^command!?\s+(?:-\S+\s+)*`+nameWord,
				`^augroup\s+`+nameWord,
			)},
		},
		{Name: "Visual Basic", Ecosystem: "NuGet", Code: true, Files: ".vb .bas .vbs", Comments: basicComments},
		{Name: "WebAssembly", Code: true, Files: ".wat .wast", Comments: semicolonComments},
		{
			Name: "XML", Files: ".xml .xsd .xsl .xslt .plist .csproj .vcxproj .props .targets .pom .resx .xaml",
			Comments: htmlComments, Settings: true, Records: true,
		},
		{Name: "YAML", Files: ".yml .yaml .clang-format", Comments: hashComments, Settings: true},
	} {
		register(&l)
	}
}
