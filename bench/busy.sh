#!/bin/sh
# busy.sh [PATINA]: asks the same questions of the index of the working folder on the machine as it is,
# beside four processes that burn the processors, and so with "nice 19". It counts answers that are the
# same as the first, incomplete ones (exit 3), ones with nothing relevant, and lines of --vimgrep that
# name no line. Run it in a repository that has been scraped.
patina=${1:-patina}
questions='how are results kept between runs
retry after a failure
where is the configuration read
parse the command line
what happens on a timeout
error message for a missing file
how is a value validated
where are logs written
add a new option
remove old entries'
work=$(mktemp -d) || exit 1
burners=
trap 'kill $burners 2>/dev/null; rm -r "$work"' EXIT

ask() { # ask NAME [COMMAND…]: one line a question
	name=$1 n=0 same=0 incomplete=0 nothing=0 made=0
	shift
	printf '%s\n' "$questions" >"$work/questions"
	while read -r q; do
		n=$((n + 1))
		"$@" "$patina" scry --vimgrep "$q" >"$work/$name.$n" 2>/dev/null </dev/null
		case $? in 1) nothing=$((nothing + 1)) ;; 3) incomplete=$((incomplete + 1)) ;; esac
		cmp -s "$work/idle.$n" "$work/$name.$n" && same=$((same + 1))
		made=$((made + $(grep -cE '^[^:]*:0:|:[0-9]+:[0-9]+:$' "$work/$name.$n")))
	done <"$work/questions"
	echo "$name: $same of $n the same, $incomplete incomplete, $nothing with nothing relevant, $made lines without a text"
}

ask idle
for i in 1 2 3 4; do
	sh -c 'while :; do :; done' &
	burners="$burners $!"
done
ask busy
ask busy-nice-19 nice -n 19
