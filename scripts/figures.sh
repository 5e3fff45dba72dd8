#!/usr/bin/env bash
# Measures two rates against a real broker and a real database in separate containers. Other load on the machine lowers both.
#
# Usage: scripts/figures.sh append [runs]     confirmed appends/s to RabbitMQ streams; a run is "<threads> <in flight per thread> <seconds>",
#                                            several are separated by commas; default: "4 500 20,16 100 20"
#        scripts/figures.sh drain [events]    rows/s of the persistence-worker into MySQL from a backlog; default: 1000000
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

append() {
  local paths
  paths=$(mktemp)
  mvn -B -ntp -q -pl chat-log/rabbitmq -am -DskipTests test-compile \
    org.apache.maven.plugins:maven-dependency-plugin:build-classpath -Dmdep.outputFile="$paths"
  "${JAVA_HOME:+$JAVA_HOME/bin/}java" --enable-native-access=ALL-UNNAMED \
    -cp "chat-log/rabbitmq/target/test-classes:chat-log/rabbitmq/target/classes:$(cat "$paths")" io.parley.log.rabbitmq.RabbitAppendBenchmark \
    "${1:-4 500 20,16 100 20}"
  rm -f "$paths"
}

drain() {
  mvn -B -ntp -pl persistence-worker -am verify -Dtest=NoSuchTests -Dsurefire.failIfNoSpecifiedTests=false \
    -Dit.test=ThroughputOnMySqlIntegrationTests -Dfailsafe.failIfNoSpecifiedTests=false -Dparley.test.events="${1:-1000000}" |
    grep -E 'rows/s|Tests run|ERROR|BUILD'
}

# With stand-ins for the official images, the reaper's image is missing too.
[[ -n $(docker images -q testcontainers/ryuk) ]] || export TESTCONTAINERS_RYUK_DISABLED=true TESTCONTAINERS_CHECKS_DISABLE=true
case ${1:-} in
  append | drain) "$@" ;;
  *) sed -n '2,6s/^# \{0,1\}//p' "$0" && exit 2 ;;
esac
