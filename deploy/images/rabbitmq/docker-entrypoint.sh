#!/bin/bash
# Changes the owner of the data directory to the broker's user and runs the server as that user. Other commands run unchanged.
set -e
if [[ $1 == rabbitmq-server && $(id -u) == 0 ]]; then
  chown -R rabbitmq:rabbitmq /var/lib/rabbitmq
  exec setpriv --reuid=rabbitmq --regid=rabbitmq --init-groups "$0" /usr/lib/rabbitmq/bin/rabbitmq-server "${@:2}"
fi
exec "$@"
