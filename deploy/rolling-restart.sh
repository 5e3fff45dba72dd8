#!/usr/bin/env bash
# Replaces the chat-servers of the running system ("./chat up") one after the other, with what .env and the shell say
# now: new ones come up beside the old ones, then each old one says goodbye to its clients and ends. They reconnect and
# resume, so nobody misses a message. For a new image or a changed setting, such as another broker mode:
#
# Usage: CHAT_BROKER_MODE=relay deploy/rolling-restart.sh
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

say() { printf '%s\n' "rolling-restart: $*"; }
die() { say "$@" >&2 && exit 1; }

mapfile -t old < <(docker compose ps --quiet chat-server)
((${#old[@]} > 0)) || die "no chat-server runs here: \"./chat up\" first."
say "starting ${#old[@]} new chat-servers beside the ${#old[@]} that run"
if ! docker compose --progress quiet up -d --wait --no-deps --no-recreate --scale "chat-server=$((2 * ${#old[@]}))" chat-server; then
  mapfile -t failed < <(docker compose ps --all --quiet chat-server | grep -vFf <(printf '%s\n' "${old[@]}"))
  docker logs --tail 20 "${failed[-1]}" >&2 || true
  docker rm -f "${failed[@]}" >/dev/null
  die "the new ones did not come up, their last words are above; the old ones go on."
fi
# nginx asks for their names every 5 s.
sleep 6
for container in "${old[@]}"; do
  say "ending ${container:0:12}"
  docker stop "$container" >/dev/null
  docker rm "$container" >/dev/null
done
say "done: $(docker compose ps --format '{{.Name}}' chat-server | tr '\n' ' ')"
