package io.parley.notification;

import java.time.Duration;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.Assert;

/**
 * How people who are away are told.
 *
 * @param provider what brings the notifications: {@code log} writes a line for each
 * @param grace how long a message has to reach a live session, before it is decided who
 * is told of it
 * @param interval how long a user is left alone after a push about a room; what comes
 * meanwhile is told together, mentions at once
 * @param expiry so long after a message was sent a notification of it is worth nothing
 * @param attempts how often a device is tried before it is given up; 0: until the
 * notification expires
 * @param retryDelay how long to wait after the first failure; it doubles each time, up to
 * ten minutes
 * @param takeover after how long a worker takes over what another one, which must have
 * died, has taken and not renewed
 * @param largeRoom from how many members on only mentions are told, unless the user wants
 * more
 * @param logRetention how long decisions can be asked for
 * @param deviceExpiry after how long a device that did not register again is forgotten
 */
@ConfigurationProperties("chat.push")
public record PushProperties(@DefaultValue("log") Provider provider, @DefaultValue("4s") Duration grace,
		@DefaultValue("5s") Duration interval, @DefaultValue("4h") Duration expiry, @DefaultValue("0") int attempts,
		@DefaultValue("10s") Duration retryDelay, @DefaultValue("2m") Duration takeover,
		@DefaultValue("1000") int largeRoom, @DefaultValue("7d") Duration logRetention,
		@DefaultValue("270d") Duration deviceExpiry) {

	public PushProperties {
		Assert.isTrue(!grace.isNegative(), "chat.push.grace must not be negative");
		Assert.isTrue(!interval.isNegative(), "chat.push.interval must not be negative");
		Assert.isTrue(expiry.isPositive(), "chat.push.expiry must be positive");
		Assert.isTrue(attempts >= 0, "chat.push.attempts must not be negative");
		Assert.isTrue(retryDelay.isPositive(), "chat.push.retry-delay must be positive");
		Assert.isTrue(takeover.isPositive(), "chat.push.takeover must be positive");
		Assert.isTrue(largeRoom > 0, "chat.push.large-room must be at least 1");
	}

	/** What can bring notifications. */
	public enum Provider {

		/** A line in this application's log, also for users without a device. */
		LOG,

		/** Firebase Cloud Messaging. */
		FCM

	}

	/** Whether a device is given up after so many attempts. */
	boolean isLast(int attempts) {
		return this.attempts > 0 && attempts >= this.attempts;
	}

	/** Whether only users who have a device can be told. */
	boolean needsDevice() {
		return this.provider != Provider.LOG;
	}

}
