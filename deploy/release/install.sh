#!/bin/sh
# Installs patina: one program, its manual page and its completions. It needs no root.
#
#   install.sh [RELEASE]      install from RELEASE, a folder or an address with the files of a release
#   install.sh --uninstall    remove what it has written, and nothing else
#   install.sh --version      print the version that it belongs to
#   install.sh --help         print this
#
# PATINA_RELEASES  names the release where there is no argument: an address (https://…) or a folder
# PREFIX           where it goes: bin, share/man and completions below it ($HOME/.local)
#
# The sum of the file is compared with SHA256SUMS of the release before anything is written, and the
# program is started once. All files are in place, or none: what fails on the way, or is interrupted,
# leaves what was there. A second run replaces the first. Your notes and indexes are not touched.
set -eu
umask 022

version='@VERSION@'
released='@RELEASES@' # of the release that this script came with, "" if it was made without an address
case $version in @*) version=unreleased ;; esac
case $released in @*) released= ;; esac

say() { printf '%s\n' "$*"; }
fail() {
	printf 'install.sh: %s\n' "$1" >&2
	shift
	for hint in "$@"; do printf 'install.sh: hint: %s\n' "$hint" >&2; done
	exit 1
}
have() { command -v "$1" >/dev/null 2>&1; }

usage() { sed -n '2,/^set -eu/{/^set -eu/d;s/^#$//;s/^# //;p;}' "$0"; }

