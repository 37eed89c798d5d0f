#!/bin/sh
# Asks sets of questions of two builds of patina and says which ranks differ. Nothing differs: nothing is printed, exit 0.
#
#   bench/eval/before-after.sh OLD NEW WORK < list
#
# OLD and NEW are binaries (make build in two worktrees), WORK is a folder for indexes and reports. The list on standard input
# has a line a set: a clone and a file of questions, such as "/clones/flask sets/flask.json". Each build scrapes each clone anew
# into WORK, so a change of the scrape counts too. Reports stay: WORK/old-flask.json is what "patina eval --compare" takes.
set -eu

old=$1 new=$2 work=$3
mkdir -p "$work"
PATINA_HOME="$work/home" PATINA_TIMEOUT=60s
export PATINA_HOME PATINA_TIMEOUT

# ask BINARY LABEL CLONE SET writes a report, and from it one line a figure: whatever else a report holds may change.
ask() {
  index="$work/index-$2" report="$work/$2-$(basename "$4")"
  rm -rf "$index"
  (cd "$3" && "$1" scrape --store "$index" >&2 && "$1" eval retrieval --store "$index" -q "$4" --json) > "$report"
  grep -E '^ *"(name|id|rank|ndcg|relevance)":' "$report" | sed 's/,$//' > "$report.ranks"
}

differ=0
while read -r clone set; do
  case $set in /*) ;; *) set=$PWD/$set ;; esac
  ask "$old" old "$clone" "$set"
  ask "$new" new "$clone" "$set"
  name=$(basename "$set")
  if ! diff "$work/old-$name.ranks" "$work/new-$name.ranks" > "$work/$name.diff"; then
    differ=1
    echo "$name: $(grep -c '^[<>]' "$work/$name.diff") lines differ ($work/$name.diff)"
    (cd "$clone" && "$new" eval retrieval --store "$work/index-new" -q "$set" --compare "$work/old-$name")
  fi
done
exit $differ
