#!/usr/bin/env bash
# Replaces the chat-servers of the running system ("./chat up") one after the other while many users chat, and checks that
# nobody misses a message. The users connect through nginx; the replacement follows the Deployment of Kubernetes: one new
# server, a wait until it is ready and 15 s longer, then SIGTERM for an old one. Prints how many attempts to connect the
# busiest second had, and how long users were away. The exit code is 1 when a message was missed, a connection ended in another
# way than by a stopping server, or a request was refused.
#
# Usage: scripts/rolling-drill.sh       options of "./chat loadtest life" may follow
#        USERS=300 HOLD=240s: users, and how long they chat, which must be longer than the replacement takes.
# The first run signs up the users, which takes half a minute for 300; data/rolling-drill/ keeps them, and the results.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

USERS=${USERS:-300} HOLD=${HOLD:-240s}
OUTPUT=data/rolling-drill
# minReadySeconds of deploy/kubernetes/base/chat-server.yaml.
MIN_READY=15

. scripts/compose.sh
. scripts/wait-for-line.sh

say() { printf '%s\n' "rolling-drill: $*"; }
die() { say "$@" >&2 && exit 1; }

replace_one() {
  local started=$SECONDS
  docker compose --progress quiet up -d --wait --no-deps --no-recreate --scale "chat-server=$((count + 1))" chat-server
  sleep "$MIN_READY"
  docker stop "$1" >/dev/null
  docker rm "$1" >/dev/null
  say "replaced ${1:0:12} in $((SECONDS - started)) s"
}

docker compose ps --status running --format '{{.Service}}' | grep -q nginx || die "the system is not running: start it with \"./chat up\"."
mkdir -p "$OUTPUT"
people=$OUTPUT/people-$USERS.json
run=(./chat loadtest life --url "http://127.0.0.1:$(setting CHAT_PORT)" --users "$USERS" --rooms-per-user 5
  --people "$people" --connect-rate 100 --costs 0 --reconnects 0 --rejoins 0 --rolling --hold "$HOLD" --report "$OUTPUT" "$@")
[[ -f $people ]] || { say "signing up $USERS users" && "${run[@]}" --prepare; }
mapfile -t old < <(docker compose ps --quiet chat-server)
count=${#old[@]}
"${run[@]}" >"$OUTPUT/life.txt" 2>&1 </dev/null &
life=$!
trap 'kill "$life" 2>/dev/null || true' EXIT
wait_for_line ' holding ' "$OUTPUT/life.txt" "$life"
say "$USERS users chat; replacing $count servers"
for container in "${old[@]}"; do
  replace_one "$container"
done
kill -0 "$life" 2>/dev/null || die "the users left before the last replacement: set a longer HOLD."
status=0
wait "$life" || status=1
sed -n '/^PASSED\|^FAILED/,$p' "$OUTPUT/life.txt"
exit "$status"
