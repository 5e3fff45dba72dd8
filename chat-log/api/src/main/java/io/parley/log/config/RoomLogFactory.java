package io.parley.log.config;

import java.util.function.Function;

import io.parley.log.LogUnavailableException;
import io.parley.log.RoomLog;
import io.parley.log.config.LogProperties.Backend;

/**
 * Opens the log of one backend. The auto-configuration of each adapter contributes one
 * factory; only the factory of the configured backend is called.
 *
 * @param backend the value of {@code chat.log.backend} that selects this adapter
 * @param opener opens the log; throws {@link LogUnavailableException} with a sentence
 * that says what to do
 */
public record RoomLogFactory(Backend backend, Function<LogProperties, RoomLog> opener) {

	/**
	 * Opens the log. The caller closes it.
	 * @throws LogUnavailableException if the log cannot be used
	 */
	RoomLog open(LogProperties properties) {
		return this.opener.apply(properties);
	}

}
