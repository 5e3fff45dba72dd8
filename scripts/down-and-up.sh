#!/usr/bin/env bash
# Checks on the running system ("./chat up") that "./chat down" and "./chat up" keep all data: the history of a room is
# unchanged afterwards, and the previous access token and refresh token still work.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

url=http://localhost:${CHAT_PORT:-$(sed -n 's/^CHAT_PORT=//p' .env)}
say() { printf '%s\n' "down-and-up: $*"; }
die() { say "$@" >&2 && exit 1; }
field() { sed -n "s/.*\"$1\":\"\\([^\"]*\\)\".*/\\1/p"; }
post() { curl -fsS -H 'Content-Type: application/json' ${token:+-H "Authorization: Bearer $token"} -d "$2" "$url$1"; }
history() { curl -fsS -H "Authorization: Bearer $token" "$url/api/rooms/$room/messages?limit=200"; }

user=keeper-$RANDOM$RANDOM token=
account='{"username":"'$user'","password":"a long password"}'
post /api/auth/register "$account" >/dev/null
tokens=$(post /api/auth/login "$account")
token=$(field accessToken <<<"$tokens") refresh=$(field refreshToken <<<"$tokens")
room=$(post /api/rooms '{"name":"Kept","kind":"group"}' | sed 's/^{"id":"\([^"]*\)".*/\1/')
for number in {1..20}; do
  post "/api/rooms/$room/messages" '{"clientId":"'"$number"'","text":"message '"$number"'"}' >/dev/null
done
before=$(history)
./chat down
./chat up
after=$(history) || die "the previous access token was rejected"
[[ $after == "$before" ]] || die "the history has changed: before $before, now $after"
say "the history is unchanged, $(grep -o '"type":"message.posted"' <<<"$after" | wc -l) messages, read with the previous access token"
token=
[[ -n $(post /api/auth/refresh '{"refreshToken":"'"$refresh"'"}' | field accessToken) ]] || die "the refresh token was rejected"
say "the previous refresh token works"
