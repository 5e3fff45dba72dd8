#!/usr/bin/env bash
# Builds the jars of all images: the first stage of the Dockerfile, where the secrets come from docker-compose.yml.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# Jars that were built outside may be of another platform.
find . -name target -prune -exec rm -r {} +
options=()
[[ ! -s /run/secrets/maven-settings ]] || options+=(-s /run/secrets/maven-settings)
# A proxy that intercepts TLS: trust its authority.
[[ ! -s /run/secrets/build-ca ]] ||
  keytool -importcert -noprompt -cacerts -storepass changeit -alias build-ca -file /run/secrets/build-ca
mvn -B -ntp -q ${options[@]+"${options[@]}"} -pl chat-server,persistence-worker,notification-worker,loadtest/generator -am -DskipTests package
scripts/quick-start-jar.sh
