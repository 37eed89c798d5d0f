#!/bin/sh
# Uses patina as a user does for the first time: a scrape, a question, and a session of MCP, in a
# repository that it makes. check.sh runs it inside of other systems; it needs git alone.
#
#   uses.sh PATINA
set -eu
patina=$1
work=$(mktemp -d)
server=
finish() {
	[ -z "$server" ] || kill "$server" 2>/dev/null || :
	rm -rf "$work"
}
trap finish EXIT
fail() { printf 'uses.sh: %s\n' "$*" >&2; exit 1; }
export PATINA_HOME="$work/home" HOME="$work"
mkdir "$work/shop"
cd "$work/shop"
cat >retry.go <<'END'
package shop

import "time"

// Pause returns how long the courier waits before another attempt. It doubles each time.
func Pause(attempt int) time.Duration { return time.Second << attempt }

// Deliver tries three times, with a pause in between.
func Deliver(send func() error) (err error) {
	for attempt := range 3 {
		if err = send(); err == nil {
			return nil
		}
		time.Sleep(Pause(attempt))
	}
	return err
}
END
cat >cart.swift <<'END'
/// A cart holds what somebody wants to buy.
struct Cart {
    var items: [String] = []
    mutating func addItem(_ name: String) { items.append(name) }
}
END
git init -q . && git add . && git -c user.name=a -c user.email=a@example.org commit -qm "shop: wait longer after each failed attempt"

"$patina" version
"$patina" scrape >"$work/scrape" 2>&1 || { cat "$work/scrape"; fail "scrape ended with $?"; }
"$patina" scry how long is the pause between two attempts >"$work/answer" 2>&1 || { cat "$work/answer"; fail "scry ended with $?"; }
grep -q 'retry.go' "$work/answer" || { cat "$work/answer"; fail "the answer is another one"; }
"$patina" show cart.swift::Cart >"$work/answer" 2>&1 || { cat "$work/answer"; fail "the parser of Swift found no Cart"; }
"$patina" callers retry.go::Pause | grep -q Deliver || fail "nobody calls Pause"

mkfifo "$work/in"
"$patina" mcp <"$work/in" >"$work/out" 2>"$work/err" &
server=$!
exec 3>"$work/in"
printf '%s\n' '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"uses","version":"1"}}}' \
	'{"jsonrpc":"2.0","method":"notifications/initialized"}' \
	'{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"scry","arguments":{"query":"how long is the pause between two attempts"}}}' >&3
waited=0
until grep -q '"id":2' "$work/out"; do
	waited=$((waited + 1))
	[ $waited -lt 120 ] || { cat "$work/out" "$work/err"; fail "mcp has not answered in two minutes"; }
	kill -0 "$server" 2>/dev/null || { cat "$work/out" "$work/err"; fail "mcp has ended"; }
	sleep 1
done
grep '"id":2' "$work/out" | grep -q 'retry.go' || { cat "$work/out"; fail "mcp answers otherwise"; }
exec 3>&-
wait "$server" || fail "mcp ended with $?"
server=
echo "scrape, scry, show, callers and mcp: as they should"
