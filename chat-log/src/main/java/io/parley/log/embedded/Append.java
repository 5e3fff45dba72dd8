package io.parley.log.embedded;

import java.util.concurrent.CompletableFuture;

/** A record on its way into the log. */
record Append(int partition, byte[] data, CompletableFuture<Long> confirm) {

	Append(int partition, byte[] data) {
		this(partition, data, new CompletableFuture<>());
	}

}
