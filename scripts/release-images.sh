#!/usr/bin/env bash
# Builds and publishes the images of a release.
#   release-images.sh build REGISTRY VERSION     on a machine of each platform: builds from the packaged jars, and pushes
#   release-images.sh publish REGISTRY VERSION   on one of them: joins the platforms under one tag, and signs it
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

PLATFORMS=(amd64 arm64)
IMAGES=(chat-server persistence-worker notification-worker loadtest)

die() {
  echo "release-images: $*" >&2
  exit 1
}

(($# == 3)) && [[ -n $2 && -n $3 ]] || die "usage: release-images.sh build|publish REGISTRY VERSION"
registry=$2 version=$3

# has_sbom <image>: true for what is deployed; the load kit has none.
has_sbom() {
  [[ $1 != loadtest ]]
}

build() {
  local image tag platform module jar start
  case $(uname -m) in
    x86_64) platform=amd64 ;;
    aarch64 | arm64) platform=arm64 ;;
    *) die "no images are released for $(uname -m)." ;;
  esac
  mkdir -p target/release
  scripts/quick-start-jar.sh
  for image in "${IMAGES[@]}"; do
    tag=$registry/$image:$version-$platform
    start=plain
    case $image in
      chat-server) module=chat-server jar=chat-server.jar start=trained ;;
      loadtest) module=loadtest/generator jar=loadtest-generator-exec.jar ;;
      *) module=$image jar=$image-exec.jar start=worker ;;
    esac
    docker build --build-arg "MODULE=$module" --build-arg "JAR=$jar" --build-arg "START=$start" --label "org.opencontainers.image.version=$version" --tag "$tag" .
    docker push "$tag"
    ! has_sbom "$image" ||
      cp "$module/target/classes/META-INF/sbom/application.cdx.json" "target/release/$image-$version-$platform.cdx.json"
  done
}

publish() {
  local image platform sources digest
  for image in "${IMAGES[@]}"; do
    sources=()
    for platform in "${PLATFORMS[@]}"; do
      sources+=("$registry/$image:$version-$platform")
    done
    docker buildx imagetools create --tag "$registry/$image:$version" "${sources[@]}"
    digest=$(docker buildx imagetools inspect "$registry/$image:$version" --format '{{.Manifest.Digest}}')
    # The digest, because a tag can be moved after it was signed.
    cosign sign --yes "$registry/$image@$digest"
    has_sbom "$image" || continue
    for platform in "${PLATFORMS[@]}"; do
      digest=$(docker buildx imagetools inspect "$registry/$image:$version-$platform" --format '{{.Manifest.Digest}}')
      cosign attest --yes --type cyclonedx --predicate "target/release/$image-$version-$platform.cdx.json" "$registry/$image@$digest"
    done
  done
}

case $1 in
  build | publish) "$1" ;;
  *) die "unknown command \"$1\": use build or publish." ;;
esac
