# Sourced by ./chat: test. Uses functions of ./chat, docker-engine.sh and compose.sh.

TEST_LOG=target/test.log TEST_FOLDER=

# A missing tool is not an error: the tests that need it are skipped and counted at the end.
find_test_tools() {
  find_chromium || { apt_install chromium && find_chromium; } ||
    say "browser tests are skipped: install Chromium or Chrome, or set PARLEY_CHROMIUM to its path."
  find_node || { apt_install nodejs npm && find_node; } ||
    say "tests with JavaScript clients are skipped: install Node 20 or newer with npm, from nodejs.org or your system packages."
  command -v python3 >/dev/null || apt_install python3 ||
    say "tests with Python clients are skipped: install python3 from your system packages."
  [[ $1 != --all ]] || find_prometheus || say "tests of alerts are skipped: install Prometheus, with promtool."
}

# Debian's package starts a server when it is installed: its two programs are enough.
find_prometheus() {
  ! { command -v prometheus && command -v promtool; } >/dev/null || return 0
  [[ $(id -u) == 0 && -e /etc/debian_version ]] || return 1
  mkdir -p "$TEST_FOLDER/prometheus"
  (cd "$TEST_FOLDER/prometheus" && apt-get -qq -o APT::Sandbox::User=root download prometheus && dpkg-deb -x prometheus_*.deb .) || return 1
  PATH+=:$TEST_FOLDER/prometheus/usr/bin
}

# Prints the test classes of a run whose names match: only --all runs those marked as exhaustive, and the modules that it adds.
test_classes() {
  find . -path "*/src/test/java/$2" -o -path "./clients/kotlin/test/${2%.java}.kt" |
    if [[ $1 == --all ]]; then cat; else grep -v -e /hour/ -e /kotlin/ | xargs grep -L '^@Tag("exhaustive")'; fi
}

# Prints the number of test classes of a run, for the progress display: some classes of the protocol run on several backends.
count_test_classes() {
  local unit integration mark more=0
  integration=$(test_classes "$1" '*IntegrationTests.java' | wc -l)
  unit=$(($(test_classes "$1" '*Tests.java' | wc -l) - integration))
  [[ $1 != --fast ]] || integration=0
  if [[ $1 == "" ]]; then
    # Mode bus and RabbitMQ.
    for mark in FanOut Relay; do
      more=$((more + $(test_classes "" 'io/parley/conformance/*Tests.java' | xargs grep -lE "^\s*@$mark$" | wc -l)))
    done
  elif [[ $1 == --all ]]; then
    more=$(($(grep -c '<parley.test.backend>' conformance/pom.xml) * $(find conformance/src/test/java -name '*Tests.java' | wc -l)))
  fi
  echo $((unit + integration + more))
}

# Creates the directory for temporary files, in memory if there is space, because each server unpacks a library when it starts.
make_test_folder() {
  local base=${TMPDIR:-/tmp} free
  free=$(df -Pm /dev/shm 2>/dev/null | awk 'NR == 2 { print $4 }') || free=0
  if ((${free:-0} >= 6000)) && runs_programs /dev/shm; then base=/dev/shm; fi
  TEST_FOLDER=$(mktemp -d "$base/parley-tests.XXXXXX")
}

# Some systems mount their in-memory directories with noexec.
runs_programs() {
  local program
  program=$(mktemp "$1/parley.XXXXXX") || return 1
  printf '#!/bin/sh\n' >"$program"
  chmod +x "$program"
  "$program" 2>/dev/null && rm "$program" || { rm "$program"; return 1; }
}

end_tests() {
  end_test_servers
  rm -rf "$TEST_FOLDER"
  end_engine_of_tests
}

run_tests() {
  local size='' goal=(verify) classes threads=3 status=0
  case ${1:-} in
    --fast) size=$1 goal=(test -Pfast) && shift ;;
    # One more for the module that takes an hour.
    --all) size=$1 goal=(verify -Pall) threads=4 && shift ;;
  esac
  classes=$(count_test_classes "$size")
  if [[ " $* " == *" -pl"* ]]; then
    # A subset of the modules has fewer classes.
    classes=0
  elif [[ $size != --fast ]]; then
    goal+=(-Pbeside)
  fi
  need_jdk
  need_maven
  make_test_folder
  trap end_tests EXIT
  if [[ $size != --fast ]]; then
    find_test_tools "$size"
    need_test_images
    trap end_tests EXIT
    start_test_servers
  fi
  say "JDK $JAVA_HOME, Maven $MVN; the full output is in $TEST_LOG"
  find . -path '*/target/*-reports/*' -type f -delete
  mkdir -p "${TEST_LOG%/*}"
  # A failed test does not stop the tests of other modules and backends; TestRun reports the failure.
  "$MVN" -B -ntp -T "$threads" --fail-at-end -Dmaven.test.failure.ignore -Dparley.test.tmp="$TEST_FOLDER" "${goal[@]}" "$@" 8>&- 2>&1 | tee "$TEST_LOG" |
    "$JAVA_HOME/bin/java" scripts/TestRun.java "$classes" "$SECONDS" || status=$?
  return "$status"
}
