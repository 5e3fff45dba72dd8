#!/usr/bin/env bash
# Checks on the running system ("./chat up") that a killed process loses no accepted message: for each container it runs
# the ledger of the load kit, kills that container with SIGKILL during the run, restarts it, and prints the result of the
# ledger. The exit code is 1 when a ledger failed, or when the database does not have every message exactly once afterwards.
# Takes about a minute and a half for each container.
#
# Usage: scripts/kill-each.sh [container...]    default: every container of the Compose file, such as chat-server-1, mysql-1
#        RATE=500 DURATION=30s KILL_AFTER=10 DOWN=3: messages per second, duration, seconds before the kill, seconds of downtime.
#        ROUNDS=1: number of kills per run, each KILL_AFTER seconds after the previous restart.
#        STILL=1: pauses the container for those seconds instead: it keeps its connections but does not respond.
# The ledgers are saved in data/kill-each/.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

RATE=${RATE:-500} DURATION=${DURATION:-30s} KILL_AFTER=${KILL_AFTER:-10} DOWN=${DOWN:-3} ROUNDS=${ROUNDS:-1} STILL=${STILL:-}
OUTPUT=data/kill-each
METRICS=http://persistence-worker:9090/actuator/prometheus

say() { printf '%s\n' "kill-each: $*"; }
die() { say "$@" >&2 && exit 1; }

. scripts/wait-for-line.sh

# Prints all required containers by their Docker name without the project prefix.
containers() { docker compose ps --all --format '{{.Name}}' | sed 's/^parley-//' | grep -v '^loadtest' | sort; }

unhealthy() { docker compose ps --all --format '{{.Name}} {{.Health}}' | grep -v loadtest | grep -v ' healthy$'; }

wait_until_healthy() {
  local second
  for second in {1..180}; do
    [[ -n $(unhealthy) ]] || return 0
    sleep 1
  done
  die "some containers are not healthy after 3 minutes: $(unhealthy | tr '\n' ' ')"
}

kill_and_start() {
  local round
  for ((round = 0; round < ROUNDS; round++)); do
    sleep "$KILL_AFTER"
    if [[ -n $STILL ]]; then docker pause "parley-$1"; else docker kill --signal KILL "parley-$1"; fi >/dev/null
    sleep "$DOWN"
    if [[ -n $STILL ]]; then docker unpause "parley-$1"; else docker start "parley-$1"; fi >/dev/null
  done
}

# Prints the number in a row of the ledger.
row() { sed -n "s/^$1  *\([0-9,]* *m*s*\)$/\1/p" "$2"; }

# Prints how many messages of a run the database contains, and how many distinct ones.
stored() {
  local run
  run=$(sed -n 's/.*(run \([0-9a-f]*\))$/\1/p' "$1")
  docker compose exec -T mysql sh -c 'MYSQL_PWD=$(cat /run/secrets/mysql-backup) mysql -N -uparley_backup "$MYSQL_DATABASE"' <<SQL
SELECT CONCAT(COUNT(*), ' of ', COUNT(DISTINCT room_id, sender, client_id)) FROM room_event WHERE client_id LIKE '$run-%';
SQL
}

# The worker may have to reconnect to a restarted broker first.
wait_until_stored() {
  local all second
  all=$(row acknowledged "$1" | tr -d ,)
  for second in {1..60}; do
    [[ $(stored "$1") != "$all of $all" ]] || break
    sleep 1
  done
  printf '%-40s %s\n' 'in the database, distinct' "$(stored "$1")" | tee -a "$1"
  [[ $(stored "$1") == "$all of $all" ]]
}

table_line() {
  local file=$2 name
  printf '| %s |' "$1"
  for name in attempted acknowledged 'unknown, then retried' 'in the history' lost duplicated unexpected 'out of order' \
    'missed by a follower, silently' 'missed by a follower, reported as gap' 'seen twice or without a reason' \
    'longest pause without a receipt'; do
    printf ' %s |' "$(row "$name" "$file")"
  done
  printf ' %s |' "$(sed -n 's/^in the database, distinct  *//p' "$file")"
  printf ' %s |\n' "$(grep -oE '^(PASSED|FAILED)' "$file" || echo 'no result')"
}

run() {
  local file=$OUTPUT/$1.txt ledger status=0
  wait_until_healthy
  say "ledger at $RATE/s for $DURATION; after $KILL_AFTER s $1 is $([[ -n $STILL ]] && echo paused || echo killed) for $DOWN s"
  docker compose --progress quiet --profile loadtest run --rm -T --no-deps loadtest ledger --url http://nginx \
    --i-own-this-host --rate "$RATE" --duration "$DURATION" --persistence "$METRICS" >"$file" 2>&1 </dev/null &
  ledger=$!
  wait_for_line '^sending' "$file" "$ledger"
  kill_and_start "$1"
  wait "$ledger" || status=1
  sed -n '/^PASSED\|^FAILED/,$p' "$file"
  wait_until_stored "$file" || status=1
  return "$status"
}

docker compose ps --status running --format '{{.Service}}' | grep -q nginx || die "the system is not running: start it with \"./chat up\"."
./chat loadtest idle --help >/dev/null
docker compose --profile loadtest build -q loadtest
mkdir -p "$OUTPUT"
(($# > 0)) || mapfile -t chosen < <(containers)
failed=0
for container in "${chosen[@]:-$@}"; do
  run "$container" || failed=1
done
echo
echo '| killed | attempted | acknowledged | unknown, retried | in the history | lost | duplicated | unexpected | out of order' \
  '| missed | missed, told | seen twice | longest pause | in the database | |'
echo '|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|'
for container in "${chosen[@]:-$@}"; do
  table_line "$container" "$OUTPUT/$container.txt"
done
exit "$failed"
