package io.parley.server.database;

import java.time.Duration;

import org.hibernate.validator.constraints.time.DurationMin;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.validation.annotation.Validated;

/**
 * Settings of the database.
 *
 * @param timeout a database that gives no response for this long counts as unavailable:
 * requests that need it fail with {@code store-unavailable} until it responds again
 */
@Validated
@ConfigurationProperties("chat.database")
record DatabaseProperties(@DefaultValue("2s") @DurationMin(millis = 100) Duration timeout) {

	/** How many timeouts a caller waits while the database works for others. */
	private static final int MAX_TIMEOUTS = 5;

	/** How long a caller waits while the database works for others. */
	Duration maxWait() {
		return this.timeout.multipliedBy(MAX_TIMEOUTS);
	}

	/** How long one statement may take, in milliseconds. */
	int statementMillis() {
		return (int) Math.min(Integer.MAX_VALUE, this.timeout.toMillis() * 3 / 2);
	}

}
