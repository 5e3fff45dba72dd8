#!/bin/bash
# Gives the data folder to the broker's user and becomes that user. Anything but the server runs as it is.
set -e
if [[ $1 == rabbitmq-server && $(id -u) == 0 ]]; then
  chown -R rabbitmq:rabbitmq /var/lib/rabbitmq
  exec setpriv --reuid=rabbitmq --regid=rabbitmq --init-groups "$0" /usr/lib/rabbitmq/bin/rabbitmq-server "${@:2}"
fi
exec "$@"
