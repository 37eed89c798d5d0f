# The tests of models open ONNX Runtime: of the npm package that third_party/onnxruntime/package-lock.json pins by its hash, the
# library of this platform is kept, and nothing else (86 MB are fetched once, 15 to 40 MB stay). "make build" needs none of it.

ONNXRUNTIME := third_party/build/onnxruntime/ready
ORT_PACKAGE := third_party/onnxruntime/node_modules/onnxruntime-node

$(ONNXRUNTIME): third_party/onnxruntime/package.json third_party/onnxruntime/package-lock.json third_party/onnxruntime.mk | $(NATIVE)
	@command -v npm >/dev/null || { echo "make: npm is missing (it fetches ONNX Runtime for the tests, once)" >&2; exit 1; }
	cd third_party/onnxruntime && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error
	rm -rf $(@D)
	mkdir -p $(@D)
	from=$(ORT_PACKAGE)/bin/napi-v6/$$(go env GOOS)/$$(go env GOARCH | sed s/amd64/x64/); \
		for name in libonnxruntime.so.1 libonnxruntime.*.dylib; do [ ! -e $$from/$$name ] || cp $$from/$$name $(@D)/; done
	rm -rf third_party/onnxruntime/node_modules
	ls $(@D)/libonnxruntime.* >/dev/null # the package holds no library for some platforms, such as macOS on Intel
	touch $@
