package io.parley.notification.provider;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Clock;
import java.time.Duration;

import com.google.api.client.json.JsonFactory;
import com.google.api.client.json.gson.GsonFactory;
import com.google.firebase.messaging.AndroidConfig;
import com.google.firebase.messaging.AndroidNotification;
import com.google.firebase.messaging.ApnsConfig;
import com.google.firebase.messaging.Aps;
import com.google.firebase.messaging.Message;
import com.google.firebase.messaging.Notification;
import com.google.firebase.messaging.WebpushConfig;
import com.google.firebase.messaging.WebpushFcmOptions;
import com.google.firebase.messaging.WebpushNotification;

/**
 * Creates FCM messages. The tag makes a later notification of a room replace the previous
 * one on the screen. There is no collapse key: FCM keeps four per device and drops the
 * rest.
 */
final class FcmMessages {

	private static final JsonFactory JSON = GsonFactory.getDefaultInstance();

	/** FCM's limit for the payload; here it applies to the complete message. */
	private static final int MAX_BYTES = 4096;

	private static final Duration MAX_TIME_TO_LIVE = Duration.ofDays(28);

	private static final int MAX_COLLAPSE_ID = 64;

	private final FcmProperties properties;

	private final Clock clock;

	FcmMessages(FcmProperties properties, Clock clock) {
		this.properties = properties;
		this.clock = clock;
	}

	/**
	 * Creates a message, with its text shortened so that FCM accepts it.
	 * @throws IllegalArgumentException if no valid message can be created
	 */
	Message of(PushMessage push) {
		if (!this.properties.showContent()) {
			return message(push, PushText.neutral(push));
		}
		Message complete = message(push, PushText.of(push, push.text()));
		if (size(complete) <= MAX_BYTES) {
			return complete;
		}
		int available = MAX_BYTES - size(message(push, PushText.of(push, "")));
		if (available < 0) {
			throw new IllegalArgumentException("larger than 4,096 bytes without its text");
		}
		return message(push, PushText.of(push, PushText.cut(push.text(), available)));
	}

	private static int size(Message message) {
		try {
			return JSON.toByteArray(message).length;
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private Message message(PushMessage push, PushText text) {
		Notification.Builder notification = Notification.builder().setTitle(text.title());
		if (!text.body().isEmpty()) {
			notification.setBody(text.body());
		}
		Message.Builder message = Message.builder()
			.setNotification(notification.build())
			.putData("room", push.room())
			.putData("position", Long.toString(push.position()))
			.putData("messages", Integer.toString(push.messages()))
			.putData("mentioned", Boolean.toString(push.mentioned()));
		if (push.thread() != 0) {
			message.putData("thread", Long.toString(push.thread()));
		}
		address(message, push.target());
		switch (push.target().platform()) {
			case ANDROID -> message.setAndroidConfig(android(push));
			case IOS -> message.setApnsConfig(apns(push));
			case WEB -> message.setWebpushConfig(web(push));
		}
		return message.build();
	}

	/**
	 * Tokens are deprecated, but apps that have not switched to installation ids have
	 * nothing else.
	 */
	@SuppressWarnings("deprecation")
	private static void address(Message.Builder message, PushTarget target) {
		switch (target.kind()) {
			case TOKEN -> message.setToken(target.value());
			case FID -> message.setFid(target.value());
		}
	}

	private static AndroidConfig android(PushMessage push) {
		return AndroidConfig.builder()
			.setPriority(AndroidConfig.Priority.HIGH)
			.setTtl(timeToLive(push).toMillis())
			.setNotification(AndroidNotification.builder().setTag(push.topic()).setChannelId("messages").build())
			.build();
	}

	private ApnsConfig apns(PushMessage push) {
		String room = push.room();
		return ApnsConfig.builder()
			.putHeader("apns-priority", "10")
			.putHeader("apns-expiration", Long.toString(this.clock.instant().plus(timeToLive(push)).getEpochSecond()))
			.putHeader("apns-collapse-id", PushText.cut(push.topic(), MAX_COLLAPSE_ID))
			.setAps(Aps.builder()
				.setThreadId(room)
				.setBadge((int) Math.clamp(push.unread(), 0L, (long) Integer.MAX_VALUE))
				.setSound("default")
				.setMutableContent(true)
				.build())
			.build();
	}

	private WebpushConfig web(PushMessage push) {
		WebpushConfig.Builder web = WebpushConfig.builder()
			.putHeader("TTL", Long.toString(timeToLive(push).toSeconds()))
			.putHeader("Urgency", "high")
			.setNotification(WebpushNotification.builder().setTag(push.topic()).setRenotify(true).build());
		String link = this.properties.link();
		if (link != null) {
			web.setFcmOptions(WebpushFcmOptions.withLink(link.replace("{room}", push.room())));
		}
		return web.build();
	}

	private static Duration timeToLive(PushMessage push) {
		Duration wanted = push.timeToLive();
		if (wanted.isNegative()) {
			return Duration.ZERO;
		}
		return (wanted.compareTo(MAX_TIME_TO_LIVE) > 0) ? MAX_TIME_TO_LIVE : wanted;
	}

}
