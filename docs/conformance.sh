#!/usr/bin/env bash
# Writes docs/conformance.md from the reports of the protocol tests. First run them on all backends:
#   ./chat test --all -pl conformance -am -DskipITs
# A backend that was not run, for want of a Docker engine for example, has dashes in its column.
# Options: the folders with the reports; without any, that of the module conformance. CONFORMANCE_NOTE, when it is set, stands under
# the table: what a reader must know of this run.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

BACKENDS=(simple bus bus-kafka bus-rabbitmq relay-artemis-per-session relay-artemis-per-node relay-activemq-per-session
  relay-activemq-per-node relay-rabbitmq-per-session relay-rabbitmq-per-node)
PAGE=docs/conformance.md
TESTS=conformance/src/test/java/io/parley/conformance

# class: what it shows. A class that is not here stands in the table under its own name.
promises() {
  cat <<'TEXT'
ConnectTests: CONNECT by token, versions, what is refused
SessionTests: DISCONNECT, life after a refusal, receipts
SubscribeTests: SUBSCRIBE: first event, members only, silence after UNSUBSCRIBE
SubscribeRaceTests: nothing lost between the confirmed SUBSCRIBE and what is live
OrderTests: one order for 16 senders, all subscribers and the history
SendTests: SEND: receipt, `accepted`, what is refused, every character
RetryTests: the same `clientId` is one message, after a cut and from many devices
Utf8Tests: lengths in bytes, no torn character
ResumeTests: `after` gives exactly the rest, or says `recovered: false`
CutConnectionTests: connections cut after each number of messages
SlowReaderTests: a slow reader holds up nobody and is told its gap
StalledReaderTests: one that reads nothing is closed and resumes
LogFailureTests: `log-unavailable`, `append-unknown`, `internal`, and the retry
RoomTests: rooms, members, removal
ReadingTests: typing, read markers, unread counts, presence
HistoryTests: pages of the history
TokenTests: expiry and refresh of tokens
LimitTests: limits, `server-busy`
HeartBeatTests: heart-beats
DestinationSecurityTests: destinations that are refused
FrameSecurityTests: frames that are malformed, out of turn or too large
RestErrorTests: errors over HTTP
ProbeTests: probes
DeviceTests: devices (REST)
NotificationSettingsTests: of what a user wants to be told (REST)
PushLogRepositoryTests: why a push was (not) sent (REST)
LaterRecordTests: records of a later version, and what operators do about them
UpgradeTests: a later version beside two servers of this one
PushExplanationTests: the sentence that explains it (REST)
AddressTests: the address of a client behind proxies
AdmissionTests: upgrades an address may ask for
SessionShareTests: sessions that one address may hold
SignInSecurityTests: nobody signs in without an account and its password
StrangerTests: a stranger cannot tell which rooms exist
BanTests: a removed member stays out
BlockTests: what a block between two users stops
BodyLimitTests: bodies of at most 64 KB
JsonSecurityTests: bodies that break a rule of JSON or UTF-8
PositionTests: numbers out of range
CrossOriginTests: which origins may call the API
HalfOpenRequestTests: requests that never end delay nobody
JoinRushTests: many requests about one room at once
WriteLimitTests: limits of writes over HTTP
ReadSignalTests: signals grow with time, not with the number of readers
ReplayLimitTests: replays have a budget
AwayDatabaseTests: live messages while the database does not answer
TwoServersTests: two servers: order, resume, devices, typing, removal
LiveFlipTests: a rolling restart from this mode to `bus` and back, while people talk
TEXT
}

