# Sourced by ./chat: up and down, the whole system with Compose. Uses functions of ./chat and docker-engine.sh.

JWT_KEY=data/compose/jwt-private.pem
WORKER_JARS=(persistence-worker/target/persistence-worker-exec.jar notification-worker/target/notification-worker-exec.jar)

# A shell variable takes precedence over .env, as in Compose, even if it is empty.
setting() {
  if [[ -n ${!1+set} ]]; then
    echo "${!1}"
  else
    sed -n "s/^$1=//p" .env
  fi
}

# The permissions of the directory protect the key from other users; the file must be readable by the containers' user 10001.
need_jwt_key() {
  [[ ! -s $JWT_KEY ]] || return 0
  say "generating the key that signs tokens: $JWT_KEY"
  mkdir -p "${JWT_KEY%/*}"
  chmod 700 "${JWT_KEY%/*}"
  "$JAVA_HOME/bin/java" scripts/GenerateKey.java >"$JWT_KEY.new" || die "the key could not be generated, see above."
  mv "$JWT_KEY.new" "$JWT_KEY"
}

# Prepares tests with Testcontainers: an engine and the images of .env. Without them those tests are skipped, and a message
# gives the reason. Stand-in images mean that no registry is reachable. Then the image of Testcontainers' reaper is missing too,
# so the tests clean up by themselves. The image that detects the address of the engine is also missing: each JVM inside a
# container would wait two minutes for it before it uses localhost, so that address is set here.
need_test_images() {
  local reason
  use_engine_for_tests
  if ! { reason=$( (need_docker && scripts/local-images.sh) 2>&1 >&3 3>&-); } 3>&1; then
    say "tests that need Docker are skipped: $(tail -1 <<<"$reason" | sed 's/^[a-z]*: //')"
    end_engine_of_tests
  elif docker image inspect parley-local/debian:sid >/dev/null 2>&1 && [[ -z $(docker images -q testcontainers/ryuk) ]]; then
    export TESTCONTAINERS_RYUK_DISABLED=true TESTCONTAINERS_CHECKS_DISABLE=true TESTCONTAINERS_HOST_OVERRIDE=localhost
  fi
}

# An engine that was started for tests is stopped after them, and their containers are removed: nothing remains on a build
# machine. Its process id is in a file. Concurrent runs share the engine and the lock on this file; the last run stops the
# engine.
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
    say "the Docker engine keeps running: it has other containers"
    return 0
  fi
  say "stopping the Docker engine that was started for the tests"
  : >"$ENGINE_FOR_TESTS"
  kill "$pid" || return 0
  for second in {1..30}; do
    kill -0 "$pid" 2>/dev/null || return 0
    sleep 1
  done
  say "the Docker engine did not stop within 30 s: process $pid"
}

# The chat-servers refuse this too, but report it only in the log of a container.
refuse_public_demo() {
  [[ ,$(setting CHAT_PROFILES), == *,demo,* && $(setting CHAT_DEMO_PUBLIC) != true ]] || return 0
  is_loopback "$(setting CHAT_ADDRESS)" ||
    die "CHAT_ADDRESS=$(setting CHAT_ADDRESS) lets other machines in, and the password of the demo users is public: remove" \
      "\"demo\" from CHAT_PROFILES, or keep CHAT_ADDRESS=127.0.0.1 (with CHAT_DEMO_PUBLIC=true any client can sign in as a demo user)."
}

is_loopback() { [[ $1 =~ ^(127\.[0-9.]+|localhost|\[?::1\]?)$ ]]; }

up() {
  local jar
  refuse_public_demo
  need_jdk
  build "$SERVER_JAR" "${SERVER_MODULES[@]}"
  for jar in "${WORKER_JARS[@]}"; do
    [[ -f $jar ]] || die "$jar is missing: remove $SERVER_JAR and try again, so that all modules are built."
  done
  need_docker
  scripts/local-images.sh
  need_jwt_key
  say "building the images"
  docker compose build -q || die "the images could not be built, see above."
  say "starting (nginx, $(setting CHAT_SERVER_COUNT) chat-servers, two workers, RabbitMQ, MySQL); this takes a minute"
  docker compose up -d --wait "$@" ||
    die "some services did not start: \"docker compose ps -a\" lists them, \"docker compose logs <service>\" shows the reason."
  if [[ ,$(setting CHAT_PROFILES), == *,demo,* ]]; then
    say "open http://localhost:$(setting CHAT_PORT) in two tabs and sign in as alice / demo and bob / demo"
  else
    say "running at http://localhost:$(setting CHAT_PORT)"
  fi
  ! is_loopback "$(setting CHAT_ADDRESS)" ||
    say "only this machine has access; to allow others, empty CHAT_PROFILES and set CHAT_ADDRESS=0.0.0.0 in .env"
  say "\"./chat down\" stops it and keeps the data"
}

down() {
  docker_answers || die "no Docker engine answers, so the Compose system is not running."
  docker compose --profile '*' down --remove-orphans "$@"
  case " $* " in
    *" --volumes "* | *" -v "*)
      rm -rf "${JWT_KEY%/*}"
      say "stopped; all data is deleted"
      ;;
    *) say "stopped; the data is kept (\"./chat down --volumes\" deletes it)" ;;
  esac
}
