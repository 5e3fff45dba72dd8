package io.parley.log.config;

import java.util.function.Function;

import io.parley.log.LogUnavailableException;
import io.parley.log.RoomLog;
import io.parley.log.config.LogProperties.Backend;

/**
 * An adapter on the class path. Each has an auto-configuration with such a bean; that of
 * the configured backend is asked to open the log of the application, the others are not
 * asked.
 *
 * @param backend the value of {@code chat.log.backend} that chooses this adapter
 * @param opener opens the log; throws {@link LogUnavailableException} with a sentence
 * that says what to do
 */
public record RoomLogFactory(Backend backend, Function<LogProperties, RoomLog> opener) {

	/**
	 * Opens the log, to be closed by the caller.
	 * @throws LogUnavailableException when it can't be used
	 */
	RoomLog open(LogProperties properties) {
		return this.opener.apply(properties);
	}

}