# One line for each test: backend, class, passed, failed or skipped. A test that passed when it was run again has passed.
results() {
  find "$@" -name 'TEST-io.parley.conformance*.xml' -exec awk '
    function value(name) {
      return match($0, " " name "=\"[^\"]*\"") ? substr($0, RSTART + length(name) + 3, RLENGTH - length(name) - 4) : ""
    }
    function finish() { if (class != "") print backend, class, outcome; class = "" }
    FNR == 1 {
      finish()
      backend = FILENAME
      sub(/.*TEST-io\.parley\.conformance[^-]*/, "", backend)
      sub(/\.xml$/, "", backend)
      backend = backend == "" ? "simple" : substr(backend, 2)
    }
    /<testcase / {
      finish()
      class = value("classname")
      sub(/.*\./, "", class)
      sub(/\(.*/, "", class)
      outcome = "passed"
    }
    /<(failure|error)[ >]/ { outcome = "failed" }
    /<skipped/ { outcome = "skipped" }
    END { finish() }' {} +
}

table() {
  promises | awk -v backends="${BACKENDS[*]}" -v folder="../$TESTS/" '
    function heading(backend) {
      sub(/^bus-/, "bus<br>", backend)
      if (backend ~ /^relay-/) { sub(/-/, "<br>", backend); sub(/-/, "<br>", backend) }
      return backend
    }
    function cell(passed, failed) {
      return failed ? "**" failed " failed**, " passed + 0 : passed ? passed : "–"
    }
    NR == FNR { at = index($0, ":"); order[++classes] = substr($0, 1, at - 1); text[order[classes]] = substr($0, at + 2); next }
    {
      if (!($2 in text)) { order[++classes] = $2; text[$2] = $2 }
      count[$1, $2, $3]++
      count[$1, "", $3]++
      sum = count[$1, $2, "passed"] + count[$1, $2, "failed"]
      if (sum > tests[$2]) { all += sum - tests[$2]; tests[$2] = sum }
    }
    END {
      columns = split(backends, backend, " ")
      order[++classes] = ""
      text[""] = "**together**"
      tests[""] = all
      printf "| what is promised | tests |"
      for (b = 1; b <= columns; b++) printf " %s |", heading(backend[b])
      printf "\n|---|---|"
      for (b = 1; b <= columns; b++) printf "---|"
      for (c = 1; c <= classes; c++) {
        class = order[c]
        if (!tests[class]) continue
        printf "\n| %s | %d |", class == "" ? text[class] : "[" text[class] "](" folder class ".java)", tests[class]
        for (b = 1; b <= columns; b++) printf " %s |", cell(count[backend[b], class, "passed"], count[backend[b], class, "failed"])
      }
      print ""
    }' - <(results "$@")
}

# version <jar>: of a library that the tests ran with.
version() {
  find "${reports[@]}" -name 'TEST-io.parley.conformance*.xml' -exec grep -hom1 "/$1-[0-9][0-9.]*\.jar" {} + 2>/dev/null |
    head -1 | sed "s|/$1-||; s|\.jar||" || true
}

reports=("${@:-conformance/target/surefire-reports}")
newest=$(find "${reports[@]}" -name 'TEST-io.parley.conformance*.xml' -printf '%TY-%Tm-%Td\n' 2>/dev/null | sort | tail -1) || true
[[ -n $newest ]] || {
  echo 'conformance: there are no reports: run "./chat test --all -pl conformance -am -DskipITs" first.' >&2
  exit 1
}
java=$(find "${reports[@]}" -name 'TEST-io.parley.conformance*.xml' -exec grep -hom1 'name="java.version" value="[^"]*"' {} + 2>/dev/null |
  head -1) || true
java=${java#*value=}
cat >"$PAGE" <<TEXT
# Conformance

One protocol, whatever is behind it: the same tests talk to real servers on every backend, as clients do, by WebSocket and HTTP.
Each number is how many tests passed; a dash means that the row was not run there.

$(table "${reports[@]}")

- \`simple\`, \`bus\` and \`relay\` are \`chat.broker.mode\`; behind \`bus\` stands the log, embedded where none is named; behind \`relay\`
  the broker and \`chat.broker.relay.connections\`.
- Two servers need a log that they share; with \`relay\` it is in Kafka. \`simple\`, and \`bus\` with the embedded log, are for one server.
- Run on $newest with Java ${java//\"/}, Spring Boot $(version spring-boot), Jetty $(version jetty-server),
  Kafka $(version kafka_2.13), Artemis $(version artemis-server), ActiveMQ Classic $(version activemq-broker), and the image
  \`$(sed -n 's/^RABBITMQ_IMAGE=//p' .env)\`, each broker on the machine of the tests.${CONFORMANCE_NOTE:+
- $CONFORMANCE_NOTE}

To make this page again, with Docker for RabbitMQ:

\`\`\`
./chat test --all -pl conformance -am -DskipITs
docs/conformance.sh
\`\`\`
TEXT
echo "conformance: wrote $PAGE"
