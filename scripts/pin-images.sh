#!/usr/bin/env bash
# Adds to each image of .env the digest that its registry has for it now, as in "nginx:1.30@sha256:…". From then on Compose runs
# exactly these images, whatever is published under the same names later. Run it again after changing a version, and to take over
# security fixes; review and commit the change. It needs a registry, the official one or your own: a stand-in (scripts/local-images.sh) has no digest.
#
# Usage: scripts/pin-images.sh            pins all images of .env
#        scripts/pin-images.sh --check    changes nothing; the exit code is 1 when an image has no digest
#        scripts/pin-images.sh --unpin    removes the digests, for a closed network with stand-ins
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

ENV_FILE=${ENV_FILE:-.env}

say() { printf '%s\n' "pin-images: $*"; }
die() { say "$@" >&2 && exit 1; }

images() { sed -n 's/^[A-Z_]*_IMAGE=//p' "$ENV_FILE"; }

# Prints the digest of an image that the registry reports now. It covers all platforms of the image. Not that of "docker image
# inspect": the engine also knows older digests, and those of other repositories, if their content is the same.
digest() { docker pull "$1" | sed -n 's/^Digest: \(sha256:[0-9a-f]\{64\}\)$/\1/p'; }

replace() { sed "s|^\([A-Z_]*_IMAGE\)=$1\$|\1=$2|" "$ENV_FILE" >"$ENV_FILE.new" && cat "$ENV_FILE.new" >"$ENV_FILE" && rm "$ENV_FILE.new"; }

case ${1:-} in
  --check)
    ! images | grep -v '@sha256:[0-9a-f]\{64\}$' || die "these images have no digest: run scripts/pin-images.sh."
    say "all images have a digest"
    ;;
  --unpin)
    for image in $(images); do replace "$image" "${image%@*}"; done
    say "removed the digests"
    ;;
  '')
    docker info >/dev/null 2>&1 || die "no Docker engine answers: start it, then try again."
    # All or none: half of a change would look complete.
    pinned=()
    for image in $(images); do
      found=$(digest "${image%@*}") || found=
      [[ -n $found ]] || die "no registry has told the digest of ${image%@*}, see above: nothing was changed. It needs a connection" \
        "to the registry; a local stand-in has no digest."
      pinned+=("${image%@*}@$found")
    done
    for image in "${pinned[@]}"; do
      for old in $(images); do
        [[ ${old%@*} != "${image%@*}" ]] || replace "$old" "$image"
      done
      say "$image"
    done
    ;;
  *) die "unknown option \"$1\": use --check, --unpin, or none." ;;
esac
