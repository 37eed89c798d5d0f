#!/bin/sh
# Runs the programs of a release inside of other systems, and installs it there as a user without
# root: the oldest and the newest Debian that debootstrap brings, and a root with musl and busybox. Then
# packages.sh installs the packages. It needs root, and of Debian:
#
#   apt-get install debootstrap binutils busybox-static musl git dnf rpm
#
#   check.sh DIST [bullseye sid musl]
#
# The root with musl has no glibc where programs look for it. Alpine's own root is taken if ALPINE names
# one (a folder with git in it); otherwise git is Debian's, started with a loader in /opt, because no
# distribution with musl is among the packages of Debian. WORK=folder keeps the roots for the next time.
# shellcheck disable=SC2016 # the shells inside expand
set -eu
[ $# -ge 1 ] || { sed -n 's/^# \{0,1\}//; 2,13p' "$0" >&2; exit 2; }
here=$(cd "$(dirname "$0")" && pwd)
dist=$(cd "$1" && pwd)
shift
[ $# -gt 0 ] || set -- bullseye sid musl
keep=${WORK:-}
work=${WORK:-$(mktemp -d)}
mkdir -p "$work"
say() { printf '\n== %s\n' "$*"; }
fail() { printf 'check.sh: %s\n' "$*" >&2; exit 1; }
finish() {
	code=$?
	trap - EXIT
	for mounted in "$work"/*/proc "$work"/*/release; do umount "$mounted" 2>/dev/null || :; done
	[ -n "$keep" ] || rm -rf --one-file-system "$work"
	exit "$code"
}
trap finish EXIT
trap 'exit 130' INT TERM
case $(uname -m) in
x86_64) arch=amd64 loader=/lib64/ld-linux-x86-64.so.2 ;;
aarch64) arch=arm64 loader=/lib/ld-linux-aarch64.so.1 ;;
*) fail "there is no release for $(uname -m)" ;;
esac

say "what the program for glibc asks of it"
file=$(sed -n "s/^[0-9a-f]*  \(patina-.*-linux-$arch\.tar\.gz\)$/\1/p" "$dist/SHA256SUMS")
tar -xzf "$dist/$file" -C "$work"
program=$work/${file%.tar.gz}/patina
objdump -p "$program" | awk '$1 == "NEEDED" { print $2 }' | tr '\n' ' '
newest=$(objdump -T "$program" | grep -o 'GLIBC_[0-9.]*' | sort -u -t_ -k2V | tail -n 1)
echo "and at most $newest"
[ "$(printf '%s\nGLIBC_2.28\n' "$newest" | sort -t_ -k2V | tail -n 1)" = GLIBC_2.28 ] || fail "glibc 2.28 has no $newest"

make_debian() {
	[ -e "$work/$1/made" ] && return
	debootstrap --variant=minbase --include=git "$1" "$work/$1" >"$work/$1.log" 2>&1 || { tail -n 20 "$work/$1.log"; fail "debootstrap $1"; }
	touch "$work/$1/made"
}
make_musl() {
	root=$work/musl
	[ -e "$root/made" ] && return
	if [ -n "${ALPINE:-}" ]; then
		mkdir -p "$root" && cp -a "$ALPINE/." "$root/"
	else
		mkdir -p "$root/bin" "$root/usr/bin" "$root/tmp" "$root/lib" "$root/opt/git/lib" "$root/etc" "$root/proc" "$root/dev"
		for name in $(/bin/busybox --list); do ln -sf busybox "$root/bin/$name"; done
		rm -f "$root/bin/busybox" && cp /bin/busybox "$root/bin/"
		cp -L /lib/ld-musl-*.so.1 "$root/lib/"
		cp "$(command -v git)" "$root/opt/git/git"
		ldd "$(command -v git)" | awk '$2 == "=>" { print $3 }' | xargs -I{} cp -L {} "$root/opt/git/lib/"
		cp -L $loader "$root/opt/git/loader"
		printf '#!/bin/sh\nexec /opt/git/loader --library-path /opt/git/lib --argv0 git /opt/git/git --exec-path=/usr/bin "$@"\n' >"$root/usr/bin/git"
		chmod 755 "$root/usr/bin/git"
		mknod -m 666 "$root/dev/null" c 1 3 2>/dev/null || :
		mknod -m 666 "$root/dev/urandom" c 1 9 2>/dev/null || :
		printf 'root:x:0:0::/:/bin/sh\n' >"$root/etc/passwd"
		[ ! -e "$root$loader" ] || fail "there is a glibc in the root with musl"
		echo "a stand-in: musl and busybox of Debian; git is started with a glibc of its own"
	fi
	touch "$root/made"
}

# in_root runs a script as a user without root, whose home is the folder $2.
in_root() {
	chroot --userspec=65534:65534 "$work/$1" /usr/bin/env -i PATH=/usr/local/bin:/usr/bin:/bin HOME="$2" LC_ALL=C TMPDIR=/tmp sh -euc "$3"
}

debian=
for system in "$@"; do
	say "$system"
	if [ "$system" = musl ]; then make_musl; else make_debian "$system"; fi
	root=$work/$system
	mkdir -p "$root/release" "$root/home/user" "$root/home/closed" "$root/proc"
	mount -t proc proc "$root/proc" 2>/dev/null || :
	mount --bind "$dist" "$root/release"
	cp "$here/uses.sh" "$root/uses.sh"
	chown 65534:65534 "$root/home/user"
	chmod 1777 "$root/tmp"
	rm -rf "$root/home/user/.local"
	# env and sh of busybox are in /bin.
	[ -e "$root/usr/bin/env" ] || ln -sf /bin/env "$root/usr/bin/env"
	in_root "$system" /home/user 'getconf GNU_LIBC_VERSION 2>/dev/null || echo "no glibc"'
	in_root "$system" /home/user 'sh /release/install.sh /release && sh /uses.sh "$HOME/.local/bin/patina"'
	in_root "$system" /home/user 'sh /release/install.sh --uninstall >/dev/null && [ -z "$(find "$HOME/.local" -type f 2>/dev/null)" ]'
	echo "and removed"
	# A home that cannot be written to, and a proxy that refuses.
	! in_root "$system" /home/closed 'sh /release/install.sh /release' >"$root/said" 2>&1 || fail "it installs into a home that it may not write to"
	grep 'cannot write /home/closed' "$root/said" || { cat "$root/said"; fail "no word about the home"; }
	if in_root "$system" / 'command -v curl || command -v wget' >/dev/null; then
		! in_root "$system" /home/user 'https_proxy=http://user:secret@127.0.0.1:9 http_proxy=http://user:secret@127.0.0.1:9 sh /release/install.sh http://example.org/patina' \
			>"$root/said" 2>&1 || fail "it fetches through a proxy that refuses"
		grep 'through the proxy http://127.0.0.1:9' "$root/said" || { cat "$root/said"; fail "no word about the proxy"; }
	else
		! in_root "$system" /home/user 'sh /release/install.sh http://example.org/patina' >"$root/said" 2>&1 || fail "it fetches without curl and wget"
		grep 'neither curl nor wget' "$root/said" || { cat "$root/said"; fail "no word about curl"; }
	fi
	umount "$root/release"
	umount "$root/proc" 2>/dev/null || :
	[ "$system" = musl ] || debian=$root
done
"$here/packages.sh" "$dist" ${debian:+"$debian"}
say "all as it should"
