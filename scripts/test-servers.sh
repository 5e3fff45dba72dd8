# Sourced by ./chat: the MySQL server that the tests of all modules share. Uses setting, say and docker_answers.
#
# start_test_servers returns immediately: the server starts while Maven compiles, and the first test that needs it waits for
# it (MySqlServer in chat-store's tests). Its address is in PARLEY_TEST_MYSQL. Without an engine or without the image the
# variable is not set, and each module starts its own server, or skips those tests. end_test_servers removes the server.
# The container has the label of Testcontainers, so clean-up of leftover test containers includes it.

TEST_MYSQL=

start_test_servers() {
  local image
  image=$(setting MYSQL_IMAGE)
  docker_answers && docker image inspect "$image" >/dev/null 2>&1 || return 0
  # Data is in memory and not synced: the tests kill workers, never this server.
  TEST_MYSQL=$(docker run --detach --label org.testcontainers=true --publish 127.0.0.1::3306 \
    --tmpfs /var/lib/mysql:rw,size=4g --env MYSQL_ROOT_PASSWORD=parley "$image" \
    --innodb-flush-log-at-trx-commit=0 --skip-log-bin --max-connections=500) || {
    say "the shared MySQL server did not start: each module starts its own"
    TEST_MYSQL=
    return 0
  }
  PARLEY_TEST_MYSQL=$(docker port "$TEST_MYSQL" 3306 | head -1)
  export PARLEY_TEST_MYSQL
}

end_test_servers() {
  unset PARLEY_TEST_MYSQL
  [[ -n $TEST_MYSQL ]] || return 0
  docker rm --force --volumes "$TEST_MYSQL" >/dev/null || true
  TEST_MYSQL=
}
