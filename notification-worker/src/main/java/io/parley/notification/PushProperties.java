package io.parley.notification;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * How people who are away are told.
 *
 * @param provider what brings the notifications: {@code log} writes a line for each
 */
@ConfigurationProperties("chat.push")
public record PushProperties(@DefaultValue("log") Provider provider) {

	/** What can bring notifications. */
	public enum Provider {

		/** A line in this application's log. */
		LOG,

		/** Firebase Cloud Messaging. */
		FCM

	}

}
