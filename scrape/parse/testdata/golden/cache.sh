#!/bin/bash
# Keeps values.
source ./clock.sh

readonly LIMIT=10
name="cache"

# Gets a value.
get_value() {
  local key=$1
  find_key "$key" | sort
}

function drop {
  PATH=/bin rm -f "$1"
  notify "$(clock_now)"
}

get_value x
