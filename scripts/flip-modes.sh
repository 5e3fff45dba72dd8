#!/usr/bin/env bash
# Checks on the running system ("./chat up") that the broker mode can be changed under load: during a ledger run of the
# load kit it replaces the chat-servers one after the other, from mode to mode, and prints the result of the ledger. The
# exit code is 1 when a message was missed. Takes half a minute to a minute for each mode.
#
# Usage: scripts/flip-modes.sh [mode...]    default: relay/per-session relay/per-node bus
#        RATE=100 DURATION=5m: messages per second, and for how long; must be longer than all mode changes together.
# The ledger is saved in data/flip-modes.txt.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

RATE=${RATE:-100} DURATION=${DURATION:-5m}
OUTPUT=data/flip-modes.txt

say() { printf '%s\n' "flip-modes: $*"; }
die() { say "$@" >&2 && exit 1; }

. scripts/wait-for-line.sh

# The argument is a mode, or a mode and its connections such as relay/per-node.
flip() {
  local started=$SECONDS connections=per-session
  [[ $1 != */* ]] || connections=${1#*/}
  CHAT_BROKER_MODE=${1%%/*} CHAT_BROKER_RELAY_CONNECTIONS=$connections scripts/rolling-restart.sh >/dev/null ||
    die "the chat-servers could not be changed to $1."
  say "after $SECONDS s all chat-servers are in mode $1 (took $((SECONDS - started)) s)"
}

docker compose ps --status running --format '{{.Service}}' | grep -q nginx || die "the system is not running: start it with \"./chat up\"."
./chat loadtest idle --help >/dev/null
docker compose --profile loadtest build -q loadtest
mkdir -p data
(($# > 0)) || set -- relay/per-session relay/per-node bus
say "ledger at $RATE/s for $DURATION"
docker compose --progress quiet --profile loadtest run --rm -T --no-deps loadtest ledger --url http://nginx \
  --i-own-this-host --rate "$RATE" --duration "$DURATION" >"$OUTPUT" 2>&1 </dev/null &
ledger=$!
wait_for_line '^sending' "$OUTPUT" "$ledger"
for mode in "$@"; do
  flip "$mode"
done
kill -0 "$ledger" 2>/dev/null || die "the ledger ended before the last mode change: set a longer DURATION."
status=0
wait "$ledger" || status=1
sed -n '/^PASSED\|^FAILED/,$p' "$OUTPUT"
exit "$status"
