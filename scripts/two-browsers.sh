#!/usr/bin/env bash
# Checks on the running system ("./chat up") that Alice and Bob, in two real browsers, are on different chat-servers behind
# nginx and receive each other's messages. Needs Chromium or Chrome, and Maven for the library that drives it.
#
# Usage: scripts/two-browsers.sh [url]    default: http://localhost:<CHAT_PORT of .env>
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

url=${1:-http://localhost:${CHAT_PORT:-$(sed -n 's/^CHAT_PORT=//p' .env)}}
: "${PARLEY_CHROMIUM:=$(command -v chromium || command -v google-chrome)}"
export PARLEY_CHROMIUM
paths=$(mktemp)
trap 'rm -f "$paths"' EXIT
mvn -B -ntp -q -pl chat-server -am -DskipTests process-test-classes \
  org.apache.maven.plugins:maven-dependency-plugin:build-classpath \
  -Dmdep.includeGroupIds=com.microsoft.playwright,com.google.code.gson,org.java-websocket,org.slf4j -Dmdep.outputFile="$paths"
"${JAVA_HOME:+$JAVA_HOME/bin/}java" -cp "$(cat "$paths")" scripts/TwoBrowsers.java "$url"
