#!/usr/bin/env bash
# Prints the section of CHANGELOG.md for the version in pom.xml; with --version prints only that version.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

version=$(sed -n 's:^[[:blank:]]<version>\(.*\)</version>$:\1:p' pom.xml | head -1)
if [[ ${1:-} == --version ]]; then
  echo "$version"
  exit
fi
notes=$(awk -v version="$version" '
  /^## / { inside = index($0, "## [" version "]") == 1; next }
  inside' CHANGELOG.md)
if [[ -z ${notes//[[:space:]]/} ]]; then
  echo "release-notes: CHANGELOG.md has no section \"## [$version]\": rename \"## [Unreleased]\" and give it the date of the release." >&2
  exit 1
fi
printf '%s\n' "$notes"
