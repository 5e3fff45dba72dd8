#!/usr/bin/env bash
# Writes docs/conformance.md from the reports of the protocol tests. Run them on all backends first:
#   ./chat test --all -pl conformance -am -DskipITs
# A backend that was not run, for example without a Docker engine, has dashes in its column.
# Arguments: the report directories; the default is the one of the module conformance. CONFORMANCE_NOTE, if set, is printed below
# the table, for remarks about this run.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

BACKENDS=(simple bus bus-kafka bus-rabbitmq relay-artemis-per-session relay-artemis-per-node relay-activemq-per-session
  relay-activemq-per-node relay-rabbitmq-per-session relay-rabbitmq-per-node)
PAGE=docs/conformance.md
TESTS=conformance/src/test/java/io/parley/conformance

# class: description. A class that is not listed here appears in the table under its own name.
promises() {
  cat <<'TEXT'
ConnectTests: CONNECT by token, versions, rejected frames
SessionTests: DISCONNECT, the session after a rejected frame, receipts
SubscribeTests: SUBSCRIBE: first event, members only, no events after UNSUBSCRIBE
SubscribeRaceTests: no loss between the confirmed SUBSCRIBE and live delivery
OrderTests: one order for 16 senders, all subscribers and the history
SendTests: SEND: receipt, `accepted`, rejected messages, every character
EditWindowTests: when a message can no longer be edited, or not yet
ChangeRestartTests: a repeated change is the same change after a restart
TwoServersChangeTests: two servers: changes of one message that cross
EditTests: edits: once, by the author, the last one wins
DeleteTests: deletions: by author and moderators; the text is nowhere
ReactionTests: reactions: counts, limits, one event a second and message
DraftTests: drafts of rooms and threads, on all devices
ScheduledTests: messages that are sent later: once, in order, when the log or the database is away
TwoServersScheduledTests: two servers: each message that is sent later is sent once
PinTests: pins: once, newest first, at most 100, by whom, deleted messages
TwoServersReactionTests: two servers: reactions that cross end in the right counts
ReactionRestartTests: a server that stops writes the reactions that wait
ThreadTests: answers and threads: numbers, following, reading, unread replies, deleted roots
MentionTests: mentions: users, groups, the room; counts, the list, edits and deletions
ThreadRushTests: many replies in one thread at once, each sent twice
ConversationTests: whatever people do in a room, with cut connections, all their devices end alike
ConversationCrashTests: the same while the server is killed (one packaged server)
TwoServersConversationTests: two servers: the same, with devices that change servers
StateViewTests: the view of messages in their current state equals the fold of the feed
ChangedAfterTests: `changedAfter` gives each changed message once
UnreadWithDeletesTests: deleted messages are not unread
RetryTests: the same `clientId` is one message, after a lost connection and from many devices
Utf8Tests: lengths in bytes, no split characters
ResumeTests: `after` delivers exactly the missed events, or `recovered: false`
CutConnectionTests: connections cut after each number of messages
SlowReaderTests: a slow reader delays no other session and gets a `gap` event
StalledReaderTests: a session that reads nothing is closed and resumes
LogFailureTests: `log-unavailable`, `append-unknown`, `internal`, and retries
RoomTests: rooms, members, removal
ReadingTests: typing, read markers, unread counts, presence
HistoryTests: pages of the history
TokenTests: expiry and refresh of tokens
LimitTests: limits, `server-busy`
HeartBeatTests: heart-beats
DestinationSecurityTests: rejected destinations
FrameSecurityTests: frames that are malformed, out of order or too large
RestErrorTests: errors over HTTP
ProbeTests: probes
MetricsTests: metrics of what is accepted, late and refused
DeviceTests: devices (REST)
NotificationSettingsTests: notification settings (REST)
PushLogTests: why a push was (not) sent (REST)
LaterRecordTests: records of a later version, and the operator commands for them
StopRecordTests: a record that only a later version may process blocks its partition, and no other
UpgradeTests: a later version running with two servers of this one
PushExplanationTests: the explanation of a push decision (REST)
AddressTests: the address of a client behind proxies
AdmissionTests: upgrades per client address
SessionShareTests: sessions per client address
SignInSecurityTests: sign-in requires an account and its password
StrangerTests: a non-member cannot discover which rooms exist
BanTests: a removed member cannot rejoin
RoleTests: what each role may do over STOMP and HTTP; mutes, bans, ownership
RoomSettingsTests: name, topic and settings: by whom, once, the last event is what is stored
TwoServersRoomSettingsTests: two servers: settings that cross
LargeRoomTests: a join of a room with more than 1,000 members: a count, no event
TwoServersLargeRoomTests: two servers: such a join takes effect on both
SlowModeTests: slow mode: one message per time, repeats, failed messages
TwoServersSlowModeTests: two servers: slow mode is one for both
ReportTests: reports of messages: once per user, what moderators and operators see, deleted texts
MessageHookTests: a program that is asked before a message is accepted
WordListHookTests: the example of such a program, a list of words
PeopleTests: who has read a message, delivered messages, away, last seen
TwoServersPeopleTests: two servers: readers, delivered messages, away and last seen are the same on both
InviteTests: invite links: expiry, uses, revocation
BlockTests: effects of a block between two users
BodyLimitTests: bodies of at most 64 KB
JsonSecurityTests: bodies that violate JSON or UTF-8
PositionTests: numbers out of range
CrossOriginTests: which origins may call the API
HalfOpenRequestTests: requests that never complete delay no others
JoinRushTests: many concurrent requests for one room
WriteLimitTests: rate limits of modifying HTTP requests
ReadSignalTests: read signals grow with time, not with the number of readers
ReplayLimitTests: replays have a budget
AwayDatabaseTests: live messages while the database is unavailable
TwoServersTests: two servers: order, resume, devices, typing, removal, roles, mutes, bans
QuietRoomTests: rooms that a client resumes together, while another server changes them
LiveFlipTests: a rolling restart from this mode to `bus` and back, under load
InvalidRequestTests: requests that the server cannot read
SecurityHeadersTests: security headers of every response
SignInTests: sign-ins: rotation of refresh tokens, reuse, logout, devices
TwoServersSignInTests: a sign-in that ends on one server ends on the other
IssuerOutageTests: users of an external issuer chat while neither its key server nor the database responds
TwoServersIssuerTests: two servers: accounts and tokens of an external issuer
DrainTests: a stopping server closes its sessions one after the other
KeyRotationTests: rotation of signing keys without one refusal
TEXT
}

