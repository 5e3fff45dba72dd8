package io.parley.server.worker;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;

/**
 * Where the workers run.
 *
 * @param inProcess whether this server hosts them; when not set, it does so with the
 * embedded log, which no other process can read
 */
@ConfigurationProperties("chat.workers")
record WorkerProperties(@Nullable Boolean inProcess) {
}
