# Sourced by ./chat: backup and restore. Uses functions of ./chat and compose.sh.

backup() {
  local compose=
  [[ ${1:-} != --compose ]] || { compose=yes && shift; }
  (($# == 1)) && [[ $1 != -* ]] || die "backup needs a directory that does not exist yet, as in \"./chat backup /backups/monday\"."
  [[ ! -e $1 ]] || die "$1 already exists: specify a new directory."
  mkdir -p "$(dirname "$1")"
  if [[ -n $compose ]]; then backup_compose "$1"; else backup_server "$1"; fi
  say "the backup is in $1; it contains the key that signs tokens, so protect it like the data."
}

# The server creates the backup, because only its process can open the log.
backup_server() {
  local made
  made=$(admin server-backup) || exit 1
  mv "$made" "$1" || die "the backup is in $made, but could not be moved to $1."
}

# Only the database is backed up: streams cannot be copied while they are in use. Workers are about a second behind.
backup_compose() {
  local unfinished=$1.unfinished
  docker_answers || die "no Docker engine answers, so the Compose system is not running."
  mkdir -p "$unfinished/keys"
  chmod 700 "$unfinished"
  in_mysql_as_backup 'mysqldump -uparley_backup --single-transaction --no-tablespaces --set-gtid-purged=OFF "$MYSQL_DATABASE"' </dev/null |
    gzip >"$unfinished/database.sql.gz" || die "the database dump failed, see above; \"./chat up\" starts the database."
  cp "$JWT_KEY" "$unfinished/keys/"
  printf '{"made":"%s","of":"compose"}\n' "$(date -u +%Y-%m-%dT%H:%M:%SZ)" >"$unfinished/backup.json"
  (cd "$unfinished" && find . -type f ! -name SHA256SUMS -exec "${SHA256[@]}" {} + >SHA256SUMS)
  mv "$unfinished" "$1"
}

if command -v sha256sum >/dev/null; then SHA256=(sha256sum); else SHA256=(shasum -a 256); fi

restore() {
  local compose='' folder
  [[ ${1:-} != --new-epoch ]] || { begin_new_epoch && return; }
  [[ ${1:-} != --compose ]] || { compose=yes && shift; }
  (($# == 1)) || die "restore needs the directory of a backup, as in \"./chat restore /backups/monday\", or --new-epoch."
  folder=$(cd "$1" 2>/dev/null && pwd) || die "the directory $1 does not exist."
  [[ -f $folder/backup.json && -f $folder/SHA256SUMS ]] ||
    die "$1 is not a backup made by \"./chat backup\": backup.json or SHA256SUMS is missing."
  (cd "$folder" && "${SHA256[@]}" --quiet -c SHA256SUMS) ||
    die "$1 is damaged or mixed with another backup, see above: use another copy of it. Nothing was restored."
  if [[ -n $compose ]]; then restore_compose "$folder"; else restore_server "$folder"; fi
}

restore_server() {
  [[ -f $1/db.zip ]] || die "$1 is a backup of Compose: restore it with \"./chat restore --compose $1\"."
  [[ ! -e data/log && ! -e data/db ]] ||
    die "data/log or data/db already exists: stop the server and move ./data away first, as in \"mv data data.old\"."
  need_jdk
  mkdir -p data/db data/log
  cp -R "$1/log/records" data/log/
  [[ ! -d $1/keys ]] || cp -Rp "$1/keys" data/
  (cd data/db && "$JAVA_HOME/bin/jar" --extract --file "$1/db.zip")
  say "restored $1; start it with \"./chat run\"."
}

# Existing streams are read from the offset in the dump; new streams begin a new epoch.
restore_compose() {
  [[ -f $1/database.sql.gz ]] || die "$1 is a backup of \"./chat run\": restore it with \"./chat restore $1\"."
  need_docker
  need_secrets
  docker compose stop nginx chat-server persistence-worker notification-worker
  docker compose up -d --wait mysql || die "MySQL did not start: see \"docker compose logs mysql\"."
  { echo "DROP DATABASE $(setting MYSQL_DATABASE); CREATE DATABASE $(setting MYSQL_DATABASE); USE $(setting MYSQL_DATABASE);" &&
    gunzip -c "$1/database.sql.gz"; } | in_mysql 'mysql -uroot' || die "the database could not be replaced, see above."
  cp "$1/keys/${JWT_KEY##*/}" "$JWT_KEY"
  say "restored $1"
  up
}

begin_new_epoch() {
  local log=${CHAT_LOG_EMBEDDED_DIRECTORY:-data/log}
  [[ -d $log/records ]] || die "$log contains no log."
  touch "$log/new-epoch"
  say "the next start begins a new epoch. Log and database are not changed; clients reload their rooms."
}
