#!/bin/sh
# Makes the files of a release of the programs in DIST/.work/PLATFORM/patina: archives, packages of
# systems and of npm, a formula, a flake, sums and the list of what is linked.
#
#   pack.sh VERSION DIST [ADDRESS]
#
# ADDRESS is where the files of this release will lie; without it the formula and the flake name
# an address that must be filled in. SOURCE_DATE_EPOCH is the time in all files. NFPM is the command
# that makes deb, rpm and apk: without it there are none. FAST=1 compresses less.
set -eu
[ $# -ge 2 ] || { sed -n 's/^# \{0,1\}//; 2,10p' "$0" >&2; exit 2; }
version=$1 dist=$2 address=${3:-https://example.org/patina/$1}
: "${SOURCE_DATE_EPOCH:?must be the seconds of the release}"
export SOURCE_DATE_EPOCH
cd "$(dirname "$0")/../.."
here=deploy/release
dist=$(mkdir -p "$dist" && cd "$dist" && pwd)
work=$dist/.work
case $version in
*[!0-9A-Za-z.+-]* | [!0-9]*) echo "pack.sh: \"$version\" is no version such as 0.1.0" >&2; exit 2 ;;
esac
export TZ=UTC LC_ALL=C
unset GOOS GOARCH GOFLAGS

# What all have in common comes from the program that runs on this machine.
case $(uname -s)-$(uname -m) in
Linux-x86_64) mine="linux-amd64-musl linux-amd64" ;;
Linux-aarch64) mine="linux-arm64-musl linux-arm64" ;;
Darwin-*) mine="darwin-arm64 darwin-amd64" ;;
*) mine= ;;
esac
runs=
for platform in $mine; do [ ! -x "$work/$platform/patina" ] || runs=$work/$platform/patina; done
[ -n "$runs" ] || { echo "pack.sh: none of the programs in $work runs here: one of $mine is needed for the manual page" >&2; exit 1; }
common=$work/common
rm -rf "$common" && mkdir -p "$common/completions"
"$runs" man >"$common/patina.1"
"$runs" completion bash >"$common/completions/patina.bash"
"$runs" completion zsh >"$common/completions/_patina"
"$runs" completion fish >"$common/completions/patina.fish"
cp LICENSE THIRD-PARTY.md "$common/"
go run ./third_party/notices -texts "$(dirname "$runs")/licences" >"$common/LICENCES.txt"
go run ./third_party/notices -spdx "$version" >"$dist/patina-$version.spdx.json"
chmod -R u=rwX,go=rX "$common"

archive() { # folder, name in it, file
	tar --sort=name --mtime="@$SOURCE_DATE_EPOCH" --owner=0 --group=0 --numeric-owner --format=ustar -C "$1" -cf - "$2" | gzip -n "-${FAST:-9}" >"$3"
}
fill() { # replaces the words in capitals between two @
	sed -e "s|@VERSION@|$version|g" -e "s|@RELEASES@|$address|g" -e "s|@ADDRESS@|$address|g" "$1"
}
npm_folder=$work/npm
rm -rf "$npm_folder"

for program in "$work"/linux-*/patina "$work"/darwin-*/patina; do
	[ -x "$program" ] || continue
	platform=$(basename "$(dirname "$program")")
	name=patina-$version-$platform
	tree=$work/tree/$platform
	rm -rf "$tree" && mkdir -p "$tree/$name"
	cp -R "$common/." "$tree/$name/"
	cp "$program" "$tree/$name/patina"
	chmod 755 "$tree/$name/patina"
	archive "$tree" "$name" "$dist/$name.tar.gz"

	os=${platform%%-*} arch=${platform#*-} libc=
	case $arch in *-musl) arch=${arch%-musl} libc=-musl ;; esac
	case $platform in
	*-musl) kinds=apk ;;
	linux-*) kinds="deb rpm" ;;
	*) kinds= ;;
	esac
	[ -n "${NFPM:-}" ] || kinds=
	find "$tree" -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +
	for kind in $kinds; do
		fill $here/nfpm.yaml | sed -e "s|@ARCH@|$arch|" -e "s|@TREE@|$tree/$name|" >"$tree/nfpm.yaml"
		$NFPM package --config "$tree/nfpm.yaml" --packager "$kind" --target "$dist/$name.$kind" >/dev/null
	done

	cpu=$arch
	[ "$arch" != amd64 ] || cpu=x64
	part=$npm_folder/$os-$cpu$libc/package
	mkdir -p "$part/bin"
	cp "$program" "$part/bin/patina"
	cp "$common/LICENSE" "$common/THIRD-PARTY.md" "$common/LICENCES.txt" "$part/"
	case $platform in linux-*-musl) only=', "libc": ["musl"]' ;; linux-*) only=', "libc": ["glibc"]' ;; *) only= ;; esac
	printf '{\n  "name": "@patina/%s",\n  "version": "%s",\n  "description": "patina for %s",\n  "license": "MIT",\n  "os": ["%s"], "cpu": ["%s"]%s,\n  "files": ["bin", "LICENCES.txt", "THIRD-PARTY.md"],\n  "preferUnplugged": true\n}\n' \
		"$os-$cpu$libc" "$version" "$platform" "$os" "$cpu" "$only" >"$part/package.json"
done

# The package of npm that a user names asks for those of the platforms, of which npm takes the one that
# fits. All have the same version.
main=$npm_folder/patina/package
mkdir -p "$main/bin"
cp $here/npm/patina.js "$main/bin/patina.js"
cp $here/npm/README.md LICENSE "$main/"
parts=$(for folder in "$npm_folder"/*-*; do printf '    "@patina/%s": "%s",\n' "$(basename "$folder")" "$version"; done | sed '$s/,$//')
fill $here/npm/package.json | awk -v parts="$parts" '/@PARTS@/ { print parts; next } { print }' >"$main/package.json"
chmod -R u=rwX,go=rX "$npm_folder"
for folder in "$npm_folder"/*; do
	name=patina-$version-npm-$(basename "$folder").tgz
	[ "$(basename "$folder")" != patina ] || name=patina-$version-npm.tgz
	archive "$folder" package "$dist/$name"
done

fill $here/install.sh >"$dist/install.sh"
[ $# -ge 3 ] || sed -i.bak "s|^released=.*|released= # made without an address|" "$dist/install.sh"
rm -f "$dist/install.sh.bak"
chmod 755 "$dist/install.sh"

# A formula and a flake name the sum of each archive. What was not built is left out.
templates() {
	awk -v dist="$dist" -v version="$version" '
		/@if / { skip = system("test -f " dist "/patina-" version "-" $3 ".tar.gz") != 0; platform = $3; next }
		/@end/ { skip = 0; next }
		skip { next }
		/@SHA256@/ {
			command = "sha256sum " dist "/patina-" version "-" platform ".tar.gz"
			command | getline sum; close(command); sub(/ .*/, "", sum); sub(/@SHA256@/, sum)
		}
		{ print }'
}
fill $here/patina.rb | templates >"$dist/patina.rb"
fill $here/flake.nix | templates >"$dist/flake.nix"

cd "$dist"
rm -f SHA256SUMS
sums=$(find . -maxdepth 1 -type f | sed 's|^\./||' | sort | xargs sha256sum)
printf '%s\n' "$sums" >SHA256SUMS
