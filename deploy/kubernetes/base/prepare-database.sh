#!/usr/bin/env bash
# Run by the job "migration", before and after the tables are created: what prepare_database of scripts/database.sh does in Compose.
#
# Usage: prepare-database.sh users     creates the database and its users, and sets their passwords
#        prepare-database.sh rights    grants each program its rights on the existing tables, and takes all others
set -euo pipefail

SECRETS=/run/passwords
. /scripts/database.sh
MYSQL_RIGHTS=/scripts/rights.txt

as_admin() {
  MYSQL_PWD=$(</run/admin/password) mysql --host="$MYSQL_HOST" --port="$MYSQL_PORT" --user="$(</run/admin/username)" \
    --ssl-mode=VERIFY_IDENTITY --ssl-ca=/run/admin/inner-ca.pem --skip-column-names "$@"
}

# The first start of a server takes a minute.
for attempt in {1..60}; do
  ! as_admin --execute='SELECT 1' >/dev/null || break
  [[ $attempt != 60 ]] || { echo "MySQL at $MYSQL_HOST:$MYSQL_PORT does not answer, see above." >&2 && exit 1; }
  sleep 5
done
case $1 in
  users) { echo "CREATE DATABASE IF NOT EXISTS \`$MYSQL_DATABASE\`;" && mysql_users "$MYSQL_DATABASE"; } | as_admin ;;
  rights)
    echo "SELECT TABLE_NAME FROM information_schema.TABLES WHERE TABLE_SCHEMA = '$MYSQL_DATABASE'" |
      as_admin | mysql_rights "$MYSQL_DATABASE" | as_admin
    ;;
esac
echo "done: $1"
