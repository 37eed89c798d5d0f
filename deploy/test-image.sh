#!/bin/sh
# Builds the image of deploy/Dockerfile from a clean copy of the last commit, runs compose.yaml with
# it and the units in a container with systemd, and looks whether all keep their promises. It needs
# root, and of Debian:
#
#   apt-get install buildah podman podman-compose runc catatonit netavark aardvark-dns iptables debootstrap
#
# There is no daemon. The base images are pulled. Where no registry is reached, stand-ins are made
# with debootstrap and the Go of this machine, which the output says. Everything is in one temporary
# folder, also the store of images. WORK=folder keeps it for the next time.
set -eu
cd "$(dirname "$0")/.."
suite=bookworm

say() { printf '\n== %s\n' "$*"; }
fail() { printf 'failed: %s\n' "$*" >&2; exit 1; }

work=${WORK:-$(mktemp -d)}
mkdir -p "$work"
work=$(cd "$work" && pwd)
export CONTAINERS_STORAGE_CONF="$work/storage.conf" CONTAINERS_CONF="$work/containers.conf"
cat >"$CONTAINERS_STORAGE_CONF" <<END
[storage]
driver = "overlay"
graphroot = "$work/storage"
runroot = "$work/run"
END
# A stricter shell than that of the engine may have lower limits than its defaults.
cat >"$CONTAINERS_CONF" <<END
[containers]
default_ulimits = ["nofile=$(ulimit -n):$(ulimit -n)", "nproc=4096:4096"]
[engine]
runtime = "runc"
END
# The engine complains about control groups and timers that it does without.
podman() { command podman --log-level fatal "$@"; }
export PATINA_CLUSTER="$work/cluster" PATINA_IMAGE=localhost/patina
compose() { podman-compose -p patina-test -f deploy/compose.yaml "$@" >"$work/compose.log" 2>&1 || { cat "$work/compose.log"; fail "compose $1"; }; }
finish() {
	code=$?
	trap - EXIT
	podman ps --quiet --all | xargs -r podman rm --force --time 0 >/dev/null 2>&1 || true
	podman network rm patina-test_patina >/dev/null 2>&1 || true
	if [ -z "${WORK:-}" ]; then
		awk -v work="$work/" 'index($2, work) == 1 { print $2 }' /proc/mounts | sort -r | xargs -r -n 1 umount
		rm -rf "$work"
	fi
	exit "$code"
}
trap finish EXIT
trap 'exit 130' INT TERM