find_prefix() {
	if [ -z "${PREFIX:-}" ]; then
		[ -n "${HOME:-}" ] || fail "HOME is not set" "PREFIX=/some/folder says where patina goes"
		PREFIX=$HOME/.local
	fi
	case $PREFIX in
	/*) ;;
	*) fail "PREFIX \"$PREFIX\" is not an absolute path" ;;
	esac
	record=$PREFIX/share/patina/installed
}

# read_record prints the paths below PREFIX that an earlier run has written. No path leads out of it.
read_record() {
	while IFS= read -r path; do
		case /$path/ in
		//*/ | */../*) fail "$record names \"$path\", which install.sh never writes" "remove patina by hand" ;;
		esac
		say "$path"
	done <"$record"
}

# remove_left removes what runs that were killed have left beside the paths that it reads.
remove_left() {
	while IFS= read -r path; do
		for left in "$PREFIX/$path".new.*; do
			pid=${left##*.new.}
			case $pid in '' | *[!0-9]*) continue ;; esac
			kill -0 "$pid" 2>/dev/null || rm -f "$left" 2>/dev/null || :
		done
	done
}

# remove_folders removes the folders of the paths that it reads, if nothing of anybody else is in them.
remove_folders() {
	while IFS= read -r path; do
		while path=$(dirname "$path") && [ "$path" != . ]; do rmdir "$PREFIX/$path" 2>/dev/null || break; done
	done
}

uninstall() {
	find_prefix
	if [ ! -f "$record" ]; then
		say share/patina/installed | remove_left # of a run that was killed before it wrote anything else
		say share/patina/installed | remove_folders
		fail "nothing to remove: there is no $record" "PREFIX=/some/folder says where patina was installed"
	fi
	paths=$(read_record)
	failed=
	while IFS= read -r path; do
		[ -e "$PREFIX/$path" ] || [ -L "$PREFIX/$path" ] || continue
		if rm -f "$PREFIX/$path" 2>/dev/null; then say "removed $PREFIX/$path"; else failed="$failed $PREFIX/$path"; fi
	done <<END
$paths
END
	remove_left <<END
$paths
share/patina/installed
END
	[ -z "$failed" ] || fail "cannot remove$failed" "it needs the right to write in these folders"
	rm -f "$record" 2>/dev/null || fail "cannot remove $record"
	say "removed $record"
	remove_folders <<END
$paths
share/patina/installed
END
	say "what you and patina have noted is untouched: \$PATINA_HOME (~/.patina), and .patina in your repositories"
}

# find_platform sets platform, such as linux-amd64 or linux-arm64-musl.
find_platform() {
	os=$(uname -s) arch=$(uname -m)
	case $os in
	Linux) os=linux ;;
	Darwin) os=darwin ;;
	*) fail "there is no patina for $os" "README.md says how to build it" ;;
	esac
	case $arch in
	x86_64 | amd64) arch=amd64 ;;
	aarch64 | arm64) arch=arm64 ;;
	*) fail "there is no patina for $os on $arch" "README.md says how to build it" ;;
	esac
	platform=$os-$arch
	[ "$os" = linux ] || return 0
	# The program for musl is static, and runs where glibc is missing or older than 2.28. It cannot open
	# ONNX Runtime for models of your own.
	libc=$(getconf GNU_LIBC_VERSION 2>/dev/null || :)
	case $libc in
	'glibc '[3-9]* | 'glibc 2.28'* | 'glibc 2.29'* | 'glibc 2.'[3-9][0-9]* | 'glibc 2.'[1-9][0-9][0-9]*) ;;
	*) platform=$platform-musl ;;
	esac
}

# fetch brings the file $1 of the release to $2.
fetch() {
	case $release in
	http://* | https://*) ;;
	*)
		[ -f "$release/$1" ] || fail "there is no $1 in $release"
		cp "$release/$1" "$2" || fail "cannot copy $release/$1 to $2" "is the disk full?"
		return
		;;
	esac
	if have curl; then
		why=$(curl -fsSL --retry 2 --connect-timeout 30 --speed-limit 1 --speed-time 60 -o "$2" "$release/$1" 2>&1) && return
	elif have wget; then
		why=$(wget -q -T 60 -O "$2" "$release/$1" 2>&1) && return
	else
		fail "neither curl nor wget is here" "install one of them" "or bring the files of the release here, and run: install.sh FOLDER"
	fi
	[ -z "$why" ] || printf '%s\n' "$why" >&2
	proxy=${https_proxy:-${HTTPS_PROXY:-${http_proxy:-}}}
	if [ -n "$proxy" ]; then
		fail "cannot fetch $release/$1 through the proxy $(hide_password "$proxy")" "https_proxy, http_proxy and no_proxy name the proxy" \
			"or bring the files of the release here, and run: install.sh FOLDER"
	fi
	fail "cannot fetch $release/$1" "is the address right, and the disk not full?" "or bring the files of the release here, and run: install.sh FOLDER"
}

# reason prints the end of the first line that a program has said, which is what the system said to it.
reason() { say "$1" | sed -n '1s/.*: //p'; }

hide_password() { say "$1" | sed 's|//[^/@]*@|//|'; }

sum_of() {
	if have sha256sum; then
		sha256sum <"$1"
	elif have shasum; then
		shasum -a 256 <"$1"
	elif have openssl; then
		openssl dgst -sha256 -r <"$1"
	else
		fail "no program here computes SHA-256" "install sha256sum, shasum or openssl: nothing is installed unchecked"
	fi | cut -d' ' -f1
}

# contents prints what is installed: the file of the release, its place below PREFIX, its mode.
contents() {
	cat <<END
patina bin/patina 755
patina.1 share/man/man1/patina.1 644
completions/patina.bash share/bash-completion/completions/patina 644
completions/_patina share/zsh/site-functions/_patina 644
completions/patina.fish share/fish/vendor_completions.d/patina.fish 644
LICENSE share/doc/patina/LICENSE 644
THIRD-PARTY.md share/doc/patina/THIRD-PARTY.md 644
LICENCES.txt share/doc/patina/LICENCES.txt 644
END
}

# stage copies a file beside its place below PREFIX.
stage() {
	to=$PREFIX/$2
	why=$(mkdir -p "$(dirname "$to")" 2>&1) || cannot_write "$(dirname "$to")"
	why=$({ cp "$1" "$to.new.$$" && chmod "$3" "$to.new.$$"; } 2>&1) || cannot_write "$to"
}

# place gives a staged file its name.
place() {
	why=$(mv -f "$PREFIX/$1.new.$$" "$PREFIX/$1" 2>&1) || cannot_write "$PREFIX/$1"
}

cannot_write() {
	why=$(reason "$why")
	if [ "$phase" = placing ]; then
		fail "cannot write $1: $why" "PREFIX=$PREFIX install.sh --uninstall removes what was written"
	fi
	state="nothing was installed"
	[ -z "$earlier" ] || state="what was installed before is as it was"
	fail "cannot write $1: $why: $state" "PREFIX=/some/folder chooses another place"
}

# finish removes what is temporary, and all traces of a run that ends before its files are in place.
finish() {
	code=$?
	trap - EXIT
	if [ "$phase" = staging ]; then
		while IFS= read -r path; do rm -f "$PREFIX/$path.new.$$" 2>/dev/null || :; done <"$work/now"
		rm -f "$record.new.$$" 2>/dev/null || :
		if [ -n "$earlier" ]; then
			{ cp "$work/before" "$record.new.$$" && mv -f "$record.new.$$" "$record"; } 2>/dev/null || rm -f "$record.new.$$" 2>/dev/null || :
		else
			rm -f "$record" 2>/dev/null || :
			{ cat "$work/now" && say share/patina/installed; } | remove_folders
			[ -z "$made" ] || rmdir "$PREFIX" 2>/dev/null || :
		fi
	fi
	rm -rf "$work"
	exit "$code"
}

install_release() {
	find_prefix
	release=${1:-${PATINA_RELEASES:-$released}}
	[ -n "$release" ] || fail "where is the release?" "install.sh FOLDER, or PATINA_RELEASES=https://… install.sh"
	case $release in
	http://* | https://*) release=${release%/} ;;
	*://*) fail "\"$release\" is neither a folder nor an address with https://" ;;
	*) [ -d "$release" ] || fail "there is no folder $release" "an address begins with https://" ;;
	esac
	for tool in tar gzip sed mktemp; do have $tool || fail "$tool is not here" "install it"; done
	find_platform
	work=$(mktemp -d 2>/dev/null) || fail "cannot make a temporary folder in ${TMPDIR:-/tmp}" "TMPDIR=/some/folder chooses another"
	phase=fetching
	trap finish EXIT
	trap 'exit 130' INT TERM HUP

	fetch SHA256SUMS "$work/sums"
	file=$(sed -n "s/^[0-9a-f]\{64\}  \(patina-[0-9A-Za-z.+_-]*-$platform\.tar\.gz\)$/\1/p" "$work/sums" | head -n 1)
	[ -n "$file" ] || fail "this release has no patina for $platform" \
		"it has: $(sed -n 's/^[0-9a-f]\{64\}  \(patina-.*\.tar\.gz\)$/\1/p' "$work/sums" | tr '\n' ' ')"
	want=$(awk -v file="$file" '$2 == file { print $1 }' "$work/sums")
	fetch "$file" "$work/file"
	got=$(sum_of "$work/file")
	[ "$got" = "$want" ] || fail "$file is damaged or is another file: nothing was installed" "SHA-256 in SHA256SUMS: $want" "of what came: $got"
	mkdir "$work/from"
	why=$({ gzip -dc <"$work/file" | tar -x -f - -C "$work/from"; } 2>&1) || fail "cannot unpack $file in $work: $(reason "$why")" \
		"is the disk full? TMPDIR=/some/folder chooses another"
	from=$work/from/${file%.tar.gz}
	started=$("$from/patina" version 2>&1) || fail "patina for $platform does not start here: $(say "$started" | sed -n 1p)" \
		"TMPDIR=/some/folder helps where programs may not run in ${TMPDIR:-/tmp}"

	# The record comes first, so that a run that is killed can be undone. It names an earlier version's
	# files, too, until they are removed.
	earlier=
	if [ -f "$record" ]; then earlier=yes && read_record >"$work/before"; else : >"$work/before"; fi
	contents >"$work/contents"
	cut -d' ' -f2 "$work/contents" >"$work/now"
	sort -u "$work/before" "$work/now" >"$work/both"
	{ cat "$work/both" && say share/patina/installed; } | remove_left
	made=
	[ -d "$PREFIX" ] || made=yes
	phase=staging
	stage "$work/both" share/patina/installed 644
	place share/patina/installed
	while read -r file path mode; do stage "$from/$file" "$path" "$mode"; done <"$work/contents"
	stage "$work/now" share/patina/installed 644
	# Nothing is copied any more.
	trap '' INT TERM HUP
	phase=placing
	while IFS= read -r path; do place "$path" && say "wrote $PREFIX/$path"; done <"$work/now"
	while IFS= read -r path; do
		grep -qxF "$path" "$work/now" || rm -f "$PREFIX/$path" || say "$PREFIX/$path is of the earlier version, and stays"
	done <"$work/before"
	place share/patina/installed
	phase=ended

	say "installed $(say "$started" | sed -n 1p); PREFIX=$PREFIX install.sh --uninstall removes it"
	case :$PATH: in
	*:"$PREFIX/bin":*) ;;
	*) say "$PREFIX/bin is not in your PATH: export PATH=\"$PREFIX/bin:\$PATH\"" ;;
	esac
	have git || say "git is not here: patina needs it to read a repository"
	say "next: cd into a repository, and run: patina scrape"
}

case ${1:-} in
--help | -h) usage ;;
--version) say "install.sh of patina $version" ;;
--uninstall)
	[ $# -eq 1 ] || fail "--uninstall takes no arguments" "PREFIX=/some/folder says where patina was installed"
	uninstall
	;;
-*) fail "unknown flag \"$1\"" "install.sh --help" ;;
*)
	[ $# -le 1 ] || fail "one argument at most: a folder or an address" "install.sh --help"
	install_release "$@"
	;;
esac