# Prints one line per test: backend, class, and passed, failed or skipped. A test that passed in a rerun counts as passed.
results() {
  find "$@" -name 'TEST-io.parley.conformance.[A-Z]*.xml' -exec awk '
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
      text[""] = "**total**"
      tests[""] = all
      printf "| guarantee | tests |"
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

# version <jar>: prints the version of a library used by the tests.
version() {
  find "${reports[@]}" -name 'TEST-io.parley.conformance*.xml' -exec grep -hom1 "/$1-[0-9][0-9.]*\.jar" {} + 2>/dev/null |
    head -1 | sed "s|/$1-||; s|\.jar||" || true
}

reports=("${@:-conformance/target/surefire-reports}")
newest=$(find "${reports[@]}" -name 'TEST-io.parley.conformance*.xml' -printf '%TY-%Tm-%Td\n' 2>/dev/null | sort | tail -1) || true
[[ -n $newest ]] || {
  echo 'conformance: no reports found: run "./chat test --all -pl conformance -am -DskipITs" first.' >&2
  exit 1
}
java=$(find "${reports[@]}" -name 'TEST-io.parley.conformance*.xml' -exec grep -hom1 'name="java.version" value="[^"]*"' {} + 2>/dev/null |
  head -1) || true
java=${java#*value=}
cat >"$PAGE" <<TEXT
# Conformance

The protocol is the same on every backend: the same tests run against real servers on each backend, as clients, over WebSocket and HTTP.
Each number is the number of passed tests; a dash means that the row was not run on that backend.

$(table "${reports[@]}")

- \`simple\`, \`bus\` and \`relay\` are \`chat.broker.mode\`; below \`bus\` is the log, embedded if none is named; below \`relay\`
  are the broker and \`chat.broker.relay.connections\`.
- Two servers need a shared log; with \`relay\` it is in Kafka. \`simple\`, and \`bus\` with the embedded log, are for one server.
- Run on $newest with Java ${java//\"/}, Spring Boot $(version spring-boot), Jetty $(version jetty-server),
  Kafka $(version kafka_2.13), Artemis $(version artemis-server), ActiveMQ Classic $(version activemq-broker), and the image
  \`$(sed -n 's/^RABBITMQ_IMAGE=//p' .env)\`, each broker on the machine of the tests.${CONFORMANCE_NOTE:+
- $CONFORMANCE_NOTE}

To regenerate this page, with Docker for RabbitMQ:

\`\`\`
./chat test --all -pl conformance -am -DskipITs
scripts/conformance.sh
\`\`\`
TEXT
echo "conformance: wrote $PAGE"
