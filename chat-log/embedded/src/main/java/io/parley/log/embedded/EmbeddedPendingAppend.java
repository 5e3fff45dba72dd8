package io.parley.log.embedded;

import java.util.concurrent.CompletableFuture;

/** A record that is being appended to the log. */
record EmbeddedPendingAppend(int partition, byte[] data, CompletableFuture<Long> confirm) {

	EmbeddedPendingAppend(int partition, byte[] data) {
		this(partition, data, new CompletableFuture<>());
	}

}
