#!/bin/bash
# Supports the variables of the official image: MYSQL_ROOT_PASSWORD, MYSQL_DATABASE, MYSQL_USER, MYSQL_PASSWORD.
# They apply if the data directory is empty. The server runs the statements before it accepts connections.
set -e

quoted() { printf "'%s'" "${1//\'/\'\'}"; }

first_statements() {
  if [[ -n $MYSQL_ROOT_PASSWORD ]]; then
    echo "ALTER USER 'root'@'localhost' IDENTIFIED BY $(quoted "$MYSQL_ROOT_PASSWORD");"
    echo "CREATE USER 'root'@'%' IDENTIFIED BY $(quoted "$MYSQL_ROOT_PASSWORD");"
  else
    echo "CREATE USER 'root'@'%' IDENTIFIED BY '';"
  fi
  echo "GRANT ALL ON *.* TO 'root'@'%' WITH GRANT OPTION;"
  [[ -z $MYSQL_DATABASE ]] || echo "CREATE DATABASE IF NOT EXISTS \`$MYSQL_DATABASE\`;"
  if [[ -n $MYSQL_USER ]]; then
    echo "CREATE USER $(quoted "$MYSQL_USER")@'%' IDENTIFIED BY $(quoted "$MYSQL_PASSWORD");"
    [[ -z $MYSQL_DATABASE ]] || echo "GRANT ALL ON \`$MYSQL_DATABASE\`.* TO $(quoted "$MYSQL_USER")@'%';"
  fi
}

[[ ${1:0:1} != - ]] || set -- mysqld "$@"
[[ $1 == mysqld ]] || exec "$@"
mkdir -p /var/lib/mysql /var/lib/mysql-files /var/run/mysqld
# Kubernetes starts it as the user of the server.
[[ $(id -u) != 0 ]] || chown mysql:mysql /var/lib/mysql /var/lib/mysql-files /var/run/mysqld
if [[ ! -d /var/lib/mysql/mysql ]]; then
  if [[ -z $MYSQL_ROOT_PASSWORD && -z $MYSQL_ALLOW_EMPTY_PASSWORD ]]; then
    echo "mysql: set MYSQL_ROOT_PASSWORD, or MYSQL_ALLOW_EMPTY_PASSWORD=yes." >&2
    exit 1
  fi
  mysqld --initialize-insecure
  first_statements >/var/run/mysqld/first.sql
  [[ $(id -u) != 0 ]] || chown mysql /var/run/mysqld/first.sql
  chmod 600 /var/run/mysqld/first.sql
  set -- "$@" --init-file=/var/run/mysqld/first.sql
fi
exec "$@"
