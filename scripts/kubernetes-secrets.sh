#!/usr/bin/env bash
# Makes the passwords, keys and certificates of an installation in Kubernetes, in data/kubernetes, and puts them into the Secrets that
# deploy/kubernetes expects. What exists in the folder is kept, so it may be repeated; keep the folder, and let nobody else read it.
#
# Usage: scripts/kubernetes-secrets.sh            applies the Secrets to the namespace "parley" of the current kubectl context
#        scripts/kubernetes-secrets.sh --print    prints them as YAML, and changes nothing in a cluster
#        SECRETS=DIR NAMESPACE=NAME scripts/kubernetes-secrets.sh
#
# With MySQL and RabbitMQ of your own (overlay "managed"), it uses these files where they exist in data/kubernetes:
#        own/inner-ca.pem, own/inner-ca.p12               who issued their certificates, for RabbitMQ and for MySQL's driver
#        own/mysql-admin-username, own/mysql-admin-password    who may create users and databases in MySQL
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

SECRETS=${SECRETS:-data/kubernetes}
NAMESPACE=${NAMESPACE:-parley}

say() { printf '%s\n' "kubernetes-secrets: $*" >&2; }
die() { say "$@" && exit 1; }

# own <file> <default>: the file of a server that you brought, if there is one.
own() { if [[ -f $SECRETS/own/$1 ]]; then echo "$SECRETS/own/$1"; else echo "$2"; fi; }

# secret <name> <[key=]file>...: prints a Secret. Without a key, it is the name of the file.
secret() {
  local name=$1
  shift
  kubectl create secret generic "$name" --namespace "$NAMESPACE" --dry-run=client --output yaml "${@/#/--from-file=}"
  echo ---
}

# The administrator of MySQL: root, whose password is the value in mysql.env. Files, because others can read the arguments of a process.
admin() {
  local folder
  folder=$(mktemp -d)
  trap "rm -r '$folder'" EXIT
  printf root >"$folder/username"
  sed -n 's/^MYSQL_ROOT_PASSWORD=//p' "$SECRETS/secrets/mysql.env" | tr -d '\n' >"$folder/password"
  secret mysql-admin "username=$(own mysql-admin-username "$folder/username")" "password=$(own mysql-admin-password "$folder/password")"
}

# The keys of tokens: the one that signs, and while keys are rotated those that are accepted besides.
keys() {
  local file files=()
  for file in "$SECRETS"/*.pem; do
    files+=("${file##*/}=$file")
  done
  secret jwt-keys "${files[@]}"
}

all() {
  local tls=$SECRETS/tls passwords=$SECRETS/secrets
  secret inner-ca "inner-ca.pem=$(own inner-ca.pem "$tls/ca.pem")" "inner-ca.p12=$(own inner-ca.p12 "$tls/ca.p12")"
  keys
  secret chat-server "$passwords"/{mysql-server,rabbitmq-server,rabbitmq-relay}
  secret persistence-worker "$passwords"/{mysql-persistence,rabbitmq-persistence}
  secret notification-worker "$passwords"/{mysql-notification,rabbitmq-notification}
  secret migration "$passwords"/mysql-migration
  secret mysql-backup "$passwords"/mysql-backup
  admin
  secret mysql "$tls"/{mysql.pem,mysql-key.pem}
  secret rabbitmq "$tls"/{rabbitmq.pem,rabbitmq-key.pem} "$passwords"/rabbitmq-definitions.json
}

[[ ${1:-} == --print || $# == 0 ]] || die "unknown option \"$1\": use --print, or none."
command -v kubectl >/dev/null || die "kubectl is missing: install it."
java=java
[[ -z ${JAVA_HOME:-} ]] || java=$JAVA_HOME/bin/java
[[ $("$java" -XshowSettings:properties -version 2>&1) =~ java.specification.version\ =\ ([0-9]+) && ${BASH_REMATCH[1]} -ge 25 ]] ||
  die "JDK 25 or newer is missing: set JAVA_HOME."
umask 077
mkdir -p "$SECRETS"
"$java" scripts/MakeSecrets.java "$SECRETS" >&2 || die "the secrets could not be generated, see above."
if (($# > 0)); then
  all
  exit
fi
kubectl get namespace "$NAMESPACE" >/dev/null 2>&1 || kubectl create namespace "$NAMESPACE" >&2
# On the server's side: otherwise kubectl keeps a copy of each Secret in an annotation.
all | kubectl apply --server-side --filename - >&2
say "the Secrets are in the namespace $NAMESPACE; keep $SECRETS, without which they cannot be made again"
