#!/bin/sh
# Installs the packages of a release by the programs of their systems, starts what they bring, and
# removes them. It needs root, and takes what is here of apt in a root of Debian, dnf, apk and brew:
#
#   apt-get install dnf rpm golang
#
#   packages.sh DIST [ROOT]
#
# ROOT is the folder of a Debian with git and apt. rpm and apk go into empty roots, with stand-ins
# without files for glibc and git, because no Fedora and no Alpine is among the packages of Debian.
# APK names Alpine's apk; without it the resolver and installer of apko are taken, which go fetches.
# BREW names brew, which runs as the user BREW_USER and has a tap homebrew/core, however empty.
set -eu
[ $# -ge 1 ] || { sed -n 's/^# \{0,1\}//; 2,13p' "$0" >&2; exit 2; }
here=$(cd "$(dirname "$0")" && pwd)
dist=$(cd "$1" && pwd)
debian=${2:-}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
say() { printf '\n== %s\n' "$*"; }
fail() { printf 'packages.sh: %s\n' "$*" >&2; exit 1; }
have() { command -v "$1" >/dev/null 2>&1; }
skip() { echo "not run: $1"; }
case $(uname -m) in
x86_64) arch=amd64 rpm_arch=x86_64 ;;
aarch64) arch=arm64 rpm_arch=aarch64 ;;
*) fail "there is no release for $(uname -m)" ;;
esac
# only prints the one file of the release that a pattern names.
only() {
	found=$(find "$dist" -maxdepth 1 -name "$1")
	[ "$(printf '%s\n' "$found" | grep -c .)" = 1 ] || fail "not one $1 in $dist: $found"
	printf '%s\n' "$found"
}
# starts fails unless the program in a root says its version.
starts() { "$@" version | grep '^patina '; }
# gone fails if something of the package is left in a root.
gone() {
	left=$(find "$1/usr" -name '*patina*' -not -path '*/doc/*' 2>/dev/null || :)
	[ -z "$left" ] || fail "left: $left"
	echo "and removed"
}

say "apt install ./patina.deb"
if [ -z "$debian" ]; then
	skip "no root of Debian is named"
else
	deb=$(only "patina-*-linux-$arch.deb")
	cp "$deb" "$debian/patina.deb"
	in_debian() { chroot "$debian" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C DEBIAN_FRONTEND=noninteractive "$@"; }
	# What it recommends is on a mirror. What it needs is in the root, so nothing is fetched.
	in_debian apt-get install --yes --no-install-recommends /patina.deb >"$work/said" 2>&1 || { cat "$work/said"; fail "apt-get install ended with an error"; }
	in_debian dpkg --verify patina
	starts in_debian patina
	[ -s "$debian/usr/share/man/man1/patina.1.gz" ] || [ -s "$debian/usr/share/man/man1/patina.1" ] || fail "no manual page"
	in_debian apt-get remove --yes patina >"$work/said" 2>&1 || { cat "$work/said"; fail "apt-get remove ended with an error"; }
	rm -f "$debian/patina.deb"
	gone "$debian"
fi

say "dnf install ./patina.rpm"
if ! have dnf || ! have rpmbuild; then
	skip "dnf or rpmbuild is not here: apt-get install dnf rpm"
else
	rpm=$(only "patina-*-linux-$arch.rpm")
	for name in glibc git; do
		printf 'Name: %s\nVersion: 2.28\nRelease: 1\nSummary: A stand-in\nLicense: MIT\nBuildArch: noarch\n%%description\nA stand-in.\n%%files\n' $name >"$work/$name.spec"
		rpmbuild --quiet --define "_topdir $work/rpm" -bb "$work/$name.spec"
	done
	mkdir "$work/fedora"
	in_fedora() { dnf --installroot="$work/fedora" --releasever=1 --forcearch=$rpm_arch --disablerepo='*' --assumeyes "$@" >"$work/said" 2>&1; }
	! in_fedora install "$rpm" || fail "it installs without glibc and git"
	grep -q 'nothing provides glibc >= 2.28 needed by patina' "$work/said" || { cat "$work/said"; fail "no word about glibc"; }
	in_fedora install "$rpm" "$work"/rpm/RPMS/noarch/*.rpm || { cat "$work/said"; fail "dnf install ended with an error"; }
	rpm --root "$work/fedora" --verify patina
	rpm --root "$work/fedora" --query patina
	starts "$work/fedora/usr/bin/patina"
	in_fedora remove patina || { cat "$work/said"; fail "dnf remove ended with an error"; }
	gone "$work/fedora"
fi

say "apk add --allow-untrusted ./patina.apk"
apk=$(only "patina-*-linux-$arch-musl.apk")
if [ -n "${APK:-}" ]; then
	mkdir "$work/alpine"
	in_alpine() { "$APK" --root "$work/alpine" --arch $rpm_arch --no-network --repositories-file /dev/null "$@" >"$work/said" 2>&1; }
	in_alpine --initdb add || { cat "$work/said"; fail "apk makes no root"; }
	! in_alpine add --allow-untrusted "$apk" || fail "it installs without git"
	grep -q 'git (no such package)' "$work/said" || { cat "$work/said"; fail "no word about git"; }
	in_alpine add --virtual git || { cat "$work/said"; fail "apk makes no stand-in for git"; }
	in_alpine add --allow-untrusted "$apk" || { cat "$work/said"; fail "apk add ended with an error"; }
	starts chroot "$work/alpine" /usr/bin/patina
	in_alpine del patina || { cat "$work/said"; fail "apk del ended with an error"; }
	gone "$work/alpine"
elif have go; then
	PATINA_RELEASE=$dist go -C "$here/../check" test -count=1 -run TestApkInstalls .
	echo "by the library of apko, not by apk"
else
	skip "neither APK nor go is here"
fi

say "brew install patina, from a tap"
if [ -z "${BREW:-}" ]; then
	skip "BREW is not set: no package brings brew"
else
	tap=$("$BREW" --repository)/Library/Taps/patina/homebrew-check
	chmod 755 "$work" && mkdir -p "$tap/Formula"
	sed "s|url \".*/|url \"file://$dist/|" "$dist/patina.rb" >"$tap/Formula/patina.rb"
	chown -R "${BREW_USER:?must name the user of brew}" "$tap"
	as_user() {
		setpriv --reuid="$BREW_USER" --regid="$(id -g "$BREW_USER")" --clear-groups env HOME="$("$BREW" --prefix)/home" \
			HOMEBREW_NO_AUTO_UPDATE=1 HOMEBREW_NO_INSTALL_FROM_API=1 HOMEBREW_NO_ANALYTICS=1 HOMEBREW_DEVELOPER=1 "$@"
	}
	mkdir -p "$("$BREW" --prefix)/home" && chown "$BREW_USER" "$("$BREW" --prefix)/home"
	as_user "$BREW" install patina/check/patina
	starts as_user "$("$BREW" --prefix)/bin/patina"
	as_user "$BREW" uninstall patina/check/patina
	rm -rf "$tap"
fi
say "packages: all that was run is as it should"
