#!/usr/bin/env bash
# Ensures that the images named in .env exist on this machine, under exactly these names.
# An image is pulled if a registry is reachable. Otherwise (a closed network, a build machine), a stand-in is built
# from Debian's packages: unstable has RabbitMQ 4.3, MySQL 9.7, nginx 1.30 and a Java 25 runtime. A stand-in
# supports the same variables and directories as the official image, as far as this project uses them, so the same
# Compose file and the same Testcontainers tests run on it. Users get the official images.
#
# Usage: scripts/local-images.sh [image...]     default: every *_IMAGE of .env except BUILD_IMAGE
#        PARLEY_LOCAL_IMAGES=1 builds stand-ins without trying a registry.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

BASE=parley-local/debian:sid

say() { printf '%s\n' "images: $*"; }

die() {
  printf '%s\n' "images: $*" >&2
  exit 1
}

present() { docker image inspect "$1" >/dev/null 2>&1; }

# Pulls from a registry; on failure the engine prints the reason. After one failure no registry is tried again: in a closed
# network each attempt may take a minute.
pull() {
  [[ -z ${PARLEY_LOCAL_IMAGES:-} ]] || return 1
  say "pulling $1"
  timeout 600 docker pull -q "$1" >/dev/null || {
    PARLEY_LOCAL_IMAGES=1
    return 1
  }
}

# Builds the base: a minimal Debian unstable, with the archive and the proxy settings of this machine's apt.
# The settings are only stored in the image on this machine.
build_base() {
  local root=$1/root mirror
  ! present "$BASE" || return 0
  [[ $(id -u) == 0 && -e /etc/debian_version ]] ||
    die "no registry is reachable, and stand-ins can only be built by root on Debian: connect to a registry or load the images."
  command -v debootstrap >/dev/null || {
    say "installing debootstrap"
    DEBIAN_FRONTEND=noninteractive apt-get -qq -o DPkg::Lock::Timeout=300 install -y debootstrap >"$1/apt.log" 2>&1 ||
      die "debootstrap could not be installed: $(tail -3 "$1/apt.log")"
  }
  mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' | head -1)
  say "building the base from Debian unstable (takes up to two minutes)"
  debootstrap --variant=minbase --include=ca-certificates sid "$root" "$mirror" >"$1/debootstrap.log" 2>&1 ||
    die "debootstrap failed: $(tail -3 "$1/debootstrap.log")"
  # A snapshot of the archive has an expired Valid-Until.
  { apt-config dump | grep -E '^Acquire::https?::' || true; } >"$root/etc/apt/apt.conf.d/90host"
  echo 'Acquire::Check-Valid-Until "false";' >>"$root/etc/apt/apt.conf.d/90host"
  rm -rf "$root"/var/cache/apt/archives/*.deb
  tar -C "$root" -c . | docker import - "$BASE" >/dev/null
}

# Uses the network of the host, because its apt settings may contain addresses that a container network cannot reach.
build_stand_in() {
  local image=$1 folder=deploy/images/${1%%:*} built
  [[ $image != *@* ]] ||
    die "no registry is reachable, and a stand-in can't have the digest of $image: remove the digests with scripts/pin-images.sh --unpin."
  [[ -f $folder/Dockerfile ]] || die "there is no stand-in for $image: load it with \"docker load\" or connect to a registry."
  say "building a stand-in for $image from Debian packages"
  built=$(docker build -q --network=host --build-arg BASE="$BASE" -t "$image" "$folder" 2>&1) ||
    die "the build of $image failed: $(tail -5 <<<"$built")"
}

(($# > 0)) || mapfile -t images < <(grep -v '^BUILD_IMAGE=' .env | sed -n 's/^[A-Z_]*_IMAGE=//p')
missing=()
for image in "${images[@]:-$@}"; do
  present "$image" || pull "$image" || missing+=("$image")
done
((${#missing[@]} > 0)) || exit 0

work=$(mktemp -d)
build_base "$work"
rm -rf "$work"
# In parallel, because most of the time is spent on downloads.
builds=()
for image in "${missing[@]}"; do
  build_stand_in "$image" &
  builds+=($!)
done
status=0
for build in "${builds[@]}"; do wait "$build" || status=1; done
exit "$status"
