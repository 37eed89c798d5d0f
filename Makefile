# Every target but help and clean looks first for what it needs, and names what is missing with the command that brings it.
# "make help" lists the targets.

SHELL := /bin/sh
.DEFAULT_GOAL := build
.DELETE_ON_ERROR:
.PHONY: build demo demo-nodes test test-parsers check fuzz proto behind notices bench bench-nodes eval churn mcp-conformance ui-check localise train-embedder man install clean help need FORCE

PREFIX   ?= /usr/local
REPO     ?= .
# In two parts: whole it would stand here word for word, and this file would be the answer.
JOINED   := several channels joined into one answer
QUESTION ?= how are the rankings of $(JOINED)

# PACKED=1 links parsers whose tables have no bytes in the program (third_party/native.mk).
comma   := ,
TAGS    := sqlite_fts5,sqlite_omit_load_extension$(if $(PACKED),$(comma)packed)
TRAINER := oracles/embed/train
# What deploy/ holds is read by tools that patina itself does not need.
DEPLOY  := deploy/check
# "patina index push" and "pull" are tested against a registry.
REGISTRY := deploy/check/registry
VERSION  = $(shell git describe --tags --always --dirty 2>/dev/null || echo unknown)

# What the build needs is said here and nowhere else: SQLite is compiled from C, and nothing is taken from a workspace above.
export CGO_ENABLED := 1
export GOWORK := off
export QUESTION
export REPO

# A program without a table of functions to write over or a stack that runs, whose C parts look for overruns of their buffers
# (docs/security.md). These are the flags of every target, as what is compiled with others is compiled anew. Who sets CGO_CFLAGS or
# CGO_LDFLAGS knows better. PIE=1 makes the program position independent, which costs every start 2 ms (bench/history/speed.md).
HARDENED := -fstack-protector-strong -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2
export CGO_CFLAGS ?= -g -O2 $(HARDENED)
ifeq ($(shell uname),Linux)
export CGO_LDFLAGS ?= -g -O2 -Wl,-z,relro,-z,now -Wl,-z,noexecstack
export GOFLAGS := $(GOFLAGS) -trimpath $(if $(PIE),-buildmode=pie)
else
export GOFLAGS := $(GOFLAGS) -trimpath
endif

# The tools of "make check" are run by version, so that they are not in the module graph of anybody who builds.
GOFUMPT     := go run mvdan.cc/gofumpt@v0.12.0
STATICCHECK := go run honnef.co/go/tools/cmd/staticcheck@v0.8.2
ACTIONLINT  := go run github.com/rhysd/actionlint/cmd/actionlint@v1.7.12
DEADCODE    := go run golang.org/x/tools/cmd/deadcode@v0.52.0
GOVULNCHECK := go run golang.org/x/vuln/cmd/govulncheck@v1.9.0

# With -trimpath the build cache may hold the Go files that cgo made in another clone, and vet's cgocall opens the sources that
# these name: where that clone is gone, the packages are built once more with a flag of this folder alone.
VET := out=$$(go vet -tags $(TAGS) ./... 2>&1) || case "$$out" in \
	*"can't parse raw cgo file"*) go vet -tags $(TAGS) -gcflags=patina/...=-D="$$(pwd | cksum | cut -d" " -f1)" ./... ;; \
	*) echo "$$out" >&2; exit 1 ;; esac

