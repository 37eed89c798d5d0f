# USearch with SimSIMD and the grammars that are no Go module are compiled from the npm packages that
# third_party/package-lock.json pins by their hashes, into a static library each, with the headers beside them: nothing of npm is needed to build again, nor to run.

NATIVE  := third_party/build/libusearch_c.a
USEARCH := third_party/node_modules/usearch
# The packages tree-sitter-NAME. Each becomes build/libtree-sitter-NAME.a, which scrape/syntax/parsers.go links.
GRAMMARS := solidity swift

# Without -march: SimSIMD holds the kernels of every processor of this architecture and chooses when it runs.
# Half floats are left to it: a compiler that knows the type does not mean a processor that does.
SIMD_FLAGS := $(HARDENED) -O3 -fPIC -DNDEBUG -DSIMSIMD_DYNAMIC_DISPATCH=1 -DSIMSIMD_NATIVE_F16=0 -DSIMSIMD_NATIVE_BF16=0
USEARCH_FLAGS := -std=c++17 -DUSEARCH_USE_SIMSIMD=1 -DUSEARCH_USE_OPENMP=0 -DUSEARCH_USE_FP16LIB=1

$(NATIVE): third_party/package.json third_party/package-lock.json third_party/native.mk | need
	cd third_party && npm ci --ignore-scripts --legacy-peer-deps --no-audit --no-fund --loglevel=error
	rm -rf third_party/build/include third_party/build/*.a
	mkdir -p third_party/build/include
	cp $(USEARCH)/c/usearch.h third_party/build/include/
	cp -R $(USEARCH)/simsimd/include/simsimd third_party/build/include/
	$$(go env CC) $(SIMD_FLAGS) -I $(USEARCH)/simsimd/include -c $(USEARCH)/simsimd/c/lib.c -o third_party/build/simsimd.o
	$$(go env CXX) $(SIMD_FLAGS) $(USEARCH_FLAGS) -I $(USEARCH)/include -I $(USEARCH)/fp16/include -I $(USEARCH)/simsimd/include \
		-c $(USEARCH)/c/lib.cpp -o third_party/build/usearch.o
	for name in $(GRAMMARS); do \
		from=third_party/node_modules/tree-sitter-$$name/src; \
		for part in parser scanner; do \
			[ ! -e $$from/$$part.c ] || $$(go env CC) $(HARDENED) -O2 -fPIC -std=c11 -I $$from -c $$from/$$part.c -o third_party/build/$$name-$$part.o || exit 1; done; \
		$(AR) rcs third_party/build/libtree-sitter-$$name.a third_party/build/$$name-*.o || exit 1; done
	$(AR) rcs $@.new third_party/build/simsimd.o third_party/build/usearch.o
	rm -rf third_party/build/licences && mkdir third_party/build/licences
	cp $(USEARCH)/LICENSE third_party/build/licences/USearch
	cp $(USEARCH)/simsimd/LICENSE third_party/build/licences/SimSIMD
	cp $(USEARCH)/fp16/LICENSE third_party/build/licences/FP16
	for name in $(GRAMMARS); do cp third_party/node_modules/tree-sitter-$$name/LICENSE* third_party/build/licences/tree-sitter-$$name || exit 1; done
	rm -rf third_party/build/*.o third_party/node_modules
	mv $@.new $@

# PACKED=1 is for releases: of the 37 MB that the parsers of all languages take 34 are tables, which are linked as 2 MB of zstd
# and unpacked when a language is first used. The sources are those of the Go modules and of the packages above.
PARSERS := third_party/build/packed/libgrammars.a

$(PARSERS): third_party/package-lock.json third_party/native.mk go.mod scrape/syntax/packed.h $(wildcard third_party/grammars/*.go) | $(NATIVE)
	cd third_party && npm ci --ignore-scripts --legacy-peer-deps --no-audit --no-fund --loglevel=error
	GOOS= GOARCH= CGO_ENABLED=0 go run ./third_party/grammars -cc "$$(go env CC)" -ar "$(AR)" -flags "$(HARDENED) -O2" \
		-npm third_party/node_modules -o $(@D)
	rm -rf third_party/node_modules

ifdef PACKED
NATIVE += $(PARSERS)
endif
