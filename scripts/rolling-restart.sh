#!/usr/bin/env bash
# Replaces the chat-servers of the running system ("./chat up") one after the other, with the current settings of .env and
# the shell: new servers start beside the old ones, then each old one disconnects its clients and stops. The clients
# reconnect and resume, so no message is missed. Use it for a new image or a changed setting, such as another broker mode:
#
# Usage: CHAT_BROKER_MODE=relay scripts/rolling-restart.sh
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

say() { printf '%s\n' "rolling-restart: $*"; }
die() { say "$@" >&2 && exit 1; }

. scripts/compose.sh
. scripts/database.sh

mapfile -t old < <(docker compose ps --quiet chat-server)
((${#old[@]} > 0)) || die "no chat-server is running: start the system with \"./chat up\"."
prepare_database
say "starting ${#old[@]} new chat-servers beside the ${#old[@]} running ones"
if ! docker compose --progress quiet up -d --wait --no-deps --no-recreate --scale "chat-server=$((2 * ${#old[@]}))" chat-server; then
  mapfile -t failed < <(docker compose ps --all --quiet chat-server | grep -vFf <(printf '%s\n' "${old[@]}"))
  docker logs --tail 20 "${failed[-1]}" >&2 || true
  docker rm -f "${failed[@]}" >/dev/null
  die "the new chat-servers did not start, see their log above; the old ones keep running."
fi
# nginx resolves their names every second; a busy machine needs longer.
sleep 6
for container in "${old[@]}"; do
  say "stopping ${container:0:12}"
  docker stop "$container" >/dev/null
  docker rm "$container" >/dev/null
done
say "done: $(docker compose ps --format '{{.Name}}' chat-server | tr '\n' ' ')"