# The packages that do several things at once, by what their files say. In the others there is no data race to look for. archtest
# quotes such lines.
CONCURRENT := go list -tags $(TAGS) -f '{{.ImportPath}} {{.Dir}}' ./... | while read -r package dir; do \
	case $$package in (*/archtest) continue ;; esac; \
	! grep -qsE '\bgo (func\b|[A-Za-z_.]+\()|\.Go\(|AfterFunc\(|\.Parallel\(|RunParallel\(|\.Serve\(|httptest\.New' "$$dir"/*.go || \
	echo $$package; done

include third_party/native.mk
include third_party/onnxruntime.mk
include third_party/vocabularies.mk
include third_party/web.mk
include third_party/release.mk

build: bin/patina ## build bin/patina (the default)

# Go knows best what has changed since the last build. The tables of a debugger are 10.7 of 81.6 MB and nothing of patina reads them:
# they are left out but with DEBUG=1. Functions keep their names, and traces and profiles their lines.
bin/patina: FORCE | $(NATIVE) $(WEB)
	@mkdir -p bin
	go build -tags $(TAGS) -buildvcs=false -ldflags "$(if $(DEBUG),,-w )$(if $(GO_LDFLAGS),$(GO_LDFLAGS) )-X patina/cmd/internal/cli.Version=$(VERSION)" -o $@ ./cmd/patina

demo: build ## scrape this repository (or REPO=path), ask it QUESTION="…" and print the answer
	@patina="$$PWD/bin/patina"; cd "$$REPO" && "$$patina" scrape && echo && echo "patina scry \"$$QUESTION\"" && \
		{ "$$patina" scry "$$QUESTION" || [ $$? -eq 1 ]; } # 1: it searched and found nothing relevant

demo-nodes: build ## start three nodes and a front on this machine, join them as another machine would, and ask
	@deploy/demo-nodes "$$PWD/bin/patina"

# "make check" vets all of it, once.
test: $(NATIVE) $(ONNXRUNTIME) $(VOCABULARIES) $(WEB) ## run the tests
	go test -vet=off -timeout 30m -tags $(TAGS) ./...
	go -C $(TRAINER) test -vet=off -tags $(TAGS) ./...
	go -C $(DEPLOY) test -vet=off ./...
	go -C $(REGISTRY) test -vet=off -tags $(TAGS) ./...

test-parsers: $(NATIVE) ## run the tests that parse every language: PACKED=1 with the parsers of a release
	go test -count=1 -tags $(TAGS) $(if $(GO_LDFLAGS),-ldflags "$(GO_LDFLAGS)") -run 'TestGolden|TestEveryLanguage' ./scrape/parse ./scrape/syntax

check: build $(ONNXRUNTIME) $(VOCABULARIES) ## look for what tests do not find: form, vet, staticcheck, go.mod, dead code, known defects, hardening, data races
	@echo gofumpt; out=$$($(GOFUMPT) -l .) || exit 1; \
		[ -z "$$out" ] || { echo "not formatted (gofumpt -w):"; echo "$$out"; exit 1; } >&2
	@for module in . $(TRAINER) $(DEPLOY) $(REGISTRY); do \
		echo "vet, staticcheck, go.mod, deadcode: $$module"; cd "$(CURDIR)/$$module" || exit 1; \
		$(VET) && $(STATICCHECK) -tags $(TAGS) ./... && go mod tidy -diff || exit 1; \
		out=$$($(DEADCODE) -test -tags $(TAGS) ./...) || exit 1; \
		[ -z "$$out" ] || { echo "never called:"; echo "$$out"; exit 1; } >&2; \
	done
	@echo "vet: parsers of a release"; go vet -tags $(TAGS),packed -gcflags=patina/...=-D="$$(pwd | cksum | cut -d" " -f1)" ./scrape/syntax
	@echo govulncheck; out=$$($(GOVULNCHECK) -tags $(TAGS) ./... 2>&1) || case "$$out" in \
		*"fetching vulnerabilities"*) echo "govulncheck was not run: its database cannot be had from here" ;; \
		*) echo "$$out" >&2; exit 1 ;; esac
	@echo actionlint; $(ACTIONLINT) -shellcheck= -pyflakes= deploy/github/*.yml
	go run ./third_party/notices -check
	@$(MAKE) --no-print-directory behind
	PATINA_BINARY="$$PWD/bin/patina" PIE="$(PIE)" go test -count=1 -run TestBinaryIsHardened ./internal/archtest
	@packages=$$($(CONCURRENT)) && [ -n "$$packages" ] || exit 1; echo "data races: $$(echo "$$packages" | wc -l) packages"; \
		go test -race -short -vet=off -timeout 30m -buildmode=exe -tags $(TAGS) $$packages
	go -C $(TRAINER) test -race -short -vet=off -buildmode=exe -tags $(TAGS) ./...
	go test -tags $(TAGS) -run 'TestGoldens/^fitted$$' ./cmd/patina -fitted

# go test fuzzes one target a call, so they are listed first: the names of a package stand before its "ok".
fuzz: $(NATIVE) $(WEB) ## run each fuzz target for FUZZ=20s, one after another: PACKAGES=./store/... takes some alone
	@failed=; for module in . $(if $(PACKAGES),,$(TRAINER)); do \
		list=$$(go -C $$module test -tags $(TAGS) -list '^Fuzz' $(or $(PACKAGES),./...)) || { echo "$$list" >&2; exit 1; }; \
		for target in $$(echo "$$list" | awk '/^Fuzz/ { name[n++] = $$1 } $$1 == "ok" { for (i = 0; i < n; i++) print $$2 ":" name[i]; n = 0 }'); do \
			echo "$$target"; \
			go -C $$module test -tags $(TAGS) -run '^$$' -fuzz "^$${target##*:}$$" -fuzztime $(or $(FUZZ),20s) "$${target%:*}" || failed="$$failed $$target"; \
		done; \
	done; [ -z "$$failed" ] || { echo "failed:$$failed" >&2; exit 1; }

editors: ## build the extension for VS Code and test it (npm); the plugin for Neovim is tested by "make test" where nvim is installed
	npm --prefix deploy/editors/vscode ci --ignore-scripts --no-audit --no-fund && npm --prefix deploy/editors/vscode test

# It is no part of CI: what it fetches from npm is 350 MB.
editors-inside: build ## use the extension inside of VS Code: the server of code-server (npm; Node 20) in a headless Chromium; SHOTS=folder keeps pictures
	deploy/editors/inside/run bin/patina

# A module that is replaced by a stand-in is not linked, however old.
behind: ## print which linked modules have newer versions; it fails for none
	@echo behind; out=$$(go list -m -u -e -f '{{with .Update}}{{if not $$.Replace}}{{$$.Path}} {{$$.Version}}, newest {{.Version}}{{end}}{{end}}' \
		$$(go list -deps -tags $(TAGS) -f '{{with .Module}}{{if not .Main}}{{.Path}}{{end}}{{end}}' ./cmd/patina | sort -u) 2>&1) || \
		out="not known: $$out"; echo "$$out" | sed '/^$$/d; s/^/  /'

# buf compiles the protocol and runs the pinned plugins of buf.gen.yaml; its own build takes minutes the first time.
proto: ## generate wire/nodepb from node.proto
	cd wire/nodepb && go run github.com/bufbuild/buf/cmd/buf@v1.75.0 generate

notices: ## write the table of linked modules and their licences into THIRD-PARTY.md
	go run ./third_party/notices

bench: build ## measure speed on a copy of BENCH_REPO (Go's standard library without it), BENCH_COPIES times; OUT=bench/history/speed.md keeps the table; BESIDE=COMMAND compares another version by turns
	go run -tags $(TAGS) ./bench $(if $(OUT),-o "$(OUT)") $(if $(BESIDE),-beside "$(BESIDE)")

# The names of folders may not hold spaces.
eval: build ## measure this repository and EVAL_REPOS="folder …" on questions of their own, and write bench/history/own.md: EVAL_SAMPLE=100
	go run -tags $(TAGS) ./bench/eval/patina-eval own -patina bin/patina -sample "$(or $(EVAL_SAMPLE),100)" -svg bench/history/own.svg -o bench/history/own.md . $(EVAL_REPOS)

churn: build ## edit, rename, rebase and remove the index under a running "patina mcp": EDITS=20000, BENCH_REPO as for bench
	go run -tags $(TAGS) ./bench/torture -n "$(or $(EDITS),20000)" $(if $(BENCH_REPO),-repo "$(BENCH_REPO)") churn
	go run -tags $(TAGS) ./bench/torture -n 50 $(if $(BENCH_REPO),-repo "$(BENCH_REPO)") shared

bench-nodes: build ## measure nodes and fronts as processes: kills, partitions, slow replicas, many repositories: PARTS="faults slow"
	go run -tags $(TAGS) ./bench/nodes $(PARTS)

# Packages of npm hold Go files of strangers: they are kept in a folder that go does not look into.
mcp-conformance: build ## let strangers' clients use "patina mcp": the SDK's, the inspector, the conformance suite (npm; Node 22); OPTIONAL=1 skips it without npm
	bench/mcp/run bin/patina

# A driver of npm and Debian's Chromium ask, walk, write a note, and look at each page in both themes and at two widths.
ui-check: build ## drive "patina ui" in a headless Chromium (npm; Node 20; apt-get as root where Chromium is missing); OPTIONAL=1 skips it where it cannot run, SHOTS=folder keeps pictures
	bench/ui/run bin/patina

localise: build ## let scripted agents look for files, with the tools of patina and with rg: WORK=folder, CLONES=folder (docs/agents.md)
	go run -tags $(TAGS) ./bench/localise -patina bin/patina -work "$(or $(WORK),bin/.localise)" -clones "$(CLONES)"

# The trainer is a module of its own. GOAMD64=v3 fuses multiplication and addition in what is Go. The committed table was made
# with it: without it the last bits, and so the table, differ.
bin/patina-train: FORCE | $(NATIVE)
	@mkdir -p bin
	GOAMD64=v3 go build -C $(TRAINER) -tags $(TAGS) -buildvcs=false -o "$(CURDIR)/$@" ./patina-train

train-embedder: bin/patina-train ## train the built-in table anew (docs/embedder.md): STEPS=1200, EVALUATION=folders, MIRRORS=folder
	bin/patina-train -steps $(or $(STEPS),1200) -evaluation "$(EVALUATION)" \
		-mirrors "$(MIRRORS)" -o oracles/embed/base.table

man: build ## write the manual page, bin/patina.1
	bin/patina man > bin/patina.1

install: man ## install into PREFIX/bin and PREFIX/share/man/man1 (/usr/local)
	install -d "$(DESTDIR)$(PREFIX)/bin" "$(DESTDIR)$(PREFIX)/share/man/man1"
	install -m 755 bin/patina "$(DESTDIR)$(PREFIX)/bin/patina"
	install -m 644 bin/patina.1 "$(DESTDIR)$(PREFIX)/share/man/man1/patina.1"

clean: ## remove what was built (an index is removed by "patina clean")
	rm -rf bin dist third_party/build third_party/node_modules third_party/onnxruntime/node_modules third_party/vocabularies/node_modules third_party/web/node_modules third_party/web/built/*.gz

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-15s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

# The Go that counts is the one that Go itself chooses for this go.mod: since 1.21 an older one may fetch a newer.
need:
	@hint() { \
		if [ "$$(uname)" = Darwin ]; then echo "xcode-select --install"; \
		elif command -v apt-get >/dev/null; then echo "sudo apt-get install $$1"; \
		elif command -v dnf >/dev/null; then echo "sudo dnf install $$2"; \
		else echo "install $$2 with the package manager of this system"; fi; }; \
	bad=0; miss() { echo "make: $$1: $$2" >&2; bad=1; }; \
	want=$$(awk '$$1 == "go" { print $$2 }' go.mod); golang="install it from https://go.dev/dl/"; \
	command -v git >/dev/null || miss "git is missing" "$$(hint git git)"; \
	if ! command -v go >/dev/null; then \
		miss "go is missing ($$want or newer)" "$$golang"; cc=$${CC:-cc}; cxx=$${CXX:-g++}; \
	else \
		number() { sed -n 's/.*go\([0-9][0-9.]*\).*/\1/p'; }; \
		have=$$(go env GOVERSION 2>/dev/null | number); [ -n "$$have" ] || have=$$(cd / && go version | number); \
		oldest=$$(printf '%s\n%s\n' "$$want" "$$have" | sort -t. -k1,1n -k2,2n -k3,3n | head -n 1); \
		[ "$$oldest" = "$$want" ] || miss "go $$have is too old ($$want or newer is needed)" "$$golang"; \
		cc=$$(cd / && go env CC); cxx=$$(cd / && go env CXX); \
	fi; \
	command -v "$${cc%% *}" >/dev/null || miss "the C compiler $${cc%% *} is missing (SQLite is compiled in)" \
		"$$(hint build-essential gcc)"; \
	command -v "$${cxx%% *}" >/dev/null || miss "the C++ compiler $${cxx%% *} is missing (USearch is compiled in)" \
		"$$(hint g++ gcc-c++)"; \
	ls $(NATIVE) >/dev/null 2>&1 || command -v npm >/dev/null || miss "npm is missing (it fetches the sources of USearch and of two grammars, once)" "$$(hint npm npm)"; \
	exit $$bad

FORCE:
