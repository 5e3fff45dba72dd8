#!/usr/bin/env bash
# Checks on the running system ("./chat up") that each program may do what the lists say and not one step more: the users of MySQL
# (deploy/mysql/rights.txt) with each statement on each table, and those of RabbitMQ (deploy/rabbitmq/rights.txt) with each
# operation on streams, queues and exchanges. Prints what is wrong; then the exit code is 1. Nothing is changed: each statement
# is rolled back, and RabbitMQ is only asked what it would decide. Takes some minutes.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

say() { printf '%s\n' "try-rights: $*"; }
die() { say "$@" >&2 && exit 1; }

. scripts/compose.sh
. scripts/database.sh

DATABASE=$(setting MYSQL_DATABASE)
tried=0 wrong=0

# count <expected> <got> <what>: "yes" or "no" each.
count() {
  tried=$((tried + 1))
  [[ $1 == "$2" ]] || { wrong=$((wrong + 1)) && say "WRONG: $3: expected $1, got $2"; }
}

# with_password <user> <ssl mode> <statement>: runs a statement as that user. The password goes through standard input.
with_password() {
  docker compose exec -T mysql sh -c \
    'read -r MYSQL_PWD; export MYSQL_PWD; exec mysql -h127.0.0.1 --ssl-mode="$1" -u"parley_$2" "$3" -e "$4"' \
    sh "$2" "$1" "$DATABASE" "START TRANSACTION; $3; ROLLBACK" <"$SECRETS/secrets/mysql-$1" 2>&1
}

# may <user> <statement>: "no" if MySQL denies the statement; one that fails after the check of its rights is allowed.
may() {
  local said
  said=$(with_password "$1" REQUIRED "$2") || true
  if [[ $said =~ ERROR\ (1044|1045|1142|1143|1227) ]]; then
    echo no
  elif [[ $said =~ ERROR\ 2 ]]; then
    echo "no connection ($said)"
  else
    echo yes
  fi
}

# Statements that change no row, whatever is in the table. MySQL checks the rights before it looks for rows.
statement() {
  case $1 in
    s) echo "SELECT 1 FROM \`$2\` LIMIT 0" ;;
    i) echo "INSERT INTO \`$2\` () SELECT * FROM (SELECT 1) none WHERE FALSE" ;;
    u) echo "UPDATE \`$2\` SET \`$3\` = NULL WHERE FALSE" ;;
    d) echo "DELETE FROM \`$2\` WHERE FALSE" ;;
  esac
}

try_tables() {
  local table server persistence notification program right column columns expected
  columns=$(echo "SELECT TABLE_NAME, MIN(COLUMN_NAME) FROM information_schema.COLUMNS WHERE TABLE_SCHEMA = '$DATABASE' GROUP BY TABLE_NAME" |
    in_mysql 'mysql -N -uroot')
  while read -r table server persistence notification <&3; do
    column=$(awk -v table="$table" '$1 == table { print $2 }' <<<"$columns")
    [[ -n $column ]] || continue
    for program in server persistence notification; do
      for right in s i u d; do
        expected=no
        [[ ${!program} != *$right* ]] || expected=yes
        count $expected "$(may "$program" "$(statement $right "$table" "$column")")" "$program, $right, table $table"
      done
    done
  done 3< <(grep -v '^#' deploy/mysql/rights.txt | grep .)
}

# What no program may: users, files, other databases, settings; and tables, except for the migration. The table does not exist,
# so nothing is lost where a statement is not denied.
try_beyond() {
  local program statement
  for program in server persistence notification backup migration; do
    for statement in "CREATE USER 'parley_tried'@'%' IDENTIFIED BY 'never made'" "SELECT 1 FROM mysql.user LIMIT 0" \
      "SELECT 1 INTO OUTFILE '/var/lib/mysql-files/tried'" "SET GLOBAL max_connections = 151" "FLUSH TABLES" \
      "GRANT SELECT ON \`$DATABASE\`.account TO 'parley_persistence'@'%'" "CREATE DATABASE parley_tried"; do
      count no "$(may $program "$statement")" "$program: $statement"
    done
    [[ $program != migration ]] || continue
    for statement in "CREATE TABLE tried (id INT)" "ALTER TABLE tried ADD COLUMN tried INT" "DROP TABLE tried" \
      "TRUNCATE TABLE tried" "CREATE INDEX tried ON tried (id)" "LOCK TABLES room WRITE"; do
      count no "$(may $program "$statement")" "$program: $statement"
    done
  done
  count no "$(may backup "DELETE FROM room WHERE FALSE")" "backup: DELETE"
  count yes "$(may backup "SELECT 1 FROM account LIMIT 0")" "backup: SELECT"
  if with_password server DISABLED "SELECT 1" >/dev/null; then
    count no yes "MySQL without TLS"
  else
    count no no "MySQL without TLS"
  fi
}

# Asks RabbitMQ for its decision about each user, resource and operation, with its own function.
try_broker() {
  local user kind name operation expected
  while read -r user kind name operation expected <&3; do
    count "$expected" "$(broker_decides "$user" "$kind" "$name" "$operation")" "RabbitMQ: $user, $operation, $kind $name"
  done 3< <(broker_cases)
}

broker_decides() {
  docker compose exec -T rabbitmq setpriv --reuid=rabbitmq --regid=rabbitmq --init-groups rabbitmqctl -q eval "
    {ok, U} = rabbit_access_control:check_user_login(<<\"parley-$1\">>, []),
    case catch rabbit_access_control:check_resource_access(U, {resource, <<\"/\">>, $2, <<\"$3\">>}, $4, #{}) of ok -> yes; _ -> no end." \
    </dev/null | tr -d '\r\n'
}

# One line for each user, kind, name and operation, with what the list says.
broker_cases() {
  local user tag configure write read operation pattern kind name
  while read -r user tag configure write read; do
    for operation in configure write read; do
      pattern=${!operation}
      for name in queue:chat.rooms.0 queue:chat.rooms.identity queue:chatXrooms.0 queue:stomp-subscription-x queue:other \
        exchange:amq.topic exchange:amq.direct exchange:other; do
        kind=${name%%:*} name=${name#*:}
        if [[ $pattern != - ]] && grep -qE "$pattern" <<<"$name"; then
          echo "$user $kind $name $operation yes"
        else
          echo "$user $kind $name $operation no"
        fi
      done
    done
  done < <(grep -v '^#' deploy/rabbitmq/rights.txt | grep .)
}

[[ -n $(docker compose ps -q --status running mysql) ]] || die "the system is not running: start it with \"./chat up\"."
try_tables
try_beyond
say "MySQL: $tried tried, $wrong wrong"
try_broker
! docker compose exec -T rabbitmq setpriv --reuid=rabbitmq --regid=rabbitmq --init-groups rabbitmqctl -q list_users </dev/null |
  grep -q '^guest' || count no yes "RabbitMQ has the user guest"
say "all: $tried tried, $wrong wrong"
((wrong == 0))
