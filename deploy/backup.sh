# Sourced by ./chat: backup and restore. Uses the functions of ./chat and compose.sh.

backup() {
  local compose=
  [[ ${1:-} != --compose ]] || { compose=yes && shift; }
  (($# == 1)) && [[ $1 != -* ]] || die "backup needs a folder that does not exist yet, as in \"./chat backup /backups/monday\"."
  [[ ! -e $1 ]] || die "$1 exists already: name a new folder."
  mkdir -p "$(dirname "$1")"
  if [[ -n $compose ]]; then backup_compose "$1"; else backup_server "$1"; fi
  say "the backup is in $1; it holds the key that signs tokens, so keep it as safe as the data."
}

# The server makes it, because the log belongs to its process.
backup_server() {
  local url=${CHAT_MANAGEMENT_URL:-http://localhost:${MANAGEMENT_SERVER_PORT:-9090}} answer made
  command -v curl >/dev/null || die "backup needs curl: install it from your system's packages."
  answer=$(curl -sS -X POST -H 'Content-Type: application/json' --data '{}' "${url%/}/actuator/backup") ||
    die "nothing answers at ${url%/}: start the server, or set CHAT_MANAGEMENT_URL to its management port."
  made=$(sed -n 's/.*"directory":"\([^"]*\)".*/\1/p' <<<"$answer")
  [[ -n $made ]] || die "no backup was made: $(sed -n 's/.*"error":"\([^"]*\)".*/\1/p' <<<"$answer")"
  mv "$made" "$1" || die "the backup is in $made, it can't be moved to $1."
}

# What is in the database is the backup: streams can't be copied while they are used. Workers are about a second behind.
backup_compose() {
  local unfinished=$1.unfinished
  docker_answers || die "no Docker engine answers, so nothing of Compose runs here."
  mkdir -p "$unfinished/keys"
  chmod 700 "$unfinished"
  in_mysql 'mysqldump -uroot --single-transaction --no-tablespaces --set-gtid-purged=OFF "$MYSQL_DATABASE"' </dev/null |
    gzip >"$unfinished/database.sql.gz" || die "the database could not be dumped, see above; \"./chat up\" starts it."
  cp "$JWT_KEY" "$unfinished/keys/"
  printf '{"made":"%s","of":"compose"}\n' "$(date -u +%Y-%m-%dT%H:%M:%SZ)" >"$unfinished/backup.json"
  (cd "$unfinished" && find . -type f ! -name SHA256SUMS -exec "${SHA256[@]}" {} + >SHA256SUMS)
  mv "$unfinished" "$1"
}

# in_mysql <command>: runs it in the container, as root of the database.
in_mysql() { docker compose exec -T mysql sh -c "MYSQL_PWD=\$MYSQL_ROOT_PASSWORD exec $1"; }

if command -v sha256sum >/dev/null; then SHA256=(sha256sum); else SHA256=(shasum -a 256); fi

restore() {
  local compose='' folder
  [[ ${1:-} != --new-epoch ]] || { begin_new_epoch && return; }
  [[ ${1:-} != --compose ]] || { compose=yes && shift; }
  (($# == 1)) || die "restore needs the folder of a backup, as in \"./chat restore /backups/monday\", or --new-epoch."
  folder=$(cd "$1" 2>/dev/null && pwd) || die "there is no folder $1."
  [[ -f $folder/backup.json && -f $folder/SHA256SUMS ]] ||
    die "$1 is no backup of \"./chat backup\": backup.json or SHA256SUMS is missing."
  (cd "$folder" && "${SHA256[@]}" --quiet -c SHA256SUMS) ||
    die "$1 is damaged or mixed with another backup, see above: take another copy of it. Nothing was restored."
  if [[ -n $compose ]]; then restore_compose "$folder"; else restore_server "$folder"; fi
}

restore_server() {
  [[ -f $1/db.zip ]] || die "$1 is a backup of Compose: restore it with \"./chat restore --compose $1\"."
  [[ ! -e data/log && ! -e data/db ]] ||
    die "data/log or data/db is there already: stop the server and move ./data away first, as in \"mv data data.old\"."
  need_jdk
  mkdir -p data/db data/log
  cp -R "$1/log/records" data/log/
  [[ ! -d $1/keys ]] || cp -Rp "$1/keys" data/
  (cd data/db && "$JAVA_HOME/bin/jar" --extract --file "$1/db.zip")
  say "restored $1; start it with \"./chat run\"."
}

# Streams that are still there are read on from where the dump is; new ones begin a new epoch.
restore_compose() {
  [[ -f $1/database.sql.gz ]] || die "$1 is a backup of \"./chat run\": restore it with \"./chat restore $1\"."
  need_jdk
  need_docker
  docker compose stop nginx chat-server persistence-worker notification-worker
  docker compose up -d --wait mysql || die "MySQL does not come up: \"docker compose logs mysql\" says why."
  { echo "DROP DATABASE $(setting MYSQL_DATABASE); CREATE DATABASE $(setting MYSQL_DATABASE); USE $(setting MYSQL_DATABASE);" &&
    gunzip -c "$1/database.sql.gz"; } | in_mysql 'mysql -uroot' || die "the database could not be replaced, see above."
  mkdir -p "${JWT_KEY%/*}"
  chmod 700 "${JWT_KEY%/*}"
  cp "$1/keys/${JWT_KEY##*/}" "$JWT_KEY"
  say "restored $1"
  up
}

begin_new_epoch() {
  local log=${CHAT_LOG_EMBEDDED_DIRECTORY:-data/log}
  [[ -d $log/records ]] || die "there is no log in $log."
  touch "$log/new-epoch"
  say "the next start begins a new epoch. Log and database stay as they are; clients load their rooms again."
}
