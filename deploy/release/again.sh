#!/bin/sh
# Proves that a release can be made again: builds PLATFORM twice, from clones in two folders and with
# empty caches, packs both, and compares every byte. It takes twice what a build takes.
#
#   again.sh [PLATFORM]
set -eu
platform=${1:-linux-amd64}
root=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'chmod -R u+w "$work"; rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
native=linux-$(uname -m | sed 's/x86_64/amd64/; s/aarch64/arm64/')
for folder in one another-folder; do
	git clone -q --no-hardlinks "$root" "$work/$folder"
	# The compiler is the same, in another folder.
	mkdir -p "$work/$folder/third_party/build"
	make -C "$root" --no-print-directory third_party/build/zig/zig >/dev/null
	cp -R "$root/third_party/build/zig" "$work/$folder/third_party/build/zig"
	# The manual page needs a program that runs here.
	platforms=$platform
	case $platform in "$native" | "$native-musl") ;; *) platforms="$platform $native" ;; esac
	echo "$folder: $platforms"
	GOCACHE=$work/$folder.cache ZIG_GLOBAL_CACHE_DIR=$work/$folder.zig SOURCE_DATE_EPOCH=$(git -C "$root" log -1 --format=%ct) \
		make -C "$work/$folder" --no-print-directory release VERSION=0.0.1 PLATFORMS="$platforms" >"$work/$folder.log" 2>&1 ||
		{ tail -n 30 "$work/$folder.log"; exit 1; }
done
cat "$work/one/dist/SHA256SUMS"
cmp "$work/one/dist/SHA256SUMS" "$work/another-folder/dist/SHA256SUMS"
(cd "$work/another-folder/dist" && sha256sum --quiet --check "$work/one/dist/SHA256SUMS")
echo "equal to the last byte"
