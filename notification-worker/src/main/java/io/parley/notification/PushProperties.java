package io.parley.notification;

import java.time.Duration;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.Assert;

/**
 * Settings of pushes to users who are offline.
 *
 * @param provider the provider that delivers notifications: {@code log} writes a log line
 * for each
 * @param grace how long a message has to reach a live session before it is decided which
 * users are notified
 * @param interval the minimum time between pushes to a user about a room; messages in
 * between are combined, mentions are pushed at once
 * @param expiry how long a notification is useful after its message was sent
 * @param attempts the maximum number of attempts for a device; 0 to retry until the
 * notification expires
 * @param retryDelay the delay after the first failure; it doubles each time, up to ten
 * minutes
 * @param takeover the time after which a worker takes tasks that another worker has taken
 * and not renewed, because that one must have died
 * @param largeRoom the number of members from which only mentions are pushed, unless the
 * user wants more
 * @param logRetention how long decisions are kept
 * @param deviceExpiry the time after which a device that has not registered again is
 * removed
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

	/** The providers of notifications. */
	public enum Provider {

		/**
		 * Writes a line to the log of this application, also for users without a device.
		 */
		LOG,

		/** Firebase Cloud Messaging. */
		FCM

	}

	/** Returns whether a device is given up after that many attempts. */
	boolean isLast(int attempts) {
		return this.attempts > 0 && attempts >= this.attempts;
	}

	/** Returns whether only users with a device can be notified. */
	boolean needsDevice() {
		return this.provider != Provider.LOG;
	}

}
