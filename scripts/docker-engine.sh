# Sourced by ./chat: need_docker finds a Docker engine with Compose v2, or installs one from Debian's packages.
# On a laptop with Docker the first two checks succeed and nothing else happens. It uses say, die and apt_install of ./chat.
#
# Without systemd (containers, small virtual machines) the engine is not started after its installation, so this script
# starts it once, in the background, and leaves it running; only "./chat test" stops an engine that it started. No special
# setting was needed on Debian 12 as root: overlay2 on ext4, cgroup v1, the default bridge and iptables on nftables. For other
# systems, set the engine's options in DOCKER_ENGINE_OPTIONS, for example "--storage-driver=vfs" on an overlay file system, or
# "--data-root=/big/disk/docker".

DOCKER_ENGINE_LOG=/var/log/dockerd.log
COMPOSE_PLUGIN_DIR=/usr/local/lib/docker/cli-plugins

docker_answers() { docker info >/dev/null 2>&1; }

wait_for_docker() {
  local second
  for second in {1..60}; do
    ! docker_answers || return 0
    # The engine that was started here has exited: stop waiting.
    [[ -z ${1:-} ]] || kill -0 "$1" 2>/dev/null || return 1
    sleep 1
  done
  return 1
}

start_docker() {
  local options
  say "starting the Docker engine (its log: $DOCKER_ENGINE_LOG)"
  if [[ -d /run/systemd/system ]]; then
    systemctl start docker && wait_for_docker
  else
    read -r -a options <<<"${DOCKER_ENGINE_OPTIONS:-}"
    # In a separate session: the engine outlives this script and does not receive the terminal's Ctrl-C.
    setsid dockerd "${options[@]}" </dev/null >>"$DOCKER_ENGINE_LOG" 2>&1 3>&- 8>&- 9>&- &
    [[ -z ${ENGINE_FOR_TESTS:-} ]] || echo $! >"$ENGINE_FOR_TESTS"
    wait_for_docker $!
  fi
}

# debian_apt <suite> <directory> <apt-get arguments>: runs apt-get on another suite of the archive that this machine
# already uses. The package lists of the system are not changed.
debian_apt() {
  local suite=$1 work=$2
  shift 2
  mkdir -p "$work/lists/partial" "$work/cache/archives/partial"
  echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $(debian_mirror) $suite main" >"$work/sources.list"
  apt-get -qq -o Dir::Etc::SourceList="$work/sources.list" -o Dir::Etc::SourceParts=- -o APT::Sandbox::User=root \
    -o Dir::State::Lists="$work/lists" -o Dir::Cache="$work/cache" -o Acquire::Check-Valid-Until=false "$@"
}

debian_mirror() { apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' | head -1; }

# Debian 12 packages only Compose v1. The v2 plugin of Debian 13 is a single file with few dependencies, which runs there too.
install_compose() {
  local work
  ! apt_install docker-compose-v2 && ! apt_install docker-compose-plugin || return 0
  [[ $(id -u) == 0 && -e /etc/debian_version ]] || return 1
  say "downloading the Compose plugin from Debian 13"
  work=$(mktemp -d)
  debian_apt trixie "$work" update &&
    (cd "$work" && debian_apt trixie "$work" download docker-compose && dpkg-deb -x docker-compose_*.deb tree) &&
    install -D -m 755 "$work/tree/usr/libexec/docker/cli-plugins/docker-compose" "$COMPOSE_PLUGIN_DIR/docker-compose"
  rm -rf "$work"
  docker compose version >/dev/null 2>&1
}

prepare_docker() {
  local hint="install Docker (docker.com, or your system packages) or start it, then try again."
  if ! docker_answers; then
    [[ $(id -u) == 0 && -e /etc/debian_version ]] || die "the Docker engine does not answer: $hint"
    command -v dockerd >/dev/null || apt_install docker.io iptables ||
      die "the Docker engine is missing and its package \"docker.io\" could not be installed: $hint"
    start_docker || die "the Docker engine did not start; the reason is at the end of $DOCKER_ENGINE_LOG."
  fi
  docker compose version >/dev/null 2>&1 || install_compose ||
    die "Docker Compose v2 not found: install the package \"docker-compose-plugin\" or Docker Desktop."
}

# Concurrent callers must not start two engines.
need_docker() {
  if docker_answers && docker compose version >/dev/null 2>&1; then return; fi
  if [[ $(id -u) == 0 ]] && command -v flock >/dev/null; then
    { flock 9 && prepare_docker; } 9>/run/lock/parley-docker.lock
  else
    prepare_docker
  fi
}
