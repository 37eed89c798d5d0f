#!/bin/sh
# Builds patina for one platform from the last commit, and nothing else of this folder.
#
#   ZIG=/path/to/zig build.sh VERSION PLATFORM FILE
#
# PLATFORM is linux-amd64, linux-arm64, linux-amd64-musl or linux-arm64-musl. The program for glibc
# runs with 2.28 and newer; the one for musl is static and needs no libc. Equal commits give equal
# bytes, wherever they are built: times, folders and ids of builds are left out.
set -eu
[ $# -eq 3 ] || { sed -n 's/^# \{0,1\}//; 2,9p' "$0" >&2; exit 2; }
version=$1 platform=$2 out=$3
: "${ZIG:?ZIG must name the compiler}"
root=$(cd "$(dirname "$0")/../.." && pwd)
case $out in /*) ;; *) out=$PWD/$out ;; esac

# zig names every feature of the processor that it leaves out, so the kernels of SimSIMD, which ask
# for theirs one by one, need evex512. Its LLVM cannot compile those of SVE2 without SVE2.
case $platform in
linux-amd64) target=x86_64-linux-gnu.2.28 more=-mcpu=x86_64+evex512 ;;
linux-arm64) target=aarch64-linux-gnu.2.28 more=-DSIMSIMD_TARGET_SVE2=0 ;;
linux-amd64-musl) target=x86_64-linux-musl more=-mcpu=x86_64+evex512 ;;
linux-arm64-musl) target=aarch64-linux-musl more=-DSIMSIMD_TARGET_SVE2=0 ;;
*) echo "build.sh: unknown platform \"$platform\": linux-amd64, linux-arm64, linux-amd64-musl or linux-arm64-musl" >&2; exit 2 ;;
esac
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
mkdir "$work/src"
git -C "$root" archive HEAD | tar -x -C "$work/src"

goarch=${platform#linux-}
export GOOS=linux GOARCH="${goarch%-musl}"
export CC="$ZIG cc -target $target $more -w" CXX="$ZIG c++ -target $target $more -w" AR="$ZIG ar"
export ZIG_GLOBAL_CACHE_DIR="${ZIG_GLOBAL_CACHE_DIR:-$work/zig}"
export ZIG_LOCAL_CACHE_DIR="$ZIG_GLOBAL_CACHE_DIR"
export CGO_LDFLAGS="-g -O2 -Wl,-z,relro,-z,now -Wl,-z,noexecstack"
link=-s # again at the end: zig takes the last word, and cgo says -g
# The stack of a thread of musl has 128 KiB, which the parsers of some languages exceed.
case $platform in *-musl) link="$link -Wl,-z,stack-size=8388608" ;; esac
# What C code asks of the processor is answered by a part of libgcc, which zig has not.
if [ "$GOARCH" = amd64 ]; then
	(cd "$work" && ar x "$(gcc -print-libgcc-file-name)" cpuinfo.o)
	link="$link $work/cpuinfo.o"
fi
# What a start runs lies side by side (link.sh says why).
"$work/src/deploy/release/link.sh" "$work/link"
export GOFLAGS="${GOFLAGS:-} -toolexec=$work/link/toolexec"
# The tables of the parsers are packed, and where this machine can run the program its parsers are tested.
set -- build
case $(uname -m)-$GOARCH in x86_64-amd64 | aarch64-arm64) set -- build test-parsers ;; esac
make -C "$work/src" --no-print-directory "$@" PACKED=1 VERSION="$version" AR="$AR" \
	GO_LDFLAGS="-s -buildid= -B none -linkmode external '-extldflags=$link'"
mkdir -p "$(dirname "$out")"
cp "$work/src/bin/patina" "$out"
# The licences of what is linked besides Go's modules lie beside it.
licences=$(dirname "$out")/licences
rm -rf "$licences" && cp -R "$work/src/third_party/build/licences" "$licences"
lib=$("$ZIG" env | sed -n 's/.*lib_dir"\{0,1\}[:= ]*"\([^"]*\)".*/\1/p')
for part in libcxx libcxxabi libunwind; do [ ! -f "$lib/$part/LICENSE.TXT" ] || cp "$lib/$part/LICENSE.TXT" "$licences/$part"; done
cp "$lib/libc/musl/COPYRIGHT" "$licences/musl"
cp "$lib/../LICENSE" "$licences/Zig"
