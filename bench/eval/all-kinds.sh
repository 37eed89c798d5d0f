#!/bin/sh
# Says what questions about code lose to the other kinds: their MRR asked of code alone, less their MRR asked of all kinds.
#
#   bench/eval/all-kinds.sh PATINA < list
#
# PATINA is a binary. The list on standard input has a line a set: a scraped clone and a file of questions whose answers are files of
# code, such as "/clones/flask /sets/flask.json" (docs/evaluation.md, "Your own questions"). No filter by path: whole trees compete.
# A line a set is printed, then the sum of all: each question counts the same. A rank is the place of the first expected file among
# all results, 1 / rank from 10 places, else 0.
set -eu

# mrr CLONE SET [FLAG…] prints the number of questions and the fused MRR@10.
mrr() {
  clone=$1 set=$2
  shift 2
  (cd "$clone" && "$patina" eval retrieval -q "$set" --json "$@") |
    awk '/"systems"/ { on = 1 }
      on && !n && /"n":/ { gsub(/[^0-9]/, ""); n = $0 }
      on && /"mrr"/ { here = 1 }
      here && /"mean"/ { sub(/.*: /, ""); sub(/,$/, ""); print n, $0; exit }'
}

case $1 in /*) patina=$1 ;; *) patina=$PWD/$1 ;; esac
while read -r clone set; do
  case $set in /*) ;; *) set=$PWD/$set ;; esac
  echo "$(basename "$clone") $(mrr "$clone" "$set") $(mrr "$clone" "$set" --content-type code)"
done | awk '
  { printf "%s: %d questions, all kinds %.3f, code %.3f, loss %.3f\n", $1, $2, $3, $5, $5 - $3; n += $2; all += $2 * $3; code += $2 * $5 }
  END { if (n) printf "all: %d questions, all kinds %.4f, code %.4f, loss %.4f\n", n, all / n, code / n, (code - all) / n }'
