package io.parley.server.worker;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;

/**
 * Settings that say where the workers run.
 *
 * @param inProcess whether this server hosts the workers; if not set, true with the
 * embedded log, which no other process can read
 */
@ConfigurationProperties("chat.workers")
record WorkerProperties(@Nullable Boolean inProcess) {
}
