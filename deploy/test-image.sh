#!/bin/sh
# Builds the image of deploy/Dockerfile from a clean copy of the last commit, runs compose.yaml with
# it, and looks whether both keep their promises. It needs root, and of Debian:
#
#   apt-get install buildah podman podman-compose runc catatonit netavark aardvark-dns debootstrap
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
export PATINA_CLUSTER="$work/cluster" PATINA_IMAGE=localhost/patina
compose() { podman-compose -p patina-test -f deploy/compose.yaml "$@" >"$work/compose.log" 2>&1 || { cat "$work/compose.log"; fail "compose $1"; }; }
finish() {
	code=$?
	trap - EXIT
	podman ps --quiet --all | xargs -r podman rm --force --time 0 >/dev/null 2>&1 || true
	podman network rm patina-test_patina >/dev/null 2>&1 || true
	if [ -z "${WORK:-}" ]; then
		podman image rm --all --force >/dev/null 2>&1 || true
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
		echo "no registry is reached: a stand-in was made by debootstrap and with $(go env GOVERSION)"
	fi
done

# --- the image --------------------------------------------------------------------------------------
say "build from a clean copy of $(git describe --tags --always)"
rm -rf "$work/source" && mkdir "$work/source"
git archive HEAD | tar -x -C "$work/source"
(cd "$work/source" && time buildah bud --isolation chroot --network host --format docker --file deploy/Dockerfile \
	--build-arg VERSION=test-image --tag "$PATINA_IMAGE" . >"$work/build.log" 2>&1) || { tail -n 30 "$work/build.log"; fail build; }
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
	podman healthcheck run "patina-test_${name}_1" >/dev/null || { cat "$work/health"; podman logs "patina-test_${name}_1"; fail "$name is not healthy"; }
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
say passed
