# Sourced by ./chat, rolling-restart.sh and try-rights.sh: the tables and users of MySQL in Compose. Uses functions of
# compose.sh, and say and die of the caller.

MYSQL_RIGHTS=deploy/mysql/rights.txt

# in_mysql <command>: runs a command in the container, as root user of the database.
in_mysql() { docker compose exec -T mysql sh -c "MYSQL_PWD=\$MYSQL_ROOT_PASSWORD exec $1"; }

# The same as the user who may read everything and change nothing.
in_mysql_as_backup() { docker compose exec -T mysql sh -c "MYSQL_PWD=\$(cat /run/secrets/mysql-backup) exec $1"; }

# Creates users and tables where they are missing, and sets the passwords and rights of all. The servers may run meanwhile.
prepare_database() {
  local database
  database=$(setting MYSQL_DATABASE)
  mysql_users "$database" | in_mysql 'mysql -uroot' || die "the users of MySQL could not be created, see above."
  docker compose run --rm -T --no-deps migration </dev/null >data/migration.log 2>&1 ||
    die "the tables could not be created or changed: see data/migration.log."
  echo "SELECT TABLE_NAME FROM information_schema.TABLES WHERE TABLE_SCHEMA = '$database'" |
    in_mysql 'mysql -N -uroot' | mysql_rights "$database" | in_mysql 'mysql -uroot' ||
    die "the users of MySQL did not get their rights, see above."
}

# mysql_users <database>: prints the statements that create the users, each with the password in its file.
mysql_users() {
  local program pattern=${1//_/\\_}
  for program in migration server persistence notification backup; do
    echo "CREATE USER IF NOT EXISTS 'parley_$program'@'%' IDENTIFIED BY '$(<"$SECRETS/secrets/mysql-$program")';"
    echo "ALTER USER 'parley_$program'@'%' IDENTIFIED BY '$(<"$SECRETS/secrets/mysql-$program")';"
  done
  echo "GRANT ALL PRIVILEGES ON \`$pattern\`.* TO 'parley_migration'@'%';"
  echo "GRANT SELECT, SHOW VIEW, TRIGGER ON \`$pattern\`.* TO 'parley_backup'@'%';"
}

# mysql_rights <database>: reads the names of the existing tables, and prints the statements that give each program its rights
# and take all others. Rights are given first, so that a running program misses none.
mysql_rights() {
  awk -v database="$1" '
    function statement(verb, letters, wanted, preposition, suffix,   i, list) {
      for (i = 1; i <= 4; i++)
        if ((index(letters, substr("siud", i, 1)) > 0) == wanted)
          list = list (list == "" ? "" : ", ") right[i]
      if (list != "")
        print verb " " list " ON `" database "`.`" table "` " preposition " \x27parley_" program "\x27@\x27%\x27" suffix ";"
    }
    BEGIN { split("SELECT INSERT UPDATE DELETE", right, " ") }
    NR == FNR { exists[$1] = 1; next }
    $1 == "#" && $2 == "table" { for (i = 3; i <= NF; i++) programs[i - 1] = $i; next }
    /^#/ || NF == 0 { next }
    $1 in exists {
      table = $1
      for (i = 2; i <= NF; i++) {
        program = programs[i]
        statement("GRANT", $i, 1, "TO", "")
        statement("REVOKE IF EXISTS", $i, 0, "FROM", " IGNORE UNKNOWN USER")
      }
    }' - "$MYSQL_RIGHTS"
}
