#!/bin/sh
# As in the official image: runs the scripts in /docker-entrypoint.d in order (*.envsh in this shell), then the command.
set -e
if [ "$1" = nginx ]; then
  for part in /docker-entrypoint.d/*; do
    [ -x "$part" ] || continue
    case $part in
      *.envsh) . "$part" ;;
      *.sh) "$part" ;;
    esac
  done
fi
exec "$@"
