#!/usr/bin/env bash
# Waits until a program may use all tables that deploy/mysql/rights.txt names for it. Asks as the user of that program, who sees
# no other rights than its own.
#
# Usage: wait-for-migration.sh <program>    server, persistence or notification
set -euo pipefail

# Reads the output of SHOW GRANTS, and prints the tables on which the program has no rights.
missing() {
  awk -v database="$MYSQL_DATABASE" -v program="$1" '
    NR == FNR { granted[$0] = 1; next }
    $1 == "#" && $2 == "table" { for (i = 3; i <= NF; i++) if ($i == program) column = i - 1; next }
    /^#/ || NF == 0 || $column == "-" { next }
    {
      for (grant in granted)
        if (index(grant, " ON `" database "`.`" $1 "` TO "))
          next
      print $1
    }' - "${MYSQL_RIGHTS:-/scripts/rights.txt}"
}

grants() {
  MYSQL_PWD=$(</run/secrets/spring.datasource.password) mysql --host="$MYSQL_HOST" --port="$MYSQL_PORT" --user="parley_$1" \
    --ssl-mode=VERIFY_IDENTITY --ssl-ca=/run/secrets/inner-ca.pem --skip-column-names --execute='SHOW GRANTS'
}

while true; do
  if found=$(grants "$1") && tables=$(missing "$1" <<<"$found"); then
    [[ -n $tables ]] || break
    echo "waiting for the job \"migration\": no rights yet on" $tables
  fi
  sleep 3
done