# --- base images ------------------------------------------------------------------------------------
make_debian() {
	[ -d "$work/rootfs" ] || debootstrap --variant=minbase "$suite" "$work/rootfs" >"$work/debootstrap.log"
	c=$(buildah from scratch)
	cp -a "$work/rootfs/." "$(buildah mount "$c")/"
	buildah umount "$c" >/dev/null
	buildah commit --quiet "$c" "$1" >/dev/null
	buildah rm "$c" >/dev/null
}
make_golang() {
	mkdir -p "$work/golang"
	cp -a "$(go env GOROOT)/." "$work/golang/go" 2>/dev/null || cp -a "$(go env GOROOT)" "$work/golang/go"
	cp /etc/ssl/certs/ca-certificates.crt "$work/golang/" # of this network, for what the build fetches
	cat >"$work/golang/Containerfile" <<END
FROM docker.io/library/debian:$suite-slim
RUN apt-get update && apt-get install --yes --no-install-recommends ca-certificates curl git g++ gcc libc6-dev make pkg-config \
 && rm -rf /var/lib/apt/lists/*
COPY ca-certificates.crt /etc/ssl/certs/ca-certificates.crt
COPY go /usr/local/go
ENV NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt GOTOOLCHAIN=local GOPATH=/go PATH=/go/bin:/usr/local/go/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
END
	buildah bud --isolation chroot --network host --quiet --tag "$1" "$work/golang" >"$work/golang.log" 2>&1
}
for name in debian golang; do
	image=$(awk -v name="$name:" '$1 == "FROM" && index($2, name) == 1 { print $2 }' deploy/Dockerfile)
	say "base image $image"
	if buildah inspect --type image "docker.io/library/$image" >/dev/null 2>&1; then
		echo "is here"
	elif buildah pull --quiet "docker.io/library/$image" >/dev/null 2>&1; then
		echo "pulled"
	else
		"make_$name" "docker.io/library/$image"
		echo "no registry is reached: a stand-in was made"
	fi
done

# --- the image --------------------------------------------------------------------------------------
say "build from a clean copy of $(git describe --tags --always)"
rm -rf "$work/source" && mkdir "$work/source"
git archive HEAD | tar -x -C "$work/source"
began=$(date +%s)
(cd "$work/source" && buildah bud --isolation chroot --network host --format docker --file deploy/Dockerfile \
	--build-arg VERSION=test-image --tag "$PATINA_IMAGE" . >"$work/build.log" 2>&1) || { tail -n 30 "$work/build.log"; fail build; }
echo "built in $(($(date +%s) - began)) s"
config=$(podman image inspect "$PATINA_IMAGE" --format '{{.Config.User}} {{.Config.StopSignal}} {{.Config.Entrypoint}} {{.Config.Volumes}} {{.HealthCheck.Test}}')
echo "user, signal, entry, volumes, check: $config"
[ "$config" = "65532:65532 SIGTERM [patina] map[/data:{}] [CMD patina node status --self]" ] || fail "the image is configured otherwise"
podman image inspect "$PATINA_IMAGE" --format 'size: {{.Size}}'

# --- a cluster, as docs/nodes.md makes it -----------------------------------------------------------
run() { podman run --rm --read-only --cap-drop ALL --security-opt no-new-privileges --tmpfs /tmp "$@"; }
[ "$(run --network none "$PATINA_IMAGE" version | grep -c test-image)" = 1 ] || fail "it says another version"
rm -rf "$work/made" "$PATINA_CLUSTER" "$work/laptop"
mkdir "$work/made" "$work/laptop"
chown 65532:65532 "$work/made" "$work/laptop"
run --network none -v "$work/made:/made" "$PATINA_IMAGE" node init /made/cluster --address '{name}:7470'
mv "$work/made/cluster" "$PATINA_CLUSTER"

say "compose.yaml by $(podman --version), $(runc --version | head -n 1)"
compose up --detach --no-build
podman ps --format '{{.Names}}  {{.Status}}  {{.Ports}}'

say "three nodes and a front are healthy"
for name in node-0 node-1 node-2 front-0; do
	for _ in $(seq 100); do
		podman healthcheck run "patina-test_${name}_1" >"$work/health" 2>&1 && break
		sleep 0.2
	done
	podman healthcheck run "patina-test_${name}_1" >/dev/null || { cat "$work/health"; grep '^Error' "$work/compose.log" || podman logs "patina-test_${name}_1"; fail "$name is not healthy"; }
	echo "$name: $(podman exec "patina-test_${name}_1" patina node status --self)"
done

say "a process has no right that it does not need"
podman exec patina-test_node-0_1 sh -ec '
	[ "$(id -u)" = 65532 ]
	! touch /usr/local/bin/x 2>/dev/null && ! touch /cluster/x 2>/dev/null && touch /data/x && rm /data/x
	grep -E "^(CapEff|CapBnd|NoNewPrivs)" /proc/1/status
	[ "$(awk "/^CapBnd/ { print \$2 }" /proc/1/status)" = 0000000000000000 ]
	[ "$(awk "/^NoNewPrivs/ { print \$2 }" /proc/1/status)" = 1 ]' || fail "it may more"

say "a user in a container of its own joins and asks"
token=$(podman exec patina-test_front-0_1 patina node invite anna --config /cluster --ca /ca | awk '/^patina node join/ { print $4; exit }')
cp -a "$PATINA_CLUSTER/example/till" "$work/laptop/till"
run --network patina-test_patina -v "$work/laptop:/data" --workdir /data/till --entrypoint sh "$PATINA_IMAGE" -ec "
	patina node join $token
	patina scrape
	patina repo add --from-mother example.org/shop/courier
	patina repo link till courier USES
	patina scry --all-repos --limit 3 how long is the pause between two attempts" >"$work/answer" || { cat "$work/answer"; fail "no answer"; }
cat "$work/answer"
grep -q 'retry.go' "$work/answer" || fail "the answer is another one"

say "a node ends by SIGTERM: it drains, and exits with 0"
for name in node-0 node-1 node-2 front-0; do
	podman stop --time 40 "patina-test_${name}_1" >/dev/null
	code=$(podman inspect "patina-test_${name}_1" --format '{{.State.ExitCode}}')
	podman logs "patina-test_${name}_1" 2>&1 | tail -n 1
	[ "$code" = 0 ] || fail "$name: exit code $code"
done
# --- the units, under systemd -----------------------------------------------------------------------
say "patina-node.service and patina-serve.service"
mkdir -p "$work/systemd"
cp deploy/patina-node.service deploy/patina-serve.service "$work/systemd/"
chmod 644 "$work/systemd/"*.service
cat >"$work/systemd/Containerfile" <<END
FROM $PATINA_IMAGE AS patina
FROM docker.io/library/debian:$suite-slim
RUN apt-get update && apt-get install --yes --no-install-recommends ca-certificates dbus-user-session git libpam-systemd systemd \
 && rm -rf /var/lib/apt/lists/* && useradd --create-home anna
COPY --from=patina /usr/local/bin/patina /usr/local/bin/patina
COPY --from=patina --chown=anna /usr/local/bin/patina /home/anna/.local/bin/patina
COPY patina-node.service /etc/systemd/system/
COPY --chown=anna patina-serve.service /home/anna/.config/systemd/user/
CMD ["/lib/systemd/systemd"]
END
buildah bud --isolation chroot --network host --quiet --tag localhost/patina-systemd "$work/systemd" >"$work/systemd.log" 2>&1 || { tail "$work/systemd.log"; fail "image with systemd"; }
# Where control groups are of version 1, systemd must see those of the machine.
groups=
[ -e /sys/fs/cgroup/cgroup.controllers ] || groups="--cgroupns=host -v /sys/fs/cgroup:/sys/fs/cgroup"
# shellcheck disable=SC2086
podman run --detach --name systemd --privileged --systemd=always --network none $groups localhost/patina-systemd >/dev/null 2>&1
podman exec systemd sh -euc '
	until systemctl is-system-running >/dev/null 2>&1; do sleep 0.2; done
	systemctl --version | head -n 1

	# One node of the example, which git fetches from a server of another user.
	cd /srv && patina node init try --nodes 1 >/dev/null
	HOME=/srv GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=safe.directory GIT_CONFIG_VALUE_0="*" \
		git daemon --detach --export-all --base-path=/srv/try/example --listen=127.0.0.1
	mkdir /etc/patina && cp try/cluster/*.toml /etc/patina/
	sed -i "s#\.\./example/#git://127.0.0.1/#" /etc/patina/repositories.toml
	install -d -m 700 /var/lib/private /var/lib/private/patina
	cp -r try/node-0/certificates /var/lib/private/patina/
	systemctl start patina-node
	until [ "$(journalctl -u patina-node | grep -c "repository hosted")" = 3 ]; do sleep 0.2; done
	stat -c "%U %a" /var/lib/private/patina
	systemd-analyze security --no-pager patina-node | tail -n 1
	kill -9 "$(systemctl show -p MainPID --value patina-node)"
	until [ "$(systemctl show -p NRestarts --value patina-node)" = 1 ] && systemctl is-active --quiet patina-node; do sleep 0.2; done
	sleep 1
	systemctl stop patina-node
	systemctl show -p Result -p ExecMainStatus patina-node
	[ "$(systemctl show -p Result -p ExecMainStatus patina-node | sort | xargs)" = "ExecMainStatus=0 Result=success" ]

	loginctl enable-linger anna
	until [ -S /run/user/1000/bus ]; do sleep 0.2; done
	mine() { su anna -s /bin/sh -c "XDG_RUNTIME_DIR=/run/user/1000 systemctl --user $*"; }
	mine start patina-serve
	until [ -S /home/anna/.patina/run/serve.sock ]; do sleep 0.2; done
	stat -c "%n %a" /home/anna/.patina/run/serve.sock
	mine stop patina-serve
	[ "$(mine show -p Result -p ExecMainStatus patina-serve | sort | xargs)" = "ExecMainStatus=0 Result=success" ]
' 2>"$work/systemd.errors" || { cat "$work/systemd.errors"; podman exec systemd journalctl --no-pager -n 30; fail "the units"; }

say passed
