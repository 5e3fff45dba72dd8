# Sourced by ./chat: up and down, the whole system with Compose. Uses functions of ./chat and docker-engine.sh.

SECRETS=data/compose
JWT_KEY=$SECRETS/jwt-private.pem
WORKER_JARS=(persistence-worker/target/persistence-worker-exec.jar notification-worker/target/notification-worker-exec.jar)

# A shell variable takes precedence over .env, as in Compose, even if it is empty.
setting() {
  if [[ -n ${!1+set} ]]; then
    echo "${!1}"
  else
    sed -n "s/^$1=//p" .env
  fi
}

# Passwords, keys and certificates of this installation; what exists is kept.
need_secrets() {
  local volume project
  project=$(setting COMPOSE_PROJECT_NAME)
  if [[ ! -d $SECRETS/secrets ]]; then
    for volume in mysql-data rabbitmq-data; do
      volume=${project:-parley}_$volume
      [[ -z $(docker volume ls -q --filter "name=^$volume\$") ]] ||
        die "the volume $volume exists, but $SECRETS/secrets with its passwords does not. Put that directory back. If the" \
          "volume is of a version with published passwords, use that version for \"./chat backup --compose DIR\" and" \
          "\"./chat down --volumes\", then this one for \"./chat restore --compose DIR\"."
    done
    say "generating passwords, keys and certificates in $SECRETS"
  fi
  make_secrets || die "the secrets could not be generated, see above."
}

make_secrets() {
  if find_jdk; then
    "$JAVA_HOME/bin/java" scripts/MakeSecrets.java "$SECRETS"
  else
    scripts/local-images.sh "$(setting BUILD_IMAGE)" || return
    docker run --rm --network none --user "$(id -u):$(id -g)" --volume "$PWD:/parley" --workdir /parley "$(setting BUILD_IMAGE)" \
      java scripts/MakeSecrets.java "$SECRETS"
  fi
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

# With a certificate nginx also listens for TLS, and redirects all other requests to it.
use_tls() {
  local name
  if [[ -z $(setting CHAT_TLS_CERTIFICATE) && -z $(setting CHAT_TLS_KEY) ]]; then
    is_loopback "$(setting CHAT_ADDRESS)" ||
      say "other machines have access without TLS: set CHAT_TLS_CERTIFICATE and CHAT_TLS_KEY, or put a proxy with TLS in front"
    return 0
  fi
  for name in CHAT_TLS_CERTIFICATE CHAT_TLS_KEY; do
    [[ -s $(setting $name) && -r $(setting $name) ]] ||
      die "$name=$(setting $name) is not a readable file: CHAT_TLS_CERTIFICATE and CHAT_TLS_KEY are both needed, as PEM."
  done
  export COMPOSE_FILE=docker-compose.yml:deploy/tls.yml COMPOSE_PATH_SEPARATOR=:
}

# The address of the chat in a browser on this machine.
address() {
  local port scheme=http name=CHAT_PORT
  [[ -z $(setting CHAT_TLS_CERTIFICATE) ]] || scheme=https name=CHAT_TLS_PORT
  port=$(setting $name)
  case $scheme:$port in
    http:80 | https:443) echo "$scheme://localhost" ;;
    *) echo "$scheme://localhost:$port" ;;
  esac
}

is_loopback() { [[ $1 =~ ^(127\.[0-9.]+|localhost|\[?::1\]?)$ ]]; }

# Compiles with the JDK and Maven of this machine, which is quicker, or else in a container. PARLEY_JARS=source: in a container.
build_jars() {
  local jar
  if [[ ${PARLEY_JARS:-} == source ]] || ! has_jdk || ! has_maven; then
    export PARLEY_JARS=source
    need_docker
    scripts/local-images.sh "$(setting BUILD_IMAGE)" || die "the sources cannot be compiled without a JDK and Maven, or this image."
    return
  fi
  export PARLEY_JARS=target
  build "$SERVER_JAR" "${SERVER_MODULES[@]}"
  for jar in "${WORKER_JARS[@]}"; do
    [[ -f $jar ]] || die "$jar is missing: remove $SERVER_JAR and try again, so that all modules are built."
  done
  scripts/quick-start-jar.sh || die "the helper for quick starts could not be compiled, see above."
}

up() {
  refuse_public_demo
  use_tls
  build_jars
  need_docker
  scripts/local-images.sh
  need_secrets
  if [[ $PARLEY_JARS == source ]]; then
    say "compiling in a container and building the images; the first time takes minutes, because Maven downloads the libraries"
  else
    say "building the images"
  fi
  docker compose build -q || die "the images could not be built, see above."
  say "starting RabbitMQ and MySQL, and preparing the database"
  docker compose up -d --wait rabbitmq mysql ||
    die "RabbitMQ or MySQL did not start: see \"docker compose logs rabbitmq mysql\"."
  prepare_database
  say "starting (nginx, $(setting CHAT_SERVER_COUNT) chat-servers, two workers, RabbitMQ, MySQL); this takes a minute"
  docker compose up -d --wait "$@" ||
    die "some services did not start: \"docker compose ps -a\" lists them, \"docker compose logs <service>\" shows the reason."
  if [[ ,$(setting CHAT_PROFILES), == *,demo,* ]]; then
    say "open $(address) in two tabs and sign in as alice / demo and bob / demo"
  else
    say "running at $(address)"
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
      rm -rf "$SECRETS"
      say "stopped; all data is deleted"
      ;;
    *) say "stopped; the data is kept (\"./chat down --volumes\" deletes it)" ;;
  esac
}
