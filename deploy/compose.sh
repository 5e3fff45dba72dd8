# Sourced by ./chat: up and down, the whole system by Compose. Uses the functions of ./chat and docker-engine.sh.

JWT_KEY=data/compose/jwt-private.pem
WORKER_JARS=(persistence-worker/target/persistence-worker-exec.jar notification-worker/target/notification-worker-exec.jar)

# A variable of the shell wins over .env, as for Compose, also when it is empty.
setting() {
  if [[ -n ${!1+set} ]]; then
    echo "${!1}"
  else
    sed -n "s/^$1=//p" .env
  fi
}

# The folder keeps others on this machine out; the file must be readable for the containers' user 10001.
need_jwt_key() {
  [[ ! -s $JWT_KEY ]] || return 0
  say "making a key that signs tokens: $JWT_KEY"
  mkdir -p "${JWT_KEY%/*}"
  chmod 700 "${JWT_KEY%/*}"
  "$JAVA_HOME/bin/java" deploy/GenerateKey.java >"$JWT_KEY.new" || die "the key could not be made, see above."
  mv "$JWT_KEY.new" "$JWT_KEY"
}

# For tests with Testcontainers: an engine and the images of .env. Without them those tests are skipped, and this says why.
# Stand-ins mean that no registry answers: then there is no image of Testcontainers' reaper either, and the tests clean up
# alone. Nor one to ask where the engine is, which each JVM inside a container would wait two minutes for, to take localhost.
need_test_images() {
  local reason
  use_engine_for_tests
  if ! { reason=$( (need_docker && deploy/local-images.sh) 2>&1 >&3 3>&-); } 3>&1; then
    say "tests that need Docker are skipped: $(tail -1 <<<"$reason" | sed 's/^[a-z]*: //')"
    end_engine_of_tests
  elif docker image inspect parley-local/debian:sid >/dev/null 2>&1 && [[ -z $(docker images -q testcontainers/ryuk) ]]; then
    export TESTCONTAINERS_RYUK_DISABLED=true TESTCONTAINERS_CHECKS_DISABLE=true TESTCONTAINERS_HOST_OVERRIDE=localhost
  fi
}

# An engine that was started for tests ends with them, and what they left in it too: nothing stays behind on a build
# machine. Its process id is in a file. Runs at the same time share the engine and this file's lock; the last one ends it.
use_engine_for_tests() {
  [[ $(id -u) == 0 ]] && command -v flock >/dev/null || return 0
  export ENGINE_FOR_TESTS=/run/lock/parley-engine-for-tests
  exec 8<>"$ENGINE_FOR_TESTS"
  flock --shared 8
  trap end_engine_of_tests EXIT
}

end_engine_of_tests() {
  local pid left second
  [[ -n ${ENGINE_FOR_TESTS:-} ]] && flock --exclusive --nonblock 8 || return 0
  read -r pid <"$ENGINE_FOR_TESTS" || return 0
  [[ $(cat "/proc/$pid/comm" 2>/dev/null) == dockerd ]] || return 0
  mapfile -t left < <(docker ps -aq --filter label=org.testcontainers=true)
  ((${#left[@]} == 0)) || docker rm -fv "${left[@]}" >/dev/null || true
  if [[ -n $(docker ps -q) ]]; then
    say "the Docker engine goes on: others have containers in it"
    return 0
  fi
  say "ending the Docker engine, which was started for the tests"
  : >"$ENGINE_FOR_TESTS"
  kill "$pid" || return 0
  for second in {1..30}; do
    kill -0 "$pid" 2>/dev/null || return 0
    sleep 1
  done
  say "it did not end within 30 s: process $pid"
}

# The chat-servers refuse this too, but only in the log of a container.
refuse_public_demo() {
  [[ ,$(setting CHAT_PROFILES), == *,demo,* && $(setting CHAT_DEMO_PUBLIC) != true ]] || return 0
  is_loopback "$(setting CHAT_ADDRESS)" ||
    die "CHAT_ADDRESS=$(setting CHAT_ADDRESS) lets other machines in, and everybody knows the password of the demo users: take" \
      "\"demo\" out of CHAT_PROFILES, or keep CHAT_ADDRESS=127.0.0.1 (CHAT_DEMO_PUBLIC=true lets everybody sign in as one of them)."
}

is_loopback() { [[ $1 =~ ^(127\.[0-9.]+|localhost|\[?::1\]?)$ ]]; }

up() {
  local jar
  refuse_public_demo
  need_jdk
  build "$SERVER_JAR" "${SERVER_MODULES[@]}"
  for jar in "${WORKER_JARS[@]}"; do
    [[ -f $jar ]] || die "$jar is missing: remove $SERVER_JAR and try again, then all modules are built."
  done
  need_docker
  deploy/local-images.sh
  need_jwt_key
  say "packing the images"
  docker compose build -q || die "the images could not be built, see above."
  say "starting (nginx, $(setting CHAT_SERVER_COUNT) chat-servers, two workers, RabbitMQ, MySQL); this takes a minute"
  docker compose up -d --wait "$@" ||
    die "not everything came up: \"docker compose ps -a\" says what, \"docker compose logs <service>\" says why."
  if [[ ,$(setting CHAT_PROFILES), == *,demo,* ]]; then
    say "open http://localhost:$(setting CHAT_PORT) in two tabs and sign in as alice / demo and bob / demo"
  else
    say "it answers at http://localhost:$(setting CHAT_PORT)"
  fi
  ! is_loopback "$(setting CHAT_ADDRESS)" ||
    say "only this machine reaches it; to let others in, empty CHAT_PROFILES and set CHAT_ADDRESS=0.0.0.0 in .env"
  say "\"./chat down\" stops it and keeps the data"
}

down() {
  docker_answers || die "no Docker engine answers, so nothing of Compose runs here."
  docker compose --profile '*' down --remove-orphans "$@"
  case " $* " in
    *" --volumes "* | *" -v "*)
      rm -rf "${JWT_KEY%/*}"
      say "stopped, and all data is deleted"
      ;;
    *) say "stopped; the data is kept (\"./chat down --volumes\" deletes it)" ;;
  esac
}
