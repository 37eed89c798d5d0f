#!/bin/sh
# Prints the functions of Go that a start of patina runs, for first.txt, which is made anew before a
# release:
#
#   make build PACKED=1
#   deploy/release/first.sh bin/patina >deploy/release/first.txt
#
# It needs of Debian: qemu-user and binutils. An emulator says which code ran, and the program must
# still have its symbols. What is not in the list costs memory and time at a start, and nothing else.
set -eu
[ $# -eq 1 ] || { sed -n 's/^# \{0,1\}//; 2,9p' "$0" >&2; exit 2; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
"qemu-$(uname -m)" -d in_asm -D "$work/log" "$1" version >/dev/null
nm "$1" | sed -n 's/^\([0-9a-f]*\) [tT] \(.*\)/\1 0 \2/p' >"$work/symbols"
[ -s "$work/symbols" ] || { echo "first.sh: $1 has no symbols: it was stripped" >&2; exit 1; }
sed -n 's/^0x0*\([0-9a-f]*\):.*/\1/p' "$work/log" | sort -u | awk '{ printf "%16s 1\n", $1 }' | tr ' ' 0 | sed 's/01$/ 1/' >"$work/ran"
# Names of C have no dot, and stay where C's linker puts them.
LC_ALL=C sort "$work/symbols" "$work/ran" | awk '$2 == 0 { name = $0; sub(/^[^ ]* 0 /, "", name); next } { print name }' |
	sed -n 's/\.abi0$//; /^_/d; /\./p' | LC_ALL=C sort -u
